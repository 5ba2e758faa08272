import LoginCore
import Platform
import SignIn

/// `tokentry login`: asks the user to sign in and prints a token. With a refresh token, it does not need the user.
///
/// With an account, the token is kept before it is printed. If that fails, nothing is printed: a caller with a token would
/// rely on an account that does not exist.
final class LoginCommand: Action {
  private let settings: Settings
  private let run: Composition
  private let keeps: Bool
  private let output: OutputFormat
  private let user: String?

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    (self.settings, self.run, output) = (settings, run, settings.output)
    user = try output.checkUser(settings[.loginHint])
    keeps = try NewLogin.name(settings, run) != nil
    if !keeps, let option = [Option.origins, .ifNeeded].first(where: settings.has) {
      throw .belongs(option, to: .account)
    }
  }

  func text() async throws(Failure) -> String {
    let token =
      keeps
      ? try await run.tokens(try TokenTerms(settings, run)).login(try LoginWish(settings, run), for: nil)
        .token
      : try await NewLogin(settings, run).token()
    return try output.text(of: token, at: run.clock.now(), user: user)
  }
}
