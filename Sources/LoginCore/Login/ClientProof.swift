/// The parts of a request by which a client authenticates (RFC 6749 section 2.3.1).
struct ClientProof {
  let headers: ParameterList
  /// The client's identifier, if it is a parameter.
  let identifier: [Parameter]
  /// The secret, if it is a parameter. It must never go into a URL.
  let secret: [Parameter]

  /// Everything that goes into a form.
  var form: [Parameter] { identifier + secret }

  init(of login: LoginRequest) {
    let secret = login.clientSecret?.revealed() ?? ""
    switch login.clientAuthentication {
    case .basic:
      // Both halves are form-encoded first, so that a colon in the identifier does not end it.
      let pair = FormEncoding.encode(login.clientID) + ":" + FormEncoding.encode(secret)
      headers = [Parameter("Authorization", "Basic \(Base64.encode(pair.utf8))")]
      identifier = login.namesClient ? [Parameter("client_id", login.clientID)] : []
      self.secret = []
    case .post:
      (headers, identifier) = ([], [Parameter("client_id", login.clientID)])
      // An empty secret is not sent (RFC 6749 section 2.3.1): some providers take it for a wrong one.
      self.secret = secret.isEmpty ? [] : [Parameter("client_secret", secret)]
    case .none, .privateKeyJWT:
      // An assertion is added to each attempt: see ``ClientAssertionTransport``.
      (headers, identifier, self.secret) = ([], [Parameter("client_id", login.clientID)], [])
    }
  }
}

extension HTTPRequest {
  /// Creates a form with which the client authenticates. A form that already has a `client_id` gets no second one.
  init(post form: [Parameter], to endpoint: Endpoint, provingClientOf login: LoginRequest) {
    let proof = ClientProof(of: login)
    let isNamed = form.contains { $0.name == "client_id" }
    self.init(
      post: form + (isNamed ? proof.secret : proof.form), to: endpoint,
      headers: proof.headers + login.provider.headers)
  }
}
