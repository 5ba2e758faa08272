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

  /// Whether the client is gone: deleted now, or unknown already.
  public static func succeeded(_ response: HTTPResponse) -> Bool {
    [200, 204, 401, 404].contains(response.status)
  }
}
