import LoginWays
import Wording

@testable import LoginCore

/// Answers that must not be trusted.
extension WordTable {
  static let untrusted: [Row] = [
    Row(.untrusted(.stateMismatch), "state_mismatch", "the callback carries the state of another request"),
    Row(.untrusted(.stateMissing), "state_missing", "the callback carries no state"),
    Row(
      .untrusted(.issuerMismatch), "issuer_mismatch",
      "the callback comes from a different authorization server than the one asked"),
    Row(
      .untrusted(.issuerMissing), "issuer_mismatch",
      "the callback does not name the authorization server although this one always does"),
    Row(
      .untrusted(.metadataIssuerMismatch), "issuer_mismatch",
      "the metadata belong to a different issuer than the one asked"),
    Row(
      .untrusted(.metadata(.otherResource(asked: "https://api.test/a", named: "https://api.test/b"))),
      "untrusted_metadata",
      "the API at https://api.test/a describes itself as another one: https://api.test/b",
      details: ["resource": "https://api.test/a", "named": "https://api.test/b"]),
    Row(
      .untrusted(.metadata(.otherIssuer(asked: "https://as.test", named: "https://as.test/"))),
      "untrusted_metadata",
      "the metadata of https://as.test belong to another issuer: https://as.test/",
      details: ["issuer": "https://as.test", "named": "https://as.test/"]),
    Row(
      .untrusted(.metadata(.noS256(issuer: "https://as.test"))), "untrusted_metadata",
      "https://as.test does not say that it takes PKCE with S256, and nothing weaker is used",
      details: ["issuer": "https://as.test", "missing": ["code_challenge_methods_supported"]]),
    Row(
      .untrusted(.duplicateParameter("code")), "duplicate_parameter",
      #"the callback has the parameter "code" twice"#, details: ["parameter": "code"]),
    Row(
      .untrusted(.malformedCallback(.bareCode)), "malformed_callback",
      "the callback is malformed: it is only a code"),
    Row(
      .untrusted(.malformedCallback(.missing(["code", "state"]))), "malformed_callback",
      "the callback is malformed: it lacks code, state", details: ["missing": ["code", "state"]]),
    Row(
      .untrusted(.malformedCallback(.notText("code"))), "malformed_callback",
      "the callback is malformed: code is not text"),
    Row(
      .untrusted(.malformedCallback(.notUTF8)), "malformed_callback",
      "the callback is malformed: it is not UTF-8"),
    Row(
      .untrusted(.malformedCallback(.tooLong)), "malformed_callback",
      "the callback is malformed: it is longer than 256 KiB"),
    Row(
      .untrusted(.malformedCallback(.tooManyParameters)), "malformed_callback",
      "the callback is malformed: it has more than 256 parameters"),
    Row(
      .untrusted(.malformedCallback(.stray)), "malformed_callback",
      "the callback is malformed: it is not the answer to this login"),
    Row(
      .untrusted(.missingToken(["access_token", "user_id"])), "missing_token",
      "the answer lacks access_token, user_id", details: ["missing": ["access_token", "user_id"]]),
    Row(
      .untrusted(.unsupportedTokenType("mac")), "unsupported_token_type",
      #"tokens of the type "mac" are not supported"#),
    Row(
      .untrusted(.unboundToken), "unsupported_token_type", "the token is not bound to the key of this login"),
    Row(
      .untrusted(.unsendableToken), "unsupported_token_type",
      "the token has characters that no header may carry"),
    Row(.untrusted(.nonceMismatch), "nonce_mismatch", "the id_token does not carry the nonce of this login"),
    Row(
      .untrusted(.subjectMismatch), "subject_mismatch", "the userinfo is not about the user of the id_token"),
    Row(
      .untrusted(.invalidIDToken(.jose(.encrypted))), "invalid_id_token",
      "the id_token cannot be trusted: it is encrypted, which was not asked for"),
    Row(
      .untrusted(.invalidIDToken(.jose(.notThreeParts))), "invalid_id_token",
      "the id_token cannot be trusted: it does not have three parts"),
    Row(
      .untrusted(.invalidIDToken(.jose(.notBase64URL))), "invalid_id_token",
      "the id_token cannot be trusted: a part of it is not base64url"),
    Row(
      .untrusted(.invalidIDToken(.jose(.malformedHeader))), "invalid_id_token",
      "the id_token cannot be trusted: its header is malformed"),
    Row(
      .untrusted(.invalidIDToken(.jose(.criticalHeader))), "invalid_id_token",
      "the id_token cannot be trusted: its header requires an extension"),
    Row(
      .untrusted(.invalidIDToken(.jose(.unsupportedAlgorithm("none")))), "invalid_id_token",
      #"the id_token cannot be trusted: it is signed with "none""#),
    Row(
      .untrusted(.invalidIDToken(.jose(.unknownKey))), "invalid_id_token",
      "the id_token cannot be trusted: it is signed with a key that the provider does not publish"),
    Row(
      .untrusted(.invalidIDToken(.jose(.ambiguousKey))), "invalid_id_token",
      "the id_token cannot be trusted: more than one of the provider's keys may have signed it"),
    Row(
      .untrusted(.invalidIDToken(.jose(.wrongSignature))), "invalid_id_token",
      "the id_token cannot be trusted: its signature is wrong"),
    Row(
      .untrusted(.invalidIDToken(.algorithmNotAllowed("HS256"))), "invalid_id_token",
      "the id_token cannot be trusted: it must not be signed with HS256"),
    Row(
      .untrusted(.invalidIDToken(.secretTooShort)), "invalid_id_token",
      "the id_token cannot be trusted: the client secret is too short for its algorithm"),
    Row(
      .untrusted(.invalidIDToken(.otherType("at+jwt"))), "invalid_id_token",
      #"the id_token cannot be trusted: it is a token of the type "at+jwt""#),
    Row(
      .untrusted(.invalidIDToken(.malformedPayload(JSONFault(reason: .trailingCharacters, line: 2)))),
      "invalid_id_token",
      "the id_token cannot be trusted: its payload is not JSON: line 2: there is more after the end of the document"
    ),
    Row(
      .untrusted(.invalidIDToken(.missing(["exp", "iat"]))), "invalid_id_token",
      "the id_token cannot be trusted: it lacks exp, iat", details: ["missing": ["exp", "iat"]]),
    Row(
      .untrusted(.invalidIDToken(.malformedClaim("aud"))), "invalid_id_token",
      "the id_token cannot be trusted: its aud is malformed"),
    Row(
      .untrusted(.invalidIDToken(.issuer)), "invalid_id_token",
      "the id_token cannot be trusted: it comes from another provider"),
    Row(
      .untrusted(.invalidIDToken(.audience)), "invalid_id_token",
      "the id_token cannot be trusted: it is not meant for this client alone"),
    Row(
      .untrusted(.invalidIDToken(.authorizedParty)), "invalid_id_token",
      "the id_token cannot be trusted: it was issued to another client"),
    Row(
      .untrusted(.invalidIDToken(.expired)), "invalid_id_token",
      "the id_token cannot be trusted: it has expired"),
    Row(
      .untrusted(.invalidIDToken(.notYetValid)), "invalid_id_token",
      "the id_token cannot be trusted: it is not valid yet"),
    Row(
      .untrusted(.invalidIDToken(.issuedInFuture)), "invalid_id_token",
      "the id_token cannot be trusted: it was issued in the future; is the clock right?"),
    Row(
      .untrusted(.invalidIDToken(.authenticationTooOld)), "invalid_id_token",
      "the id_token cannot be trusted: the user signed in longer ago than was asked for"),
    Row(
      .untrusted(.invalidIDToken(.authenticationContext)), "invalid_id_token",
      "the id_token cannot be trusted: the user signed in in another way than was asked for"),
    Row(
      .untrusted(.invalidIDToken(.accessTokenHash)), "invalid_id_token",
      "the id_token cannot be trusted: it belongs to another access token"),
    Row(
      .untrusted(.invalidIDToken(.codeHash)), "invalid_id_token",
      "the id_token cannot be trusted: it belongs to another code"),
    Row(
      .untrusted(.invalidIDToken(.otherUser)), "invalid_id_token",
      "the id_token cannot be trusted: it is about another user than the one in the callback"),
    Row(
      .untrusted(.invalidIDToken(.otherLogin("sub"))), "invalid_id_token",
      "the id_token cannot be trusted: its sub is not that of the login that is being refreshed"),
  ]
}
