import LoginWays
import Wording

@testable import LoginCore

/// What a provider, or a server of its, says itself.
extension WordTable {
  static let provider: [Row] = [
    Row(
      .provider(ProviderError(code: "access_denied")), refusal: "access_denied",
      "the provider refused: access_denied"),
    Row(
      .provider(ProviderError(code: "access_denied", description: "The user said no.")),
      refusal: "access_denied", "the provider refused: access_denied: The user said no"),
    Row(
      .provider(ProviderError(code: "invalid_scope", uri: "https://as.test/help")), refusal: "invalid_scope",
      "the provider refused: invalid_scope"),
    Row(
      .provider(ProviderError(code: "server_error")), refusal: "server_error", isRetryable: true,
      "the provider refused: server_error"),
    Row(
      .provider(ProviderError(code: "temporarily_unavailable")), refusal: "temporarily_unavailable",
      isRetryable: true, "the provider refused: temporarily_unavailable"),
    Row(.provider(ProviderError(code: "cancelled")), refusal: "cancelled", "the provider refused: cancelled"),
    Row(
      .provider(ProviderError(code: "server_error", page: "https://as.test/error")), refusal: "server_error",
      isRetryable: true, "the provider refused: server_error: the provider showed an error page",
      details: ["uri": "https://as.test/error"]),
    Row(
      .provider(ProviderError(code: "x", description: "our words", page: "https://as.test/error")),
      refusal: "x", "the provider refused: x: our words", details: ["uri": "https://as.test/error"]),
    Row(
      .provider(ProviderError(code: "expired_token", remark: .codeExpired)), refusal: "expired_token",
      "the provider refused: expired_token: nobody signed in while the code was valid"),
    Row(
      .provider(ProviderError(code: "server_error", remark: .sessionNotEnded)), refusal: "server_error",
      isRetryable: true, "the provider refused: server_error: the session has not been ended",
      hint: "--force forgets it here all the same"),
    Row(
      .provider(ProviderError(code: "server_error", remark: .tokenNotRevoked)), refusal: "server_error",
      isRetryable: true,
      "the provider refused: server_error: the token has not been revoked and is still valid",
      hint: "--force forgets it here all the same"),
    Row(
      .provider(ProviderError(code: "server_error", remark: .clientNotDeleted)), refusal: "server_error",
      isRetryable: true, "the provider refused: server_error: the client has not been deleted",
      hint: "--force forgets it here all the same"),
    Row(
      .provider(ProviderError(code: "invalid_client", remark: .noSecret)), refusal: "invalid_client",
      "the provider refused: invalid_client: no client secret was sent",
      hint:
        "if the provider gave your application a secret, sign in with --client-secret-file FILE or TOKENTRY_CLIENT_SECRET"
    ),
    Row(.resource(refused(401)), refusal: "invalid_token", "the server answered with HTTP 401"),
    Row(.resource(refused(403)), refusal: "insufficient_scope", "the server answered with HTTP 403"),
    Row(.resource(refused(404)), refusal: "invalid_request", "the server answered with HTTP 404"),
    Row(
      .resource(refused(429)), refusal: "invalid_request", isRetryable: true,
      "the server answered with HTTP 429"),
    Row(
      .resource(refused(503)), refusal: "server_error", status: 5, isRetryable: true,
      "the server answered with HTTP 503"),
    Row(
      .resource(refused(304)), refusal: "bad_provider_response", status: 5,
      "the server answered with HTTP 304"),
    Row(
      .resource(refused(302)), refusal: "bad_provider_response", status: 5,
      "the server answered with HTTP 302, and redirects are not followed with a token"),
    Row(
      .resource(refused(401, ProviderError(code: "invalid_token", description: "It has expired."))),
      refusal: "invalid_token", "the server answered with HTTP 401: invalid_token: It has expired"),
    Row(
      .resource(refused(401, ProviderError(code: "invalid_token"), isUntried: true)),
      refusal: "invalid_token", isRetryable: true,
      "the server answered with HTTP 401, and a body from standard input cannot be sent twice; the next request will use a new token: invalid_token"
    ),
    Row(
      .resource(refused(401, ProviderError(code: "use_dpop_nonce"), isUntried: true)),
      refusal: "use_dpop_nonce", isRetryable: true,
      "the server answered with HTTP 401, and a body from standard input cannot be sent twice: use_dpop_nonce"
    ),
  ]
}
