/// A request for a code that the user types in on another device (RFC 8628 section 3.1).
public struct DeviceAuthorizationRequest: Sendable {
  /// The request, with the client's proof of itself.
  public let httpRequest: HTTPRequest

  /// Refuses a provider without a device authorization endpoint.
  public init(_ login: LoginRequest) throws(Failure) {
    let endpoint = try login.provider.endpoint(.deviceAuthorization)
    let scope = login.scope.map { [Parameter("scope", $0)] } ?? []
    let form = scope + login.provider.authorizationParameters + login.parameters
    // Some servers want the client named here even where it proves itself in a header.
    let named = ClientProof(of: login).form.isEmpty ? [Parameter("client_id", login.clientID)] : []
    httpRequest = HTTPRequest(post: form + named, to: endpoint, provingClientOf: login)
  }
}
