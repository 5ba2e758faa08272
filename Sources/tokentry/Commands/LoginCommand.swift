import LoginCore
import Platform
import SignIn

/// `tokentry login`: asks the user to sign in and prints a token. With a refresh token, it does not need the user.
///
/// With an account, the token is kept before it is printed. If that fails, nothing is printed: a caller with a token would
/// rely on an account that does not exist.
final class LoginCommand: Action {
  private let wishes: Wishes
  private let shared: Composition
  private let keeps: Bool
  private let output: OutputFormat
  private let user: String?

  static let options =
    ProviderWishes.options + RequestWishes.options + Command.asking
    + AccountWishes.options(but: "min-valid") + PlaceWishes.options("store", "no-wait")
    + AnswerWishes.options

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    (self.wishes, self.shared, output) = (wishes, shared, wishes.answer.format)
    user = try output.checkUser(wishes.request.loginHint)
    keeps = try NewLogin.name(wishes, shared) != nil
    if !keeps, let option = wishes.first(of: AccountWishes.options("for", "if-needed")) {
      throw .belongs(option, to: AccountWishes.flag("account"))
    }
  }

  func text() async throws(Failure) -> String {
    let token =
      keeps
      ? try await shared.tokens(try TokenTerms(wishes, shared)).login(try LoginWish(wishes, shared), for: nil)
        .token
      : try await NewLogin(wishes, shared).token()
    return try output.text(of: token, at: shared.clock.now(), user: user)
  }
}
