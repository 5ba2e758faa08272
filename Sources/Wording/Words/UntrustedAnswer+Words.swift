import LoginCore

extension UntrustedAnswer {
  var code: String {
    switch self {
    case .stateMismatch: "state_mismatch"
    case .stateMissing: "state_missing"
    case .issuerMismatch, .issuerMissing, .metadataIssuerMismatch: "issuer_mismatch"
    case .metadata: "untrusted_metadata"
    case .duplicateParameter: "duplicate_parameter"
    case .malformedCallback: "malformed_callback"
    case .missingToken: "missing_token"
    case .unsupportedTokenType, .unboundToken, .unsendableToken: "unsupported_token_type"
    case .invalidIDToken: "invalid_id_token"
    case .nonceMismatch: "nonce_mismatch"
    case .subjectMismatch: "subject_mismatch"
    }
  }

  var words: Sentence {
    switch self {
    case .stateMismatch: "the callback carries the state of another request"
    case .stateMissing: "the callback carries no state"
    case .issuerMismatch: "the callback comes from a different authorization server than the one asked"
    case .issuerMissing: "the callback does not name the authorization server although this one always does"
    case .metadataIssuerMismatch: "the metadata belong to a different issuer than the one asked"
    case .metadata(let fault): fault.words
    case .duplicateParameter(let name):
      "the callback has the parameter \"\(name.forDisplay(limit: 60))\" twice"
    case .malformedCallback(let fault): "the callback is malformed: \(fault.words)"
    case .missingToken(let missing): "the answer lacks \(missing.verbatim.list)"
    case .unsupportedTokenType(let type):
      "tokens of the type \"\(type.forDisplay(limit: 60))\" are not supported"
    case .unboundToken: "the token is not bound to the key of this login"
    case .unsendableToken: "the token has characters that no header may carry"
    case .invalidIDToken(let fault): "the id_token cannot be trusted: \(fault.words)"
    case .nonceMismatch: "the id_token does not carry the nonce of this login"
    case .subjectMismatch: "the userinfo is not about the user of the id_token"
    }
  }

  var details: JSONObject? {
    switch self {
    case .missingToken(let missing), .malformedCallback(.missing(let missing)),
      .invalidIDToken(.missing(let missing)):
      missing.isEmpty ? nil : ["missing": .array(missing.map(JSONValue.string))]
    case .duplicateParameter(let name): ["parameter": .string(name.forDisplay(limit: 60))]
    case .metadata(let fault): fault.details
    default: nil
    }
  }
}

extension MetadataFault {
  fileprivate var words: Sentence {
    switch self {
    case .otherResource(let asked, let named):
      "the API at \(asked.forDisplay(limit: 200)) describes itself as another one: \(named.forDisplay(limit: 200))"
    case .otherIssuer(let asked, let named):
      "the metadata of \(asked.forDisplay(limit: 200)) belong to another issuer: \(named.forDisplay(limit: 200))"
    case .noS256(let issuer):
      "\(issuer.forDisplay(limit: 200)) does not say that it takes PKCE with S256, and nothing weaker is used"
    }
  }

  fileprivate var details: JSONObject {
    func shown(_ text: String) -> JSONValue { .string(text.forDisplay(limit: 200)) }
    return switch self {
    case .otherResource(let asked, let named): ["resource": shown(asked), "named": shown(named)]
    case .otherIssuer(let asked, let named): ["issuer": shown(asked), "named": shown(named)]
    case .noS256(let issuer): ["issuer": shown(issuer), "missing": ["code_challenge_methods_supported"]]
    }
  }
}

extension CallbackFault {
  var words: Sentence {
    switch self {
    case .bareCode: "it is only a code"
    case .missing(let names): "it lacks \(names.verbatim.list)"
    case .notText(let name): "\(name) is not text"
    case .notUTF8: "it is not UTF-8"
    case .tooLong: "it is longer than 256 KiB"
    case .tooManyParameters: "it has more than 256 parameters"
    case .stray: "it is not the answer to this login"
    }
  }
}

extension IDTokenFault {
  var words: Sentence {
    switch self {
    case .jose(let fault): fault.words
    case .algorithmNotAllowed(let algorithm): "it must not be signed with \(algorithm)"
    case .secretTooShort: "the client secret is too short for its algorithm"
    case .otherType(let type): "it is a token of the type \"\(type.forDisplay(limit: 60))\""
    case .malformedPayload(let fault): "its payload is not JSON: \(fault.words)"
    case .missing(let names): "it lacks \(names.verbatim.list)"
    case .malformedClaim(let name): "its \(name) is malformed"
    case .issuer: "it comes from another provider"
    case .audience: "it is not meant for this client alone"
    case .authorizedParty: "it was issued to another client"
    case .expired: "it has expired"
    case .notYetValid: "it is not valid yet"
    case .issuedInFuture: "it was issued in the future; is the clock right?"
    case .authenticationTooOld: "the user signed in longer ago than was asked for"
    case .authenticationContext: "the user signed in in another way than was asked for"
    case .accessTokenHash: "it belongs to another access token"
    case .codeHash: "it belongs to another code"
    case .otherUser: "it is about another user than the one in the callback"
    case .otherLogin(let name): "its \(name) is not that of the login that is being refreshed"
    }
  }
}

extension JOSEFault {
  var words: Sentence {
    switch self {
    case .encrypted: "it is encrypted, which was not asked for"
    case .notThreeParts: "it does not have three parts"
    case .notBase64URL: "a part of it is not base64url"
    case .malformedHeader: "its header is malformed"
    case .criticalHeader: "its header requires an extension"
    case .unsupportedAlgorithm(let name): "it is signed with \"\(name.forDisplay(limit: 60))\""
    case .unknownKey: "it is signed with a key that the provider does not publish"
    case .ambiguousKey: "more than one of the provider's keys may have signed it"
    case .wrongSignature: "its signature is wrong"
    }
  }
}
