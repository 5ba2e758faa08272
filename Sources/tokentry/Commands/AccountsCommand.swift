import LoginCore

/// `tokentry accounts`: lists the accounts, without secrets. It never asks for a password, so of an account in a locked
/// keyring only the name is known.
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
  fileprivate var json: JSONObject {
    let name = JSONValue.string(name.description)
    return switch contents {
    case .account(let account):
      [
        "account": name, "provider": account.provider.map(JSONValue.string),
        "client_id": .string(account.login.clientID),
        "expires_at": account.token.expiresAt.map { .string($0.description) },
        "can_refresh": .bool(account.canBeRefreshed),
        "for": account.origins.isEmpty ? nil : .array(account.origins.map { .string($0.description) }),
      ]
    case .locked: ["account": name, "locked": true]
    case .unreadable(let reason), .unusable(let reason):
      ["account": name, "error": .string(reason.description)]
    }
  }
}
