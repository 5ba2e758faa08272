import LoginCore

extension CommandRun {
  /// `tokentry accounts`: what is kept, without secrets. Nobody is asked for a password: of an account in a locked
  /// keyring there is only the name.
  func accounts(_ settings: Settings) async throws(Failure) -> String {
    let accounts = try await credentialStore(settings).list()
    let object: JSONObject = ["accounts": .array(accounts.map { .object($0.json) })]
    return object.text + "\n"
  }
}
