import LoginCore
import Wording

/// The shapes in which a token is handed over.
enum OutputFormat: String, Sendable, CaseIterable {
  /// The object of RFC 6749 section 5.1.
  case json
  /// The access token alone.
  case token
  /// A header field for curl and the like.
  case header
  /// Assignments for a shell.
  case env
  /// The initial response of SASL XOAUTH2, in base64.
  case xoauth2

  /// The text for standard output, with its line feed.
  ///
  /// `user` is who signs in to the mail server, for ``xoauth2``.
  func text(of token: Token, at now: UTCDate, user: String?) throws(Failure) -> String {
    try checkBinding(token.isBound)
    switch (self, token.accessToken) {
    case (.json, _):
      return token.json(at: now).text + "\n"
    case (_, nil):
      throw .untrusted(.missingToken(["access_token"]))
    case (.token, let accessToken?):
      return accessToken.revealed() + "\n"
    case (.header, let accessToken?):
      return "Authorization: \(try AuthorizationHeader(accessToken, scheme: token.scheme).value)\n"
    case (.env, let accessToken?):
      var lines = ["TOKENTRY_ACCESS_TOKEN": accessToken.revealed()]
      lines["TOKENTRY_TOKEN_TYPE"] = token.type
      lines["TOKENTRY_EXPIRES_AT"] = token.expiresAt?.description
      return lines.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.shellQuoted($0.value))\n" }.joined()
    case (.xoauth2, let accessToken?):
      let user = try checkUser(user) ?? ""
      let authorization = try AuthorizationHeader(accessToken, scheme: token.scheme)
      let response = "user=\(user)\u{1}auth=\(authorization.value)\u{1}\u{1}"
      return Base64.encode(response.utf8) + "\n"
    }
  }

  /// Refuses a user without whom, or with whom, there can be no answer of this shape.
  @discardableResult
  func checkUser(_ user: String?) throws(Failure) -> String? {
    guard self == .xoauth2 else { return user }
    guard let user, !user.unicodeScalars.contains(where: \.isControl) else {
      throw .configuration(.outputWithoutUser(rawValue))
    }
    return user
  }

  /// Refuses a request that brings no access token where this shape needs one.
  func checkResponseType(_ type: ResponseType) throws(Failure) {
    guard self == .json || type.includesToken || type.includesCode else {
      throw .configuration(.outputWithoutToken(rawValue, type))
    }
  }

  /// Refuses a token that is bound to a key where this shape cannot hand the key over: nobody could use it.
  func checkBinding(_ isBound: Bool) throws(Failure) {
    guard isBound, self != .json else { return }
    throw .configuration(.outputOfBoundToken(rawValue))
  }

  private static func shellQuoted(_ text: String) -> String {
    "'" + text.replacingAll("'", with: "'\\''") + "'"
  }
}

extension Settings {
  /// The shape that was asked for.
  var output: OutputFormat { self[.output].flatMap(OutputFormat.init) ?? .json }
}
