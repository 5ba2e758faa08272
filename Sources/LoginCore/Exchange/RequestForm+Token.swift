extension Provider.RequestForm {
  /// The request: the token is in the header field and nowhere else (RFC 6750 section 2.1, RFC 9700 section 4.3.2).
  /// An id_token in a form that is posted takes its place.
  func request(
    to endpoint: Endpoint, with token: Token, clientID: String, headers: [Parameter]
  ) throws(Failure) -> HTTPRequest {
    let isProven = method == .post && members.contains("id_token")
    let headers = (isProven ? [] : [try Self.authorization(with: token)]) + headers
    let form = try Self.parameters(members, of: token, clientID)
    let query = try Self.parameters(query, of: token, clientID)
    return method == .post
      ? HTTPRequest(post: form, to: endpoint.adding(query), headers: headers)
      : HTTPRequest(get: endpoint.adding(query + form), headers: headers)
  }

  private static func authorization(with token: Token) throws(Failure) -> Parameter {
    guard let accessToken = token.accessToken else { throw .caller(.noAccessToken) }
    return try AuthorizationHeader(accessToken, scheme: token.scheme).field
  }

  /// What a provider wants to hear beside the token: the client, or what came with the token.
  private static func parameters(
    _ names: [String], of token: Token, _ clientID: String
  ) throws(Failure) -> [Parameter] {
    try names.map { name throws(Failure) in
      let value = name == "client_id" ? clientID : token.members[name]?.string ?? ""
      guard !value.isEmpty else { throw .caller(.noMember(name)) }
      return Parameter(name, value)
    }
  }
}
