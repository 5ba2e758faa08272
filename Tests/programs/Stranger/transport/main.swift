import Foundation
import LoginKit

/// A transport that counts and logs.
actor Logging: HTTPTransport {
  let inner: any HTTPTransport
  init(_ inner: any HTTPTransport) { self.inner = inner }
  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    print(request.method, request.endpoint)
    return try await inner.send(request)
  }
}

/// A store in a dictionary.
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

var client = try OAuthClient(issuer: CommandLine.arguments[1], clientID: "tokentry-demo")
client.store = Accounts()
var dependencies = Dependencies.standard
dependencies.transport = Logging(dependencies.transport)
client.dependencies = dependencies
client.way = .headless(form: ["username": "ada", "password": "demo", "decision": "allow"])
try await client.signIn()
print(try await client.store.list())
