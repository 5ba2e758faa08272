import LoginCore
import Platform
import SignIn

/// `tokentry login`: asks the user to sign in and prints a token. With a refresh token, it does not need the user.
///
/// With an account, the token is kept before it is printed. If that fails, nothing is printed: a caller with a token would
/// rely on an account that does not exist.
final class LoginCommand: Action {
  private let wishes: Wishes
  private let run: Composition
  private let keeps: Bool
  private let output: OutputFormat
  private let user: String?

  static let options =
    ProviderWishes.options + RequestWishes.options + Command.asking
    + AccountWishes.options(but: "min-valid") + PlaceWishes.options("store", "no-wait")
    + AnswerWishes.options

  init(_ wishes: Wishes, _ run: Composition) throws(Failure) {
    (self.wishes, self.run, output) = (wishes, run, wishes.answer.format)
    user = try output.checkUser(wishes.request.loginHint)
    keeps = try NewLogin.name(wishes, run) != nil
    if !keeps, let option = wishes.first(of: AccountWishes.options("for", "if-needed")) {
      throw .belongs(option, to: AccountWishes.flag("account"))
    }
  }

  func text() async throws(Failure) -> String {
    let token =
      keeps
      ? try await run.tokens(try TokenTerms(wishes, run)).login(try LoginWish(wishes, run), for: nil)
        .token
      : try await NewLogin(wishes, run).token()
    return try output.text(of: token, at: run.clock.now(), user: user)
  }
}
