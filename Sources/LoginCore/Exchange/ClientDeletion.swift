/// Tells a provider that a client it made is needed no more (RFC 7592 section 2.3).
public struct ClientDeletion: Sendable {
  /// The request, to the address that came with the client.
  public let httpRequest: HTTPRequest

  /// Refuses a token that no header can carry.
  public init(_ management: RegisteredClient.Management) throws(Failure) {
    httpRequest = HTTPRequest(
      delete: management.endpoint,
      headers: [try AuthorizationHeader(management.token, scheme: "Bearer").field])
  }

  /// Whether the client is gone: deleted now, or unknown already, which is 401 in section 2.3; not where the provider
  /// never deletes one, or not this one. Any other answer is a failure, after which it may still be there.
  public static func isDone(_ response: HTTPResponse) throws(Failure) -> Bool {
    switch response.status {
    case 200, 204, 401, 404: return true
    case 403, 405, 501: return false
    case 503:
      throw .provider(ProviderError(code: "temporarily_unavailable", remark: .clientNotDeleted))
    default:
      _ = try EndpointAnswer.members(of: response, from: .registration)
      return true
    }
  }
}
