/// A client that a provider made for us (RFC 7591 section 3.2.1), to be kept like a token.
public struct RegisteredClient: Sendable, Equatable {
  /// Its identifier.
  public let clientID: String
  /// What it shares with the provider, if anything.
  public let secret: ClientSecret?
  /// How it proves itself: the provider may have chosen otherwise than was asked.
  public let authentication: ClientAuthentication
  /// The redirect URI that it was registered for, with the port where that is on this machine: some servers compare it.
  public internal(set) var redirectURI: RedirectURI?
  /// What its tokens may be good for, as far as somebody has said so: what was asked for when it was registered, and
  /// what the provider has made of that. Nothing where nobody has.
  package internal(set) var scope: String?
  /// When the secret ends; nothing if it does not.
  public let secretExpiresAt: UTCDate?
  /// Where the client is read, changed and deleted, and what for (RFC 7592 section 2).
  public let management: Management?

  /// How a registration is managed (RFC 7592 section 3).
  public struct Management: Sendable, Equatable {
    /// The address, used as it came.
    public let endpoint: Endpoint
    /// What it takes.
    public let token: AccessToken
  }

  /// Whether the secret is no longer good at `now`, so that the client has to be registered again.
  public func isExpired(at now: UTCDate) -> Bool { secretExpiresAt.map { $0 <= now } ?? false }

  /// Whether a login can be made with it: its secret is good, and it may ask for the scope. A server may refuse a client
  /// more than it was registered for (RFC 7591 section 2).
  package func serves(_ login: LoginRequest, at now: UTCDate) -> Bool {
    guard !isExpired(at: now) else { return false }
    guard let scope, let wanted = login.scope else { return true }
    return LoginRequest.union(scope, wanted).isIdentical(to: LoginRequest.union(scope, ""))
  }
}

/// Reading the answer of a registration endpoint.
extension RegisteredClient {
  /// Refuses errors, answers without an identifier, and a client whose answers would go elsewhere than was asked.
  public init(_ response: HTTPResponse, to request: RegistrationRequest) throws(Failure) {
    let members = try EndpointAnswer.members(
      of: response, from: .registration, accepting: [200, 201])
    guard let clientID = try Self.text("client_id", in: members) else {
      throw Self.fault(.missing("client_id", from: .registration))
    }
    if let registered = members["redirect_uris"] {
      let same = registered.array?.compactMap(\.string) ?? []
      let asked = request.redirectURIs.map(\.description)
      guard same.count == asked.count, asked.allSatisfy({ uri in same.contains { $0.isIdentical(to: uri) } })
      else { throw Self.fault(.otherRedirectURIs) }
    }
    let secret = try Self.text("client_secret", in: members).map { ClientSecret($0) }
    let authentication: ClientAuthentication
    if let name = try Self.text("token_endpoint_auth_method", in: members) {
      guard let method = ClientAuthentication.registered(as: name) else {
        throw Self.fault(.clientAuthentication(name))
      }
      authentication = method
    } else {
      // RFC 7591 section 2: without a word it is Basic, which needs something to prove.
      authentication = secret == nil ? .none : .basic
    }
    if authentication != .none, secret == nil {
      throw Self.fault(.missing("client_secret", from: .registration))
    }
    self.init(
      clientID: clientID, secret: secret, authentication: authentication,
      redirectURI: request.redirectURIs.first,
      scope: Self.scope(members["scope"]?.string, asked: request.scope),
      secretExpiresAt: secret == nil ? nil : try Self.expiry(in: members),
      management: try Self.management(in: members, from: request.httpRequest.endpoint))
  }

  /// What a server answers may be less than what it then allows, so what was asked for counts as well: nobody is helped
  /// by another client whose scope is cut in the same way.
  private static func scope(_ answered: String?, asked: String?) -> String? {
    guard answered != nil || asked != nil else { return nil }
    return LoginRequest.union(asked, answered ?? "")
  }

  /// Zero is for ever (RFC 7591 section 3.2.1).
  private static func expiry(in members: JSONObject) throws(Failure) -> UTCDate? {
    let seconds = members["client_secret_expires_at"].flatMap(Token.seconds) ?? 0
    return seconds > 0 ? UTCDate(secondsSince1970: seconds) : nil
  }

  /// `server` is who names the address; what was kept has been judged before.
  private static func management(
    in members: JSONObject, from server: Endpoint?
  ) throws(Failure) -> Management? {
    guard let address = try text("registration_client_uri", in: members),
      let token = try text("registration_access_token", in: members)
    else { return nil }
    let endpoint = try failing(Endpoint(address, namedBy: server?.description ?? address)) {
      fault(.address("registration_client_uri", $0, from: .registration))
    }
    return Management(endpoint: endpoint, token: AccessToken(token))
  }

  private static func text(_ name: String, in members: JSONObject) throws(Failure) -> String? {
    switch members[name] {
    case nil, .null, .string(""): return nil
    case .string(let text) where !text.unicodeScalars.contains(where: \.isControl): return text
    default: throw fault(.notText(name, from: .registration))
    }
  }

  private static func fault(_ fault: ResponseFault) -> Failure { .network(.badResponse(fault)) }
}

/// Written to JSON and read back, under the names of the standard.
extension RegisteredClient {
  /// What is kept of the client, the secrets included.
  package var json: JSONObject {
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

  /// Reads what ``json`` wrote; nothing if that is not a client.
  package init?(json: JSONObject) {
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
