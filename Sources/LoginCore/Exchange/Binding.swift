/// What binds an answer to its request, chosen anew for each: nobody else can know it.
public struct Binding: Sendable {
  /// Repeated by the callback.
  public let state: State?
  /// Repeated by the id_token.
  public let nonce: Nonce?
  /// Proves at the token endpoint who asked for the code.
  public let verifier: CodeVerifier?

  init(of login: LoginRequest, cryptography: any Cryptography) throws(Failure) {
    state = login.omitsState ? nil : try .chosen(login.fixed.state, orFrom: cryptography)
    let needsNonce = login.isForOpenID || login.fixed.nonce != nil
    nonce = needsNonce ? try .chosen(login.fixed.nonce, orFrom: cryptography) : nil
    let needsVerifier = login.responseType.includesCode && login.provider.pkce != .none
    verifier = needsVerifier ? try .chosen(login.fixed.codeVerifier, orFrom: cryptography) : nil
  }
}

extension LoginRequest {
  /// How long ago the user may have signed in, if the request says so.
  var maxAge: Int? {
    parameter("max_age").map { Int($0) ?? 0 }  // what is no number here must not pass for checked
  }

  /// Whether the request is one of OpenID Connect (Core sections 3.1.2.1 and 3.2.2.1), so that an id_token may
  /// come.
  package var isForOpenID: Bool {
    responseType.includesIDToken || (scope ?? "").parts(at: " ").contains("openid")
  }

  /// Whether an id_token has to come: with `response_type=token` none does, whatever the scope is.
  var asksForIDToken: Bool {
    responseType.includesIDToken || responseType.includesCode && isForOpenID
  }
}

extension Secret {
  /// The secret that was chosen for a run that can be repeated, else one that nobody can guess: 256 random
  /// bits, of which RFC 6749 section 10.10 demands 128 and recommends 160.
  static func chosen(_ fixed: Secret?, orFrom cryptography: any Cryptography) throws(Failure) -> Secret {
    if let fixed { return fixed }
    return Secret(Base64.encodeURLSafe(try cryptography.randomBytes(32)))
  }
}
