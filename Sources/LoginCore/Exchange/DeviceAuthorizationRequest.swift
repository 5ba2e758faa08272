/// A request for a code that the user types in on another device (RFC 8628 section 3.1).
public struct DeviceAuthorizationRequest: Sendable {
  /// The request, with the client's proof of itself.
  public let httpRequest: HTTPRequest

  /// Refuses a provider without a device authorization endpoint.
  public init(_ login: LoginRequest) throws(Failure) {
    guard let endpoint = login.provider.endpoints[.deviceAuthorization] else {
      throw .caller(.noEndpoint(.deviceAuthorization))
    }
    var form: [Parameter] = []
    if let scope = login.scope { form.append(Parameter("scope", scope)) }
    form += login.provider.authorizationParameters + login.parameters
    let proof = ClientProof(of: login)
    // Some servers want the client named here even where it proves itself in a header.
    let client = proof.form.isEmpty ? [Parameter("client_id", login.clientID)] : proof.form
    httpRequest = HTTPRequest(
      post: form + client, to: endpoint, headers: proof.headers + login.provider.headers)
  }
}
