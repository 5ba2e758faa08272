import LoginCore

extension CallerFault {
  var verdict: Verdict {
    switch self {
    case .malformed, .method, .header, .unknownVariable: .invalidOption
    case .originNotAllowed, .otherResource: .originNotAllowed
    default: .invalidConfiguration
    }
  }

  var saying: Saying {
    let client: Sentence = "add --client-id ID, which the provider gave your application"
    return switch self {
    case .noEndpoint(let name):
      Saying(
        "the provider's \(name.words) is not known",
        hint: name == .authorization
          ? "give --provider, --issuer or --authorization-endpoint"
          : "add \(name.flag) URL, or --issuer URL if the provider publishes its metadata")
    case .noClient: Saying("no client identifier was given", hint: client)
    case .noClientNorRegistration:
      Saying(
        "no client identifier was given, and no registration endpoint is known to get one from",
        hint: "\(client), or --registration-endpoint URL")
    case .noAuthorizationServer(let resource):
      Saying(
        "\(resource.forDisplay(limit: 200)) does not say which server issues its tokens",
        hint: "if you know that server, name it with --issuer URL or --provider NAME beside --resource")
    case .noClientWithoutRegistration(let issuer, let documentation):
      Saying(
        "there is no client identifier, and \(issuer) registers none by itself",
        hint: Self.registration(
          documentation?.forDisplay(limit: 200), (try? RedirectURI.onThisMachine(for: issuer))?.description))
    case .unprotectedWithoutState: "only the code flow with PKCE may leave out the state"
    case .tokenInQuery: "a token in the query could be seen by others"
    case .boundTokenWithoutCode: "only a token that comes in exchange for a code can be bound to a key"
    case .postedElsewhere:
      "response_mode form_post is for the loopback listener, so it needs a redirect URI on this machine"
    case .malformed(.state): "the state must be printable ASCII"
    case .malformed(.nonce): "the nonce must be printable ASCII"
    case .malformed(.initialAccessToken): "the initial access token must be visible ASCII"
    case .malformed(.codeVerifier): "the code verifier must be 43 to 128 letters, digits and -._~"
    case .repeatedParameter(let name):
      "the request would carry the parameter \"\(name.forDisplay(limit: 60))\" twice"
    case .unverifiableIDToken:
      Saying("an id_token cannot be verified without issuer and keys", hint: "add --issuer URL")
    case .opaqueIDTokenInCallback:
      "an id_token in the callback must be verified, and the preset says that it cannot be"
    case .responseTypeForDevice: "the device grant has no response type"
    case .clientWithoutSecret:
      Saying(
        "a client without a secret cannot get a token of its own",
        hint: "give it a secret with --client-secret-file or TOKENTRY_CLIENT_SECRET")
    case .proofAlgorithm(let name): "the provider does not accept proofs signed with \(name)"
    case .noProofKey:
      Saying(
        "the key that the token is bound to is missing",
        hint: "keep the dpop_jwk that login prints with the token")
    case .malformedProofKey: "dpop_jwk is not a private key on the curve P-256"
    case .noAccessToken: "there is no access token to ask with"
    case .noMember(let name): "there is no \(name.forDisplay(limit: 60)), which this provider wants to hear"
    case .method(let name): "\"\(name.forDisplay(limit: 60))\" is not a request method"
    case .header(let name, let fault): "the header field \(name.forDisplay(limit: 60)): \(fault.words)"
    case .originNotAllowed(let origin):
      Saying(
        "this provider's tokens may not be sent to \(origin)",
        hint: "if the token is meant for that server, add --allow-origin \(origin)")
    case .otherResource(let address):
      Saying(
        "the account's token is for another API than \(Redaction.address(address).forDisplay(limit: 200))",
        hint: "`tokentry login --resource URL` signs in to an API")
    case .noVariable(let name, let meaning):
      Saying(
        "the preset needs the variable \(name)",
        hint: "--var \(name)=VALUE (\(meaning.forDisplay(limit: 100)))")
    case .unknownVariable(let name, let nearest):
      Saying(
        "the preset has no variable \"\(name.forDisplay(limit: 60))\"", hint: nearest.map(didYouMean))
    case .unfitVariables(let reason): "the values given for the preset do not fit: \(reason.words)"
    case .issuer(let issuer, let fault): "the issuer \(issuer) is \(fault.words)"
    }
  }
}

extension CallerFault {
  /// How one comes to a client at a server that registers none by itself.
  private static func registration(_ documentation: String?, _ redirectURI: String?) -> Sentence {
    switch (documentation, redirectURI) {
    case (let page?, let address?):
      "have one made there (see \(page)), with the redirect URI \(address), and add --client-id ID"
    case (let page?, nil): "have one made there (see \(page)) and add --client-id ID"
    case (nil, let address?): "have one made there, with the redirect URI \(address), and add --client-id ID"
    case (nil, nil): "have one made there and add --client-id ID"
    }
  }
}

extension EndpointName {
  /// What people call it.
  var words: Sentence {
    switch self {
    case .authorization: "authorization endpoint"
    case .token: "token endpoint"
    case .userinfo: "userinfo endpoint"
    case .revocation: "revocation endpoint"
    case .introspection: "introspection endpoint"
    case .registration: "registration endpoint"
    case .endSession: "end-session endpoint"
    case .deviceAuthorization: "device authorization endpoint"
    case .pushedAuthorizationRequest: "pushed authorization request endpoint"
    case .keySet: "key set"
    }
  }

  /// The option that says where it is.
  package var flag: String { "--" + rawValue.replacingAll("_", with: "-") }
}

extension HeaderFault {
  var words: Sentence {
    switch self {
    case .reserved: "the request sets this field itself"
    case .name: "this is not a header name"
    case .controlCharacters: "its value has control characters"
    }
  }
}

/// The hint of a name that is nearly right.
func didYouMean(_ name: String) -> Sentence { "did you mean \(name)?" }
