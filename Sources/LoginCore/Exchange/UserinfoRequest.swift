/// A request for what a provider says of whoever signed in (OpenID Connect Core section 5.3.1): the token goes in
/// the header field and nowhere else (RFC 6750 section 2.1, RFC 9700 section 4.3.2). Where a form carries the id_token
/// in its place, as VK ID has it, the access token goes nowhere.
public struct UserinfoRequest: Sendable {
  /// The request.
  public let httpRequest: HTTPRequest

  /// Refuses a provider without such an endpoint, and a token that no header field can carry.
  public init(_ token: Token, at provider: Provider, clientID: String) throws(Failure) {
    let endpoint = try provider.endpoint(.userinfo)
    var token = token
    token.authorizationScheme = provider.authorizationScheme
    httpRequest = try provider.userinfoRequest.request(
      to: endpoint, with: token, clientID: clientID, headers: provider.headers)
  }
}
