/// Asks a provider who has signed in (OpenID Connect Core section 5.3).
public struct UserinfoSession: Sendable {
  private let dependencies: Dependencies

  /// Creates a session. One session can ask any number of times.
  public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// Returns the claims about the user of a token. If the token came with a verified id_token, they must be about the same
  /// user.
  public func userinfo(
    with token: Token, at provider: Provider, clientID: String
  ) async throws(Failure) -> UserinfoResponse {
    let transport = try dependencies.resourceTransport(for: token)
    let provider = try await provider.completed(needing: [.userinfo], through: dependencies.transport)
    let request = try UserinfoRequest(token, at: provider, clientID: clientID)
    let response = try await transport.send(request.httpRequest)
    do throws(Failure) {
      return try UserinfoResponse(response, subject: token.claims?["sub"]?.string)
    } catch {
      throw response.refusesToken ? error.with(kind: .refusedToken) : error
    }
  }
}

extension Dependencies {
  /// Returns what the provider says about the user of a token or, if it can only be asked about the token itself (RFC 7662),
  /// what it says about that. The caller may want that at any rate.
  package func answer(
    about token: Token, of login: LoginRequest, introspecting: Bool = false
  ) async throws(Failure) -> JSONObject {
    var login = login
    if !introspecting {
      login.provider = try await login.provider.completed(needing: [.userinfo], through: transport)
    }
    let endpoints = login.provider.endpoints
    if introspecting || endpoints[.userinfo] == nil && endpoints[.introspection] != nil {
      guard let accessToken = token.accessToken else { throw .noAccessToken }
      return try await IntrospectionSession(self).introspection(of: accessToken, for: login).members
    }
    return try await UserinfoSession(self).userinfo(
      with: token, at: login.provider, clientID: login.clientID
    ).json
  }
}

/// A request for claims about the user (OpenID Connect Core section 5.3.1). The token goes in the header field and in no
/// other place (RFC 6750 section 2.1, RFC 9700 section 4.3.2). If the provider wants the id_token in a form instead, as
/// VK ID does, the access token is not sent at all.
struct UserinfoRequest: Sendable {
  /// The HTTP request.
  let httpRequest: HTTPRequest

  /// Refuses a provider without a userinfo endpoint, and a token that a header field cannot carry.
  init(_ token: Token, at provider: Provider, clientID: String) throws(Failure) {
    let endpoint = try provider.endpoint(.userinfo)
    var token = token
    token.authorizationScheme = provider.authorizationScheme
    httpRequest = try provider.userinfoRequest.request(
      to: endpoint, with: token, clientID: clientID, headers: provider.headers)
  }
}

/// The claims of a provider about the user (OpenID Connect Core section 5.3.2).
public struct UserinfoResponse: Sendable {
  /// The claims, in the provider's own order and JSON types.
  public let claims: JSONObject
  /// True if the claims were found to be about the user of the id_token.
  package let isAboutKnownUser: Bool

  /// Refuses claims about another user than `subject`, who is the user of the id_token: the access token may have been
  /// swapped. Also refuses a signed or encrypted answer, which only a client that registered for it gets (section 5.3.2).
  init(_ response: HTTPResponse, subject: String?) throws(Failure) {
    guard !(300..<400).contains(response.status) else { throw .redirect(from: .userinfo) }
    if response.mediaType == "application/jwt" {
      throw .notOAuth("the userinfo is a JWT, which was not requested")
    }
    let answer = Result { () throws(Failure) in
      try JSONReader.members(of: response.body) { error -> Failure in
        .notJSON(error, in: response, from: .userinfo)
      }
    }
    if let refusal = (try? answer.get()).flatMap({ Failure.refusal($0, status: response.status) })
      ?? .refusal(response.challenges)
    {
      throw refusal
    }
    guard response.status == 200 else { throw .status(response.status, from: .userinfo) }
    claims = try answer.get()
    if let subject, claims["sub"]?.string?.isIdentical(to: subject) != true {
      throw Failure(.subjectMismatch, "the userinfo is not about the user of the id_token")
    }
    isAboutKnownUser = subject != nil
  }

  /// The claims, and the check that was made.
  package var json: JSONObject {
    var object = claims
    object["checks"] = isAboutKnownUser ? ["sub": "verified"] : nil
    return object
  }
}

extension Failure.Kind {
  /// The provider does not take the access token.
  package static let refusedToken = Self(rawValue: "refused_token")
}

/// Claims are personal data.
extension UserinfoResponse: Redacted {}
