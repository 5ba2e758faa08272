/// An authorization request that goes to the provider by a way of its own, so that the browser carries no more than
/// its name (RFC 9126 section 2.1).
public struct PushedAuthorizationRequest: Sendable {
  /// The request, with the client's proof of itself.
  public let httpRequest: HTTPRequest

  /// `parameters` are those that the browser would carry.
  public init(_ parameters: [Parameter], for login: LoginRequest, at endpoint: Endpoint) {
    httpRequest = HTTPRequest(post: parameters, to: endpoint, provingClientOf: login)
  }
}

/// The name under which a provider keeps an authorization request, good for one use (RFC 9126 section 2.2).
public struct PushedAuthorizationResponse: Sendable {
  /// The name.
  public let requestURI: String

  /// Refuses errors and answers without a name.
  public init(_ response: HTTPResponse) throws(Failure) {
    let members = try EndpointAnswer.members(
      of: response, from: .pushedAuthorizationRequest, accepting: [200, 201])
    guard let name = members["request_uri"]?.string, !name.isEmpty,
      !name.unicodeScalars.contains(where: \.isControl)
    else {
      throw .network(.badResponse(.missing("request_uri", from: .pushedAuthorizationRequest)))
    }
    requestURI = name
  }
}
