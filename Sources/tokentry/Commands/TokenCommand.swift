import LoginCore

/// `tokentry token`: prints the token of a kept account. If it expires too soon, it is refreshed, or the user signs in
/// again.
struct TokenCommand: Action {
  private let run: Composition
  private let name: AccountName
  private let access: AccountAccess
  private let output: OutputFormat

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    name = try settings.requiredAccountName(for: .token, run.cryptography)
    access = AccountAccess(settings, run, try SignIn(settings, run))
    output = settings.output
  }

  func text() async throws(Failure) -> String {
    var account = try await access.account(name)
    if output == .idToken { account = try await access.identified(account) }
    return try output.text(of: account.token, at: run.clock.now(), user: account.login.loginHint)
  }
}
