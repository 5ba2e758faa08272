/// A sign-in that a server has begun, and that this process or another one finishes when the browser comes back: the
/// address of the provider's page, and the values that the answer has to match.
///
/// It holds secrets. Keep it where only your servers can read it, and only for the browser that began the sign-in: in
/// that browser's session on the server, or in a cookie that you encrypt. It is `Codable`, and does not print itself. It
/// finishes more than once unless you delete it when the browser comes back.
public struct PendingLogin: Sendable, MemberCoded {
  /// The address of the provider's page, to which the browser is redirected.
  public private(set) var url = ""
  /// The time from which on it cannot be finished.
  public private(set) var expiresAt = UTCDate.epoch
  private var server = ""
  private var clientID = ""
  private var redirectURI: RedirectURI?
  private var scope: String?
  private var parameters = ParameterList()
  private var state: OAuthState?
  private var nonce: Nonce?
  private var verifier: CodeVerifier?
  private var proofKey: JSONObject?

  package init() {}

  package mutating func code(_ coder: inout MemberCoder) {
    var version = 1
    coder.required("version", &version, .number(in: 1...1))
    coder.required("url", &url, .text)
    coder.required("expires_at", &expiresAt, .date)
    coder.required("server", &server, .text)
    coder.required("client_id", &clientID, .text)
    coder.required("redirect_uri", &redirectURI, .address(RedirectURI.init(parsing:)))
    coder.text("scope", &scope)
    coder.value("parameters", &parameters, else: [], .list(.pair))
    coder.required("state", &state, .secret())
    coder.value("nonce", &nonce, .secret())
    coder.value("code_verifier", &verifier, .secret())
    coder.value("dpop_jwk", &proofKey, .members)
  }
}

extension PendingLogin {
  /// Begins a login. A pushed request is sent now.
  package init(
    _ wanted: LoginRequest, lifetime: Int64, _ dependencies: Dependencies
  ) async throws(Failure) {
    try wanted.validate(for: .page)
    try wanted.requireAnswerForServer()
    let begun = try await BegunLogin(wanted, dependencies)
    let login = begun.login
    url = try await begun.visit().url
    let now = dependencies.clock.now()
    expiresAt = now.adding(seconds: max(0, lifetime)) ?? now
    (server, clientID, redirectURI) = (wanted.provider.identity, login.clientID, login.redirectURI)
    (scope, parameters) = (login.scope, login.parameters)
    let binding = begun.request.binding
    (state, nonce, verifier) = (binding.state, binding.nonce, binding.verifier)
    proofKey = try login.proofKey?.privateKey()
  }

  /// Returns the token if `callback` answers this login. It is the address at which the browser came back, or its part
  /// from the path on. `client` is the client that began the login.
  package func token(
    from callback: String, of client: LoginRequest, _ dependencies: Dependencies
  ) async throws(Failure) -> Token {
    guard dependencies.clock.now() < expiresAt else { throw .loginTooOld }
    let login = try login(of: client).withKeptKey(proofKey, dependencies.cryptography)
    let arrival = try login.arrival(at: callback)
    let begun = try await BegunLogin(login, dependencies)
    return try await begun.token(of: arrival, receivedAt: dependencies.clock.now())
  }

  /// Returns the request as it was begun. All that an answer is compared with comes from here, and not from the client.
  private func login(of client: LoginRequest) throws(Failure) -> LoginRequest {
    guard client.provider.identity.isIdentical(to: server), client.clientID.isIdentical(to: clientID),
      let redirectURI
    else { throw .loginOfOtherClient }
    var login = client
    (login.redirectURI, login.scope, login.parameters) = (redirectURI, scope, parameters)
    login.fixed = LoginRequest.FixedValues(state: state, nonce: nonce, codeVerifier: verifier)
    try login.requireAnswerForServer()
    return login
  }
}

/// One text, so that the members stay our own matter.
extension PendingLogin: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = Array(try container.decode(String.self).utf8)
    guard let members = (try? JSONReader.read(text))?.object, let read = try? Self(strict: members) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "this is not a pending sign-in of this version")
    }
    self = read
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(json.text)
  }
}

extension PendingLogin: Redacted {}

extension Provider {
  /// The issuer, or else the page to which users are sent.
  fileprivate var identity: String { (issuer?.description ?? endpoints[.authorization]?.description) ?? "" }
}

extension LoginRequest {
  /// Refuses a login whose answer a server would not see, or could not compare with a browser's session.
  fileprivate func requireAnswerForServer() throws(Failure) {
    guard grant == .code, responseType == .code, effectiveResponseMode == .query, !omitsState else {
      throw Failure(
        .invalidConfiguration, "a server can only finish a sign-in with a code and a state in the query")
    }
  }

  /// Returns the callback in the address of a request to the redirect URI.
  fileprivate func arrival(at address: String) throws(Failure) -> Arrival {
    let isPath = address.utf8.first == UInt8(ascii: "/")
    let uri = (isPath ? redirectURI.target?.origin ?? "" : "") + address
    switch NavigationPolicy(of: self).decision(for: Array(uri.utf8)) {
    case .callback(let callback): return .callback(callback)
    case .allow, .ignore, .errorPage: throw .malformedCallback("its address is not the redirect URI")
    }
  }
}

extension Failure {
  /// The browser came back after the time that a pending login was given.
  static let loginTooOld = Failure(.timeout, "the sign-in began too long ago")
  /// A pending login is another client's.
  static let loginOfOtherClient = Failure(
    .invalidConfiguration, "the sign-in was begun by another client or at another provider")
}
