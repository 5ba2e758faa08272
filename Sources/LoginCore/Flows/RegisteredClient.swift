/// A client that a provider registered for us (RFC 7591 section 3.2.1). It is kept like a token.
public struct RegisteredClient: Sendable, Equatable {
  /// The identifier of the client.
  public let clientID: String
  /// The secret that client and provider share, if there is one.
  package let secret: ClientSecret?
  /// How the client authenticates, which the provider may have changed.
  package let authentication: ClientAuthentication
  /// The redirect URI as registered, with its port if it is on this machine: some servers compare that.
  package internal(set) var redirectURI: RedirectURI?
  /// The scope that the client may request: what the registration asked for, and what the provider answered. It is nil
  /// if neither has a scope.
  var scope: String?
  /// The time at which the secret expires, or nil if it does not.
  package let secretExpiresAt: UTCDate?
  /// The address for managing the registration (RFC 7592 section 2).
  let management: Management?

  /// The client configuration endpoint and its token (RFC 7592 section 3).
  struct Management: Sendable, Equatable {
    /// The endpoint, exactly as the provider sent it.
    let endpoint: Endpoint
    /// The registration access token.
    let token: AccessToken
  }

  /// True if the secret has expired. The client then has to be registered again.
  func isExpired(at now: UTCDate) -> Bool { secretExpiresAt.map { $0 <= now } ?? false }

  /// True if a login can use the client: its secret is good, and it may request the scope. A server may refuse a scope
  /// beyond that of the registration (RFC 7591 section 2).
  package func serves(_ login: LoginRequest, at now: UTCDate) -> Bool {
    guard !isExpired(at: now) else { return false }
    guard let scope, let wanted = login.scope else { return true }
    return LoginRequest.union(scope, wanted).isIdentical(to: LoginRequest.union(scope, ""))
  }
}

/// Reading the answer of a registration endpoint.
extension RegisteredClient {
  /// Refuses errors, answers without an identifier, a client that cannot do what was requested, and a secret that has expired.
  init(_ response: HTTPResponse, to request: RegistrationRequest, at now: UTCDate) throws(Failure) {
    let members = try EndpointAnswer.members(
      of: response, from: .registration, accepting: [200, 201])
    guard let clientID = try Self.text("client_id", in: members) else {
      throw .missing("client_id", from: .registration)
    }
    if let registered = members["redirect_uris"] {
      let same = registered.array?.compactMap(\.string) ?? []
      let asked = request.redirectURIs.map(\.description)
      guard same.count == asked.count, asked.allSatisfy({ uri in same.contains { $0.isIdentical(to: uri) } })
      else {
        throw .notOAuth("the provider registered other redirect URIs than requested")
      }
    }
    if let granted = members["response_types"] {
      let granted = granted.array?.compactMap(\.string).map(Self.words) ?? []
      guard request.responseTypes.map(Self.words).allSatisfy(granted.contains) else {
        throw .notOAuth("the provider registered other response types than requested")
      }
    }
    let secret = try Self.text("client_secret", in: members).map { ClientSecret($0) }
    let authentication: ClientAuthentication
    if let name = try Self.text("token_endpoint_auth_method", in: members) {
      guard let method = ClientAuthentication.registered(as: name) else {
        throw .notOAuth(
          "the provider registered the client with the authentication method \"\(name, upTo: 60)\"")
      }
      authentication = method
    } else {
      // RFC 7591 section 2: the default is Basic, but that takes a secret.
      authentication = secret == nil ? .none : .basic
    }
    if authentication != .none, secret == nil { throw .missing("client_secret", from: .registration) }
    self.init(
      clientID: clientID, secret: secret, authentication: authentication,
      redirectURI: request.redirectURIs.first,
      scope: Self.scope(members["scope"]?.string, asked: request.scope),
      secretExpiresAt: secret == nil ? nil : try Self.expiry(in: members),
      management: try Self.management(in: members, from: request))
    if isExpired(at: now) {
      throw .notOAuth("the secret of the client that the provider registered has expired")
    }
  }

  /// The words of a response type, in any order (RFC 6749 section 3.1.1).
  private static func words(_ responseType: String) -> Set<Substring> {
    Set(responseType.split(separator: " "))
  }

  /// The requested scope counts as well, because a server may answer with less than it then allows. Registering another
  /// client would not help: its scope would be cut in the same way.
  private static func scope(_ answered: String?, asked: String?) -> String? {
    guard answered != nil || asked != nil else { return nil }
    return LoginRequest.union(asked, answered ?? "")
  }

  /// Zero means that the secret does not expire (RFC 7591 section 3.2.1).
  private static func expiry(in members: JSONObject) throws(Failure) -> UTCDate? {
    let seconds = members["client_secret_expires_at"].flatMap(Token.seconds) ?? 0
    return seconds > 0 ? UTCDate(secondsSince1970: seconds) : nil
  }

  /// The `request` is nil for a kept client, whose address was checked when it came. An address at a third party is not used,
  /// or that party would get the token.
  private static func management(
    in members: JSONObject, from request: RegistrationRequest?
  ) throws(Failure) -> Management? {
    let name = "registration_client_uri"
    guard let address = try text(name, in: members),
      let token = try text("registration_access_token", in: members)
    else { return nil }
    let server = request?.httpRequest.endpoint.description ?? address
    let endpoint = try failing(Endpoint(address, namedBy: server)) { (reason: Message) in
      .notOAuth("the provider's \(name) is \(reason)")
    }
    if let request, !request.origins.contains(where: endpoint.origin.isIdentical) { return nil }
    return Management(endpoint: endpoint, token: AccessToken(token))
  }

  private static func text(_ name: String, in members: JSONObject) throws(Failure) -> String? {
    switch members[name] {
    case nil, .null, .string(""): return nil
    case .string(let text) where !text.unicodeScalars.contains(where: \.isControl): return text
    default: throw .notText(name, from: .registration)
    }
  }
}

/// The client as JSON, under the names of the standard. It is read by hand, with the checks of a registration's answer.
extension RegisteredClient {
  /// The client with its secrets.
  var json: JSONObject {
    [
      "client_id": .string(clientID), "token_endpoint_auth_method": .string(authentication.registeredName),
      "client_secret": secret.map { .string($0.revealed()) },
      "redirect_uris": redirectURI.map { .array([.string($0.description)]) },
      "scope": scope.map(JSONValue.string),
      "client_secret_expires_at": secretExpiresAt.map { .number(JSONNumber($0.secondsSince1970)) },
      "registration_client_uri": (management?.endpoint).map { .string($0.description) },
      "registration_access_token": (management?.token).map { .string($0.revealed()) },
    ]
  }

  /// Reads ``json``. Returns nil for anything else.
  init?(json: JSONObject) {
    guard let clientID = json["client_id"]?.string, !clientID.isEmpty,
      let authentication = json["token_endpoint_auth_method"]?.string.flatMap(
        ClientAuthentication.registered)
    else { return nil }
    do throws(Failure) {
      self.init(
        clientID: clientID, secret: json["client_secret"]?.string.map { ClientSecret($0) },
        authentication: authentication,
        redirectURI: json["redirect_uris"]?.array?.first?.string.flatMap { try? RedirectURI($0) },
        scope: json["scope"]?.string,
        secretExpiresAt: try Self.expiry(in: json),
        management: try Self.management(in: json, from: nil))
    } catch {
      return nil
    }
  }
}

extension ClientAuthentication {
  /// The `token_endpoint_auth_method` (RFC 7591 section 2).
  var registeredName: String {
    switch self {
    case .basic: "client_secret_basic"
    case .post: "client_secret_post"
    case .none: "none"
    case .privateKeyJWT: rawValue
    }
  }

  /// Returns nil for a method that is not supported. Keys are registered at the provider by hand.
  static func registered(as name: String) -> ClientAuthentication? {
    allCases.first { $0 != .privateKeyJWT && $0.registeredName.isIdentical(to: name) }
  }
}

extension Provider {
  /// The default authentication of a client: the preset's. Otherwise a client without a secret does not authenticate, and
  /// one with a secret uses Basic or post, the first of them that the metadata list.
  func usualAuthentication(hasSecret: Bool) -> ClientAuthentication {
    if let clientAuthentication { return clientAuthentication }
    guard hasSecret else { return .none }
    let listed = (clientAuthentications ?? []).compactMap(ClientAuthentication.registered)
    return [.basic, .post].first(where: listed.contains) ?? .basic
  }
}

/// The client of a login.
extension LoginRequest {
  /// Returns the request in the name of a registered client.
  package func made(by client: RegisteredClient) -> LoginRequest {
    var login = self
    // Servers that compare ports look for the client only in the body.
    login.namesClient = true
    login.clientID = client.clientID
    (login.clientSecret, login.clientKey) = (client.secret, nil)
    login.clientAuthentication = client.authentication
    return login
  }

  /// The request without its client.
  package var withoutClient: LoginRequest {
    var login = self
    login.clientID = ""
    (login.clientSecret, login.clientKey) = (nil, nil)
    return login
  }

  /// True if the login lacks a client and the provider might register one.
  package var mayRegister: Bool {
    clientID.isEmpty && (provider.endpoints[.registration] != nil || provider.issuer != nil)
  }

  /// True if the client identifier is the address of a document that describes the client.
  package var clientIsDocument: Bool {
    clientID.hasPrefix("https://") && (try? WebAddress(clientID)).map { $0.path != "/" } ?? false
  }
}
