import LoginCore
import Platform

/// `tokentry token`: prints the token of a kept account. If it expires too soon, it is refreshed, or the user signs in
/// again.
struct TokenCommand: Action {
  private let tokens: any TokenSource
  private let clock: any WallClock
  private let wish: TokenWish
  private let output: OutputFormat
  private let messages: Messages?

  static let options =
    Command.using + Command.asking + RequestWishes.options("options", "password") + AnswerWishes.options

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    tokens = shared.tokens(try TokenTerms(wishes, shared))
    (clock, output) = (shared.clock, wishes.answer.format)
    messages = wishes.answer.isForReader ? shared.messages : nil
    var wish = TokenWish(try wishes.requiredAccountName(for: .token, shared.cryptography))
    wish.needsIdentity = output == .idToken
    self.wish = wish
  }

  func text() async throws(Failure) -> String {
    let granted = try await tokens.token(wish)
    // What is printed stays on the screen, so fewer secrets are better.
    messages?.tellReader("--output token prints the access token alone")
    return try output.text(of: granted.token, at: clock.now(), user: granted.user)
  }
}
