import LoginCore

/// The formats in which a token is printed.
enum OutputFormat: String, Sendable, CaseIterable {
  /// The object of RFC 6749 section 5.1.
  case json
  /// The access token alone.
  case token
  /// The id_token alone.
  case idToken = "id_token"
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
    case (.idToken, _):
      guard let idToken = token.idToken else {
        throw Failure.missingToken(["id_token"]).with(hint: Self.openIDHint)
      }
      return idToken + "\n"
    case (_, nil):
      throw .missingToken(["access_token"])
    case (.token, let accessToken?):
      return accessToken.revealed() + "\n"
    case (.header, _):
      return "Authorization: \(try AuthorizationHeader(token).value)\n"
    case (.env, let accessToken?):
      var lines = ["TOKENTRY_ACCESS_TOKEN": accessToken.revealed()]
      lines["TOKENTRY_TOKEN_TYPE"] = token.type
      lines["TOKENTRY_EXPIRES_AT"] = token.expiresAt?.description
      return Self.assignments(lines)
    case (.xoauth2, _):
      let user = try checkUser(user) ?? ""
      let authorization = try AuthorizationHeader(token)
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

  private static let openIDHint: Failure.Hint = "sign in with openid in --scope"

  /// Throws if this format needs a token that the answer to this request cannot have.
  func check(_ request: LoginRequest) throws(Failure) {
    guard self == .idToken else { return try checkResponseType(request.responseType) }
    if request.asksForIDToken || request.provider.hasOpaqueIDToken { return }
    throw Failure(
      .invalidConfiguration, "--output \(rawValue) needs an id_token, and the request brings none",
      hint: Self.openIDHint)
  }

  /// Throws if this format needs an access token, and an answer of this type has none.
  func checkResponseType(_ type: ResponseType) throws(Failure) {
    guard self == .json || self == .idToken || type.includesToken || type.includesCode else {
      throw Failure(
        .invalidConfiguration,
        "--output \(rawValue) needs an access token, which response_type \(type.description) does not return")
    }
  }

  /// Throws if the token is bound to a key, and this format has no place for the key. Without it the token is useless.
  func checkBinding(_ isBound: Bool) throws(Failure) {
    guard isBound, self != .json, self != .idToken else { return }
    throw Failure(
      .invalidConfiguration, "--output \(rawValue) cannot include the key that the token is bound to",
      hint: "use --output json, or send the request with `tokentry request`")
  }

  private static func assignments(_ values: [String: String]) -> String {
    values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.shellWord)\n" }.joined()
  }
}

extension String {
  /// The text as one word of a shell.
  var shellWord: String { "'" + replacingAll("'", with: "'\\''") + "'" }

  /// The same, without quotes if a shell leaves the text as it is.
  var shellWordIfNeeded: String {
    let isPlain = !isEmpty && utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_./:=,@+%".utf8.contains($0) }
    return isPlain ? self : shellWord
  }
}

/// Failures.
extension OutputFormat {
  /// Returns how a caller that wants this format learns of a failure. The format may not exist: the caller may then have
  /// wanted text.
  static func refusal(named name: String) -> Refusal { OutputFormat(rawValue: name)?.refusal ?? .silent }

  var refusal: Refusal {
    switch self {
    case .json: .json
    case .env: Refusal { Self.assignments(of: $0) }
    case .token, .idToken, .header, .xoauth2: .silent
    }
  }

  /// The error for a shell, on lines that other programs can read as well.
  private static func assignments(of report: Report) -> String {
    let error = report.json
    return assignments([
      "TOKENTRY_ERROR": (error["error"]?.string ?? "").forDisplay(limit: 2_000),
      "TOKENTRY_ERROR_DESCRIPTION": (error["error_description"]?.string ?? "").forDisplay(limit: 2_000),
    ])
  }
}
