/// An answer of the token endpoint that holds a token (RFC 6749 section 5.1), not yet looked into.
///
/// Strict where a token is at stake, tolerant where it is only an error message.
public struct TokenResponse: Sendable {
  /// What the provider sent, in its own order and JSON types.
  public private(set) var members: JSONObject

  /// Refuses errors, and what is no answer of OAuth.
  public init(_ response: HTTPResponse) throws(Failure) {
    guard !(300..<400).contains(response.status) else {
      throw .network(.badResponse(.redirect(from: .token)))
    }
    if response.body.isEmpty, let refusal = Self.refusal(response.status) { throw refusal }
    let members = try Self.members(of: response)
    if let error = ProviderError(members, status: response.status) { throw .provider(error) }
    guard response.status == 200 || response.status == 201 else {
      if !Self.isForm(response), let refusal = Self.refusal(response.status) { throw refusal }
      throw .network(.badResponse(.status(response.status, from: .token)))
    }
    self.members = members
  }

  /// The same where it is known who has asked: a client may be refused because it has sent no secret.
  init(_ response: HTTPResponse, to login: LoginRequest) throws(Failure) {
    do throws(Failure) { try self.init(response) } catch {
      guard case .provider(let refusal) = error, login.clientSecret == nil, refusal.mayWantSecret else {
        throw error
      }
      throw .provider(
        ProviderError(
          code: refusal.code, description: refusal.description, uri: refusal.uri, remark: .noSecret,
          isTemporary: refusal.isTemporary))
    }
  }

  /// The two of RFC 6749 section 5.2: what stands between here and the provider answers with others, or with a page.
  private static func refusal(_ status: Int) -> Failure? {
    status == 400 || status == 401 ? .network(.refusedWithoutReason(status: status)) : nil
  }

  /// Keeps the type of a token that is renewed where the answer does not say it.
  mutating func keep(type: String?) {
    if let type, (members["token_type"]?.string ?? "").isEmpty { members["token_type"] = .string(type) }
  }

  /// The refresh token that the answer brings.
  var refreshToken: RefreshToken? {
    members["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : RefreshToken($0) }
  }

  /// Keeps a refresh token that the answer does not replace.
  public mutating func keep(_ old: RefreshToken) {
    if (members["refresh_token"]?.string ?? "").isEmpty { members["refresh_token"] = .string(old.revealed()) }
  }

  /// The state of the token request itself, which the answer repeats where the preset says so: always in the
  /// exchange of a code; in a refresh VK ID's may be empty, or not there.
  public func checkEcho(of state: State, ifThere isOptional: Bool = false) throws(Failure) {
    let received = members["state"]?.string
    if isOptional, (received ?? "").isEmpty { return }
    guard let received else { throw .untrusted(.stateMissing) }
    guard State(received) == state else { throw .untrusted(.stateMismatch) }
  }

  private static func members(of response: HTTPResponse) throws(Failure) -> JSONObject {
    if isForm(response) { return form(response.body) }
    return try JSONReader.members(of: response.body) { fault -> Failure in
      .network(.badResponse(.notJSON(fault.reason, in: response, from: .token)))
    }
  }

  /// Some providers answer with a form, and some of them call it plain text.
  private static func isForm(_ response: HTTPResponse) -> Bool {
    switch response.mediaType {
    case "application/x-www-form-urlencoded": true
    case "text/plain": response.body.first { $0 > 0x20 } != UInt8(ascii: "{") && !response.body.isEmpty
    default: false
    }
  }

  /// A form with a name given twice has no members at all, and so no token; nor has one that is too long to be sure.
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

extension ProviderError {
  /// Some providers have a code of their own for it, or call the request as a whole invalid.
  fileprivate var mayWantSecret: Bool {
    code == "invalid_client" || code == "unauthorized_client"
      || description?.lowercased().holds("secret") == true
  }

  /// The error in an answer of an endpoint, if there is one (RFC 6749 section 5.2).
  init?(_ members: JSONObject, status: Int) {
    guard let error = members["error"], let code = Self.code(error) else { return nil }
    self.init(
      code: code, description: (members["error_description"] ?? error.object?["message"])?.string,
      uri: members["error_uri"]?.string,
      isTemporary: status.isPassingStatus && !Self.decisions.contains(where: code.isIdentical))
  }

  /// Codes with which a server has decided, whatever its status says (RFC 6749 sections 4.1.2.1 and 5.2, RFC 8628
  /// section 3.5).
  private static let decisions = [
    "access_denied", "expired_token", "invalid_client", "invalid_grant", "invalid_request", "invalid_scope",
    "unauthorized_client", "unsupported_grant_type",
  ]

  /// Some have the errors of their other interfaces here as well: an object (Facebook, Google), a number, or just that
  /// there is one.
  private static func code(_ error: JSONValue) -> String? {
    switch error {
    case .string(let code): code.isEmpty ? nil : code
    case .number(let number): number.isZero ? nil : number.literal
    case .object(let members):
      ["type", "status", "code"].lazy.compactMap { members[$0].flatMap(code) }.first ?? "server_error"
    case .bool(true): "server_error"
    case .bool, .null, .array: nil
    }
  }
}
