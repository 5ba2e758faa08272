import LoginCore
import Wording

/// What a credential helper says to git: a token as a password, or as what it is where both git and the server
/// understand that.
///
/// Nothing of it is worth keeping for git's other helpers, so the refresh token stays here.
struct GitCredentialAnswer: Sendable {
  /// The lines for standard output.
  let text: String

  /// An answer with the token of an account.
  init(_ account: Account, to request: GitCredentialRequest) throws(Failure) {
    let token = account.token
    guard let accessToken = token.accessToken else { throw .untrusted(.missingToken(["access_token"])) }
    // What no header may carry could begin a line of its own here.
    _ = try AuthorizationHeader(accessToken, scheme: token.scheme)
    let user = account.login.provider.gitUser
    guard !user.isEmpty, !user.unicodeScalars.contains(where: \.isControl) else {
      throw .configuration(.gitUser)
    }
    var lines: [String] = []
    if request.knowsSchemes, request.asksForBearer {
      lines = [
        "capability[]=authtype", "authtype=Bearer", "credential=\(accessToken.revealed())", "ephemeral=1",
      ]
    } else {
      lines = ["username=\(user)", "password=\(accessToken.revealed())"]
    }
    if let expiresAt = token.expiresAt { lines.append("password_expiry_utc=\(expiresAt.secondsSince1970)") }
    text = lines.map { $0 + "\n" }.joined()
  }
}

extension GitCredentialAnswer: Redacted {}
