import LoginCore
import SignIn

/// The conditions for tokens: how good a kept one has to be, and how the user signs in if none is.
struct TokenTerms: Sendable {
  var demand = TokenDemand()
  var signIn: SignInOptions
}

/// A login that a caller describes, as far as an agent can be asked for it.
struct LoginDescription: Sendable, Equatable {
  var account: AccountName
  /// The address of an API, the name of a preset, and an issuer: who the account is at.
  var resource: String?
  var provider: String?
  var issuer: String?
  var clientID: String?
  var scope: String?
  /// The servers that the account is for.
  var origins: [String] = []

  init(_ account: AccountName) { self.account = account }
}

/// A login that makes an account: at an agent as it is described, here with all that the caller has said.
struct LoginWish: Sendable {
  let description: LoginDescription
  /// The reason why an agent cannot be asked.
  let obstacle: Failure?
  /// True if a kept account that will do is enough.
  let isIfNeeded: Bool
  /// True if the caller needs an id_token.
  let needsIdentity: Bool
  /// Reads the rest of what the caller has said.
  let login: @Sendable () throws(Failure) -> NewLogin
}
