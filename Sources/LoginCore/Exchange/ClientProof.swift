extension HTTPRequest {
  /// A form with the client's proof of itself; a client that the form names already is not named twice.
  init(post form: [Parameter], to endpoint: Endpoint, provingClientOf login: LoginRequest) {
    let proof = ClientProof(of: login)
    let isNamed = form.contains { $0.name == "client_id" }
    self.init(
      post: form + (isNamed ? proof.secret : proof.form), to: endpoint,
      headers: proof.headers + login.provider.headers)
  }
}

/// What a request carries so that the provider knows which client makes it (RFC 6749 section 2.3.1).
struct ClientProof {
  let headers: [Parameter]
  /// Who the client is, where that is a parameter.
  let identifier: [Parameter]
  /// The secret where it is a parameter: never in a URL.
  let secret: [Parameter]

  /// All of it in a form.
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
      self.secret = [Parameter("client_secret", secret)]
    case .none:
      (headers, identifier, self.secret) = ([], [Parameter("client_id", login.clientID)], [])
    }
  }
}
