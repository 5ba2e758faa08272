import LoginCore

/// The formats in which a token is printed.
enum OutputFormat: String, Sendable, CaseIterable {
  /// The object of RFC 6749 section 5.1.
  case json
  /// The access token alone.
  case token
  /// A header field for curl and similar programs.
  case header
  /// Assignments for a shell.
  case env
  /// The initial response of SASL XOAUTH2, in base64.
  case xoauth2

  /// Returns the text for standard output, with its line feed. `user` is the user of the mail server, for ``xoauth2``.
  func text(of token: Token, at now: UTCDate, user: String?) throws(Failure) -> String {
    try checkBinding(token.isBound)
    switch (self, token.accessToken) {
    case (.json, _):
      return token.json(at: now).text + "\n"
    case (_, nil):
      throw .missingToken(["access_token"])
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

  /// Returns the user, or throws if this format needs one and cannot use this one.
  @discardableResult
  func checkUser(_ user: String?) throws(Failure) -> String? {
    guard self == .xoauth2 else { return user }
    guard let user, !user.unicodeScalars.contains(where: \.isControl) else {
      throw Failure(
        .invalidConfiguration, "--output \(rawValue) needs to know the user",
        hint: "sign in with --login-hint USER")
    }
    return user
  }

  /// Throws if this format needs an access token, and an answer of this type has none.
  func checkResponseType(_ type: ResponseType) throws(Failure) {
    guard self == .json || type.includesToken || type.includesCode else {
      throw Failure(
        .invalidConfiguration,
        "--output \(rawValue) needs an access token, which response_type \(type.description) does not return")
    }
  }

  /// Throws if the token is bound to a key, and this format has no place for the key. Without it the token is useless.
  func checkBinding(_ isBound: Bool) throws(Failure) {
    guard isBound, self != .json else { return }
    throw Failure(
      .invalidConfiguration, "--output \(rawValue) cannot include the key that the token is bound to",
      hint: "use --output json, or send the request with `tokentry request`")
  }

  private static func shellQuoted(_ text: String) -> String {
    "'" + text.replacingAll("'", with: "'\\''") + "'"
  }
}

extension Settings {
  var output: OutputFormat { self[.output].flatMap(OutputFormat.init) ?? .json }
}
