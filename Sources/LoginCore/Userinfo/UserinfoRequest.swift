/// A request for what a provider says of whoever signed in (OpenID Connect Core section 5.3.1): the token goes in
/// the header field and nowhere else (RFC 6750 section 2.1, RFC 9700 section 4.3.2). Where a form carries the id_token
/// in its place, as VK ID has it, the access token goes nowhere.
public struct UserinfoRequest: Sendable {
  /// The request.
  public let httpRequest: HTTPRequest

  /// Refuses a provider without such an endpoint, and a token that no header field can carry.
  public init(_ token: Token, at provider: Provider, clientID: String) throws(Failure) {
    guard let endpoint = provider.endpoints[.userinfo] else {
      throw .caller(
        .invalidConfiguration(
          "there is no userinfo endpoint", hint: "add --userinfo-endpoint URL or --issuer URL"))
    }
    let form = provider.userinfoRequest
    let members = try Self.members(form.members, of: token, clientID)
    let isProven = form.method == .post && members.contains { $0.name == "id_token" }
    let headers = (isProven ? [] : [try Self.authorization(with: token)]) + provider.headers
    httpRequest =
      form.method == .post
      ? HTTPRequest(post: members, to: endpoint, headers: headers)
      : HTTPRequest(get: try endpoint.adding(members), headers: headers)
  }

  private static func authorization(with token: Token) throws(Failure) -> Parameter {
    guard let accessToken = token.accessToken else {
      throw .caller(.invalidConfiguration("there is no access token to ask with"))
    }
    return try AuthorizationHeader(accessToken, scheme: token.scheme).field
  }

  /// What a provider wants to hear beside the token: the client, or what came with the token.
  private static func members(
    _ names: [String], of token: Token, _ clientID: String
  ) throws(Failure) -> [Parameter] {
    var members: [Parameter] = []
    for name in names {
      let value = name == "client_id" ? clientID : token.members[name]?.string ?? ""
      guard !value.isEmpty else {
        throw .caller(
          .invalidConfiguration(
            "there is no \(name.forDisplay(limit: 60)), which this provider wants to hear"))
      }
      members.append(Parameter(name, value))
    }
    return members
  }
}
