import LoginCore
import Wording

/// `tokentry accounts`: what is kept, without secrets. Nobody is asked for a password: of an account in a locked
/// keyring there is only the name.
struct AccountsCommand: Action {
  private let run: Composition

  init(_ settings: Settings, _ run: Composition) { self.run = run }

  func text() async throws(Failure) -> String {
    let accounts = try await run.store.list()
    let object: JSONObject = ["accounts": .array(accounts.map { .object($0.json) })]
    return object.text + "\n"
  }
}

extension StoredAccount {
  /// What a list says of it.
  fileprivate var json: JSONObject {
    var object: JSONObject = ["account": .string(name.description)]
    switch contents {
    case .account(let account):
      object["provider"] = account.provider.map(JSONValue.string)
      object["client_id"] = .string(account.login.clientID)
      object["expires_at"] = account.token.expiresAt.map { .string($0.description) }
      object["can_refresh"] = .bool(account.canBeRefreshed)
    case .locked: object["locked"] = true
    case .unreadable(let fault): object["error"] = .string(fault.words)
    }
    return object
  }
}
