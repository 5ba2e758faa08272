import LoginCore

/// `tokentry accounts`: lists the accounts, without secrets. It never asks for a password, so of an account in a locked
/// keyring only the name is known.
struct AccountsCommand: Action {
  private let tokens: any TokenSource

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    tokens = run.tokens(try TokenTerms(settings, run))
  }

  func text() async throws(Failure) -> String {
    let object: JSONObject = ["accounts": .array(try await tokens.accounts().map(JSONValue.object))]
    return object.text + "\n"
  }
}
