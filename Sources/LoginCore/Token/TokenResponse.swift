/// A successful answer of the token endpoint (RFC 6749 section 5.1), whose members are not checked yet. ``Token``
/// checks them.
package struct TokenResponse: Sendable {
  /// The members, in the provider's order and JSON types.
  package private(set) var members: JSONObject

  /// An answer that was not OAuth, in the words of OAuth.
  init(members: JSONObject) { self.members = members }

  /// Reads the answer. Throws for an error, and for an answer that is not OAuth.
  package init(_ response: HTTPResponse) throws(Failure) {
    guard !(300..<400).contains(response.status) else { throw .redirect(from: .token) }
    if response.body.isEmpty, let refusal = Self.refusal(response.status) { throw refusal }
    let members = try Self.members(of: response)
    if let refusal = Failure.refusal(members, status: response.status) { throw refusal }
    guard response.status == 200 || response.status == 201 else {
      if !Self.isForm(response), let refusal = Self.refusal(response.status) { throw refusal }
      throw .status(response.status, from: .token)
    }
    self.members = members
  }

  /// Reads the answer to a login. If the client sent no secret, the failure says so where that may be the reason.
  init(_ response: HTTPResponse, to login: LoginRequest) throws(Failure) {
    do throws(Failure) { try self.init(response) } catch {
      throw error.explained(for: login)
    }
  }

  /// A refusal by one of the two statuses of RFC 6749 section 5.2. Other statuses come from proxies and gateways.
  private static func refusal(_ status: Int) -> Failure? {
    status == 400 || status == 401 ? .refusedWithoutReason(status: status) : nil
  }

  /// The refresh token of the answer.
  var refreshToken: RefreshToken? {
    members["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : RefreshToken($0) }
  }

  /// Keeps the type of the old token if the answer does not name one.
  mutating func keep(type: String?) {
    if let type, (members["token_type"]?.string ?? "").isEmpty { members["token_type"] = .string(type) }
  }

  /// Keeps the old refresh token if the answer does not replace it.
  mutating func keep(_ old: RefreshToken) {
    if (members["refresh_token"]?.string ?? "").isEmpty { members["refresh_token"] = .string(old.revealed()) }
  }

  /// Checks the state of the token request, which some providers repeat. In the answer to a code it has to be there;
  /// VK ID sends an empty one or none in the answer to a refresh.
  func checkEcho(of state: OAuthState, ifThere isOptional: Bool = false) throws(Failure) {
    let received = members["state"]?.string
    if isOptional, (received ?? "").isEmpty { return }
    guard let received else { throw .stateMissing }
    guard OAuthState(received) == state else { throw .stateMismatch }
  }

  /// Checks what was granted if the login asked for `authorization_details` (RFC 9396 section 7): the answer has to
  /// list it, and only with types that were asked for.
  func checkDetails(of login: LoginRequest) throws(Failure) {
    guard let text = login.parameter("authorization_details") else { return }
    let asked = Self.types(of: (try? JSONReader.read(Array(text.utf8)))?.array) ?? []
    let granted = Self.types(of: members["authorization_details"]?.array) ?? []
    guard !granted.isEmpty, granted.allSatisfy({ type in asked.contains(where: type.isIdentical) }) else {
      throw .missingToken(["authorization_details"])
    }
  }

  /// Returns the types of authorization details, or nil if one of the details has no type.
  private static func types(of details: [JSONValue]?) -> [String]? {
    let types = details?.compactMap { $0.object?["type"]?.string }
    return types?.count == details?.count ? types : nil
  }

  private static func members(of response: HTTPResponse) throws(Failure) -> JSONObject {
    if isForm(response) { return form(response.body) }
    return try JSONReader.members(of: response.body) { error -> Failure in
      .notJSON(error, in: response, from: .token)
    }
  }

  /// Some providers answer with a form, and some of those call it plain text.
  private static func isForm(_ response: HTTPResponse) -> Bool {
    switch response.mediaType {
    case "application/x-www-form-urlencoded": true
    case "text/plain": response.body.first { $0 > 0x20 } != UInt8(ascii: "{") && !response.body.isEmpty
    default: false
    }
  }

  /// Returns the members of a form. A form that repeats a name counts as empty, and so does one that is too long to
  /// check.
  private static func form(_ body: [UInt8]) -> JSONObject {
    guard let list = ParameterList(form: body, upTo: Callback.maximumParameters), list.repeatedName == nil
    else {
      return JSONObject()
    }
    var members = JSONObject()
    for parameter in list.parameters { members[parameter.name] = .string(parameter.value) }
    if members["expires_in"] == nil { members["expires_in"] = members["expires"] }
    return members
  }
}

extension Failure {
  static let stateMissing = Failure(.stateMissing, "the callback has no state")
  static let stateMismatch = Failure(.stateMismatch, "the callback has the state of another request")
}

extension Dependencies {
  /// Returns the token in an answer that has just arrived for a token request.
  func token(
    _ answer: TokenResponse, to login: LoginRequest, callback: [Parameter] = [], checks: Checks = Checks()
  ) throws(Failure) -> Token {
    note(lifetime: answer.members["expires_in"])
    return try Token(answer, to: login, callback: callback, checks: checks, receivedAt: clock.now())
  }

  /// Calls ``onUnreadableLifetime`` if the `expires_in` of an answer cannot be read.
  func note(lifetime: JSONValue?) {
    if !Token.isMissing(lifetime), lifetime.flatMap(Token.seconds) == nil { onUnreadableLifetime() }
  }
}

extension Token {
  /// Creates the token in the answer to a token request. `callback` holds the parameters of the callback that become
  /// members of the token.
  package init(
    _ response: TokenResponse, to login: LoginRequest, callback: [Parameter] = [], checks: Checks = Checks(),
    receivedAt: UTCDate
  ) throws(Failure) {
    let members = response.members
    let provider = login.provider
    let lifetime = members["expires_in"].flatMap(Self.seconds)
    let missing = provider.requiredTokenMembers.filter { name in
      name == "expires_in" ? lifetime == nil : Self.isMissing(members[name])
    }
    guard missing.isEmpty, let accessToken = try Self.text("access_token", in: members),
      let named = try Self.text("token_type", in: members) ?? provider.tokenType
    else { throw .missingToken(missing) }
    let type = provider.bearerTokenTypes.contains(where: named.isIdentical) ? "Bearer" : named
    // A token that should be bound to a key and is not could be used by a thief (RFC 9449 section 5).
    let isBound = login.proofKey != nil || provider.bindsTokens
    guard type.lowercased() == (isBound ? "dpop" : "bearer") || Self.isForAnotherUse(type, members, login)
    else {
      if !isBound { throw .unsupportedTokenType(type) }
      throw Failure(.unsupportedTokenType, "the token is not bound to the key of this login")
    }

    var passed = JSONObject()
    for parameter in callback { passed[parameter.name] = .string(parameter.value) }
    for member in members where !Self.neverPassedOn.contains(member.name) {
      // Some providers send null or the like for no refresh token.
      if member.name == "refresh_token", member.value.string == nil { continue }
      passed[member.name] = member.value
    }
    self.init(
      accessToken: AccessToken(accessToken), type: type, expiresAt: nil, members: passed, checks: checks)
    setExpiresIn(lifetime, from: receivedAt)
    authorizationScheme = provider.authorizationScheme
    proofKey = try login.proofKey?.privateKey()
  }

  /// True for a token that was exchanged for something else than an access token: it has the type `N_A` (RFC 8693 section
  /// 2.2.1), and is of the kind that was requested.
  private static func isForAnotherUse(_ type: String, _ members: JSONObject, _ login: LoginRequest) -> Bool {
    guard let requested = login.parameter(TokenRequest.TokenType.requested),
      let issued = members["issued_token_type"]?.string
    else { return false }
    return type.lowercased() == TokenRequest.TokenType.none && issued.isIdentical(to: requested)
      && !issued.isIdentical(to: TokenRequest.TokenType.usual)
  }

  fileprivate static func isMissing(_ value: JSONValue?) -> Bool {
    switch value {
    case nil, .null, .string(""): true
    default: false
    }
  }

  /// Returns a member that will be sent to servers, so it must be text without control characters.
  private static func text(_ name: String, in members: JSONObject) throws(Failure) -> String? {
    guard let value = members[name], !isMissing(value) else { return nil }
    guard let text = value.string, isLine(text) else {
      throw .notText(name, from: .token)
    }
    return text
  }
}

extension Failure {
  /// The refusal of a login's client, with a hint at its secret if that may be the reason.
  fileprivate func explained(for login: LoginRequest) -> Failure {
    if login.clientKey != nil { return self }
    if login.clientSecret == nil { return remarkingMissingSecret }
    return code == .invalidClient && hint == nil ? with(hint: .checkSecret) : self
  }
}
