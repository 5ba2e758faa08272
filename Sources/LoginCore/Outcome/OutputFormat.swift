/// The shapes in which a token is handed over.
public enum OutputFormat: String, Sendable, CaseIterable {
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
  public func text(of token: Token, at now: UTCDate, user: String?) throws(Failure) -> String {
    let accessToken = token.accessToken.revealed()
    switch self {
    case .json:
      return token.json(at: now).text + "\n"
    case .token:
      return accessToken + "\n"
    case .header:
      return "Authorization: \(try AuthorizationHeader(token).value)\n"
    case .env:
      var lines = ["TOKENTRY_ACCESS_TOKEN": accessToken, "TOKENTRY_TOKEN_TYPE": token.type]
      if let expiresAt = token.expiresAt { lines["TOKENTRY_EXPIRES_AT"] = expiresAt.description }
      return lines.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.shellQuoted($0.value))\n" }.joined()
    case .xoauth2:
      let user = try checkUser(user) ?? ""
      let response = "user=\(user)\u{1}auth=\(try AuthorizationHeader(token).value)\u{1}\u{1}"
      return Base64.encode(response.utf8) + "\n"
    }
  }

  /// Refuses a user without whom, or with whom, there can be no answer of this shape.
  @discardableResult
  public func checkUser(_ user: String?) throws(Failure) -> String? {
    guard self == .xoauth2 else { return user }
    guard let user, !user.unicodeScalars.contains(where: \.isControl) else {
      throw .caller(
        .invalidConfiguration("--output xoauth2 needs to know the user", hint: "add --login-hint USER"))
    }
    return user
  }

  private static func shellQuoted(_ text: String) -> String {
    "'" + text.replacingAll("'", with: "'\\''") + "'"
  }
}
