import LoginWays
import Wording

@testable import LoginCore

/// What an application has asked for that cannot be.
extension WordTable {
  static let caller: [Row] = [
    Row(
      .caller(.noEndpoint(.authorization)), "invalid_configuration",
      "the provider's authorization endpoint is not known",
      hint: "give --provider, --issuer or --authorization-endpoint"),
    Row(
      .caller(.noEndpoint(.token)), "invalid_configuration", "the provider's token endpoint is not known",
      hint: "add --token-endpoint URL, or --issuer URL if the provider publishes its metadata"),
    Row(
      .caller(.noEndpoint(.deviceAuthorization)), "invalid_configuration",
      "the provider's device authorization endpoint is not known",
      hint: "add --device-authorization-endpoint URL, or --issuer URL if the provider publishes its metadata"),
    Row(
      .caller(.noClient), "invalid_configuration", "no client identifier was given",
      hint: "add --client-id ID, which the provider gave your application"),
    Row(
      .caller(.noClientNorRegistration), "invalid_configuration",
      "no client identifier was given, and no registration endpoint is known to get one from",
      hint:
        "add --client-id ID, which the provider gave your application, or --registration-endpoint URL"),
    Row(
      .caller(.unprotectedWithoutState), "invalid_configuration",
      "only the code flow with PKCE may leave out the state"),
    Row(.caller(.tokenInQuery), "invalid_configuration", "a token in the query could be seen by others"),
    Row(
      .caller(.boundTokenWithoutCode), "invalid_configuration",
      "only a token that comes in exchange for a code can be bound to a key"),
    Row(
      .caller(.postedElsewhere), "invalid_configuration",
      "response_mode form_post is for the loopback listener, so it needs a redirect URI on this machine"),
    Row(.caller(.malformed(.state)), "invalid_option", "the state must be printable ASCII"),
    Row(.caller(.malformed(.nonce)), "invalid_option", "the nonce must be printable ASCII"),
    Row(
      .caller(.malformed(.initialAccessToken)), "invalid_option",
      "the initial access token must be visible ASCII"),
    Row(
      .caller(.malformed(.codeVerifier)), "invalid_option",
      "the code verifier must be 43 to 128 letters, digits and -._~"),
    Row(
      .caller(.repeatedParameter("scope")), "invalid_configuration",
      #"the request would carry the parameter "scope" twice"#),
    Row(
      .caller(.unverifiableIDToken), "invalid_configuration",
      "an id_token cannot be verified without issuer and keys", hint: "add --issuer URL"),
    Row(
      .caller(.opaqueIDTokenInCallback), "invalid_configuration",
      "an id_token in the callback must be verified, and the preset says that it cannot be"),
    Row(.caller(.responseTypeForDevice), "invalid_configuration", "the device grant has no response type"),
    Row(
      .caller(.noAuthorizationServer(resource: "https://api.test/mcp")), "invalid_configuration",
      "https://api.test/mcp does not say which server issues its tokens",
      hint: "if you know that server, name it with --issuer URL or --provider NAME beside --resource"),
    Row(
      .caller(.noClientWithoutRegistration(issuer: issuer, documentation: "https://as.test/docs")),
      "invalid_configuration", "there is no client identifier, and https://as.test registers none by itself",
      hint: "have one made there (see https://as.test/docs), with the redirect URI"
        + " http://127.0.0.1/callback/as.test, and add --client-id ID"),
    Row(
      .caller(.clientWithoutSecret), "invalid_configuration",
      "a client without a secret cannot get a token of its own",
      hint: "give it a secret with --client-secret-file or TOKENTRY_CLIENT_SECRET"),
    Row(
      .caller(.proofAlgorithm("ES256")), "invalid_configuration",
      "the provider does not accept proofs signed with ES256"),
    Row(
      .caller(.noProofKey), "invalid_configuration", "the key that the token is bound to is missing",
      hint: "keep the dpop_jwk that login prints with the token"),
    Row(
      .caller(.malformedProofKey), "invalid_configuration", "dpop_jwk is not a private key on the curve P-256"
    ),
    Row(.caller(.noAccessToken), "invalid_configuration", "there is no access token to ask with"),
    Row(
      .caller(.noMember("user_id")), "invalid_configuration",
      "there is no user_id, which this provider wants to hear"),
    Row(.caller(.method("G T")), "invalid_option", #""G T" is not a request method"#),
    Row(
      .caller(.header("Host", .reserved)), "invalid_option",
      "the header field Host: the request sets this field itself"),
    Row(
      .caller(.header("a b", .name)), "invalid_option",
      "the header field a b: this is not a header name"),
    Row(
      .caller(.header("X-A", .controlCharacters)), "invalid_option",
      "the header field X-A: its value has control characters"),
    Row(
      .caller(.originNotAllowed("https://h.test")), "origin_not_allowed",
      "this provider's tokens may not be sent to https://h.test",
      hint: "if the token is meant for that server, add --allow-origin https://h.test"),
    Row(
      .caller(.otherResource("https://h.test/b?c=d")), "origin_not_allowed",
      "the account's token is for another API than https://h.test/b?c=[redacted]",
      hint: "`tokentry login --resource URL` signs in to an API"),
    Row(
      .caller(.noVariable("host", meaning: "the server's name")), "invalid_configuration",
      "the preset needs the variable host", hint: "--var host=VALUE (the server's name)"),
    Row(
      .caller(.unknownVariable("hots", nearest: "host")), "invalid_option",
      #"the preset has no variable "hots""#, hint: "did you mean host?"),
    Row(.caller(.unknownVariable("x", nearest: nil)), "invalid_option", #"the preset has no variable "x""#),
    Row(
      .caller(.unfitVariables(.template(member: "token_endpoint", .value(of: "host", .hostPart)))),
      "invalid_configuration",
      "the values given for the preset do not fit: token_endpoint: the value of host is not part of a host name"
    ),
    Row(
      .caller(.issuer(issuer, .notHTTPS)), "invalid_configuration",
      "the issuer https://as.test is not https (plain http is for loopback addresses only)"),
  ]
}
