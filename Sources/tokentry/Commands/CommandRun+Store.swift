import LoginCore
import SecretStore

extension CommandRun {
  /// Where accounts are kept: what the option says, else the environment, else the keyring.
  func credentialStore(
    _ settings: Settings, mayAsk: Bool = true
  ) throws(Failure) -> any CredentialStore {
    let place = settings[.store] ?? environment["TOKENTRY_STORE"] ?? "keyring"
    let onWait: @Sendable () -> Void = { [messages] in
      messages.info("another program is at the account, and is waited for")
    }
    if place == "keyring" {
      return KeyringStore(mayAsk: mayAsk && !settings.has(.silent), locks: try locks(), onWait: onWait)
    }
    let (kind, folder) = place.splitOnce(at: ":")
    guard kind == "file", let folder, !folder.isEmpty else {
      let source = settings.has(.store) ? Option.store.flag : "TOKENTRY_STORE"
      throw .caller(.invalidOption("\(source) takes keyring or file:PATH"))
    }
    return FileStore(folder: folder, onWait: onWait)
  }

  /// Whether somebody has said where accounts are kept.
  func hasStore(_ settings: Settings) -> Bool {
    settings.has(.store) || environment["TOKENTRY_STORE"] != nil
  }

  /// The name of the account, if one was given.
  func accountName(_ settings: Settings) throws(Failure) -> AccountName? {
    guard let text = settings[.account] else { return nil }
    guard let name = AccountName(text) else {
      throw .caller(
        .invalidOption(
          "\(Option.account.flag) takes one line of visible text of at most \(AccountName.maximumLength) bytes"
        ))
    }
    return name
  }

  /// A keyring has no locks of its own.
  private func locks() throws(Failure) -> String {
    if let folder = environment.folder("XDG_RUNTIME_DIR", default: ".cache") { return folder + "/tokentry" }
    throw .store(.unavailable("neither XDG_RUNTIME_DIR nor HOME is set"))
  }
}
