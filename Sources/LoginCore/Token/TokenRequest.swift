/// A request for a token at the token endpoint (RFC 6749 sections 4.1.3 and 6).
public struct TokenRequest: Sendable {
  /// What the token is asked for with.
  public enum Grant: Sendable {
    /// A code, which is used once, with the redirect URI and the verifier of the request that it answers.
    case code(AuthorizationCode, redirectURI: RedirectURI, verifier: CodeVerifier?)
    /// A refresh token.
    case refresh(RefreshToken)
  }

  /// The request, with the client's proof of itself in one place (RFC 6749 section 2.3).
  public let httpRequest: HTTPRequest

  /// Refuses a provider without a token endpoint.
  public init(_ grant: Grant, for login: LoginRequest) throws(Failure) {
    guard let endpoint = login.provider.endpoints[.token] else {
      throw .caller(.invalidConfiguration("there is no token endpoint", hint: "add --token-endpoint URL"))
    }
    var form: [Parameter]
    switch grant {
    case .code(let code, let redirectURI, let verifier):
      form = [
        Parameter("grant_type", "authorization_code"), Parameter("code", code.revealed()),
        Parameter("redirect_uri", redirectURI.description),
      ]
      if let verifier { form.append(Parameter("code_verifier", verifier.revealed())) }
    case .refresh(let token):
      form = [Parameter("grant_type", "refresh_token"), Parameter("refresh_token", token.revealed())]
    }
    form += login.parameters.filter { $0.name == "resource" } + login.provider.tokenParameters
    let proof = ClientProof(of: login)
    httpRequest = HTTPRequest(
      post: form + proof.form, to: endpoint, headers: proof.headers + login.provider.headers)
  }
}

/// What a request carries so that the provider knows which client makes it (RFC 6749 section 2.3.1).
struct ClientProof {
  let headers: [Parameter]
  let form: [Parameter]

  init(of login: LoginRequest) {
    let secret = login.clientSecret?.revealed() ?? ""
    switch login.clientAuthentication {
    case .basic:
      // Both halves are form-encoded first, so that a colon in the identifier does not end it.
      let pair = FormEncoding.encode(login.clientID) + ":" + FormEncoding.encode(secret)
      headers = [Parameter("Authorization", "Basic \(Base64.encode(pair.utf8))")]
      form = []
    case .post:
      headers = []
      form = [Parameter("client_id", login.clientID), Parameter("client_secret", secret)]
    case .none:
      headers = []
      form = [Parameter("client_id", login.clientID)]
    }
  }
}
