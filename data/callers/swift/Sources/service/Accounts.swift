import LoginKit

actor Accounts: CredentialStore {
  let locks = ProcessLocks()
  private var accounts: [AccountName: Account] = [:]
  func find(_ name: AccountName) -> Account? { accounts[name] }
  func save(_ account: Account) { accounts[account.name] = account }
  func delete(_ name: AccountName) throws(Failure) {
    if accounts.removeValue(forKey: name) == nil { throw .unknownAccount(name.description) }
  }
  func list() -> [StoredAccount] { accounts.values.sorted { $0.name < $1.name }.map { StoredAccount($0) } }
}
