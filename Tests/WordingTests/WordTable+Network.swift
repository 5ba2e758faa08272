import LoginWays
import Wording

@testable import LoginCore

/// Why a provider was not reached, or answered with something else.
extension WordTable {
  private static let proxies =
    "see https_proxy and http_proxy, and the desktop's settings; a proxy is an address such as http://proxy.example:3128"

  static let network: [Row] = [
    Row(.network(.offline), "network_error", "there is no network"),
    Row(.network(.unknownHost("as.test")), "network_error", "the host as.test is unknown"),
    Row(
      .network(.connection(host: "as.test", .noRoute)), "network_error",
      "as.test cannot be reached: there is no route to it"),
    Row(
      .network(.connection(host: "as.test", .refused)), "network_error",
      "as.test cannot be reached: the connection was refused"),
    Row(
      .network(.connection(host: "as.test", .broken)), "network_error",
      "as.test cannot be reached: the connection was broken"),
    Row(
      .network(.connection(host: "as.test", .timedOut)), "network_error",
      "as.test cannot be reached: the connection timed out"),
    Row(
      .network(.connection(host: "as.test", .noNameServer)), "network_error",
      "as.test cannot be reached: no name server answers"),
    Row(
      .network(.connection(host: "as.test", .proxyNeedsPassword)), "network_error",
      "as.test cannot be reached: the proxy asks for a password, which tokentry cannot give"),
    Row(
      .network(.connection(host: "as.test", .proxyRefused(status: 403))), "network_error",
      "as.test cannot be reached: the proxy refused with HTTP 403"),
    Row(
      .network(.connection(host: "as.test", .system("no buffer space"))), "network_error",
      "as.test cannot be reached: no buffer space"),
    Row(
      .network(.connection(host: "as.test", .proxy("http://127.0.0.1:1", .refused))), "network_error",
      "as.test cannot be reached through the proxy http://127.0.0.1:1: the connection was refused",
      hint: Self.proxies),
    Row(
      .network(.connection(host: "as.test", .proxy("http://no.test:1", .unknownHost))), "network_error",
      "as.test cannot be reached through the proxy http://no.test:1: its host is unknown", hint: Self.proxies),
    Row(
      .network(.connection(host: "as.test", .noProxy)), "network_error",
      "as.test cannot be reached: what is set as the proxy is not one", hint: Self.proxies),
    Row(
      .network(.timeout(host: "as.test", seconds: 30)), "network_error", "as.test did not answer within 30 s"),
    Row(
      .network(.tls(host: "as.test", .certificate(CertificateFlaw.allCases), fingerprint: "AA:BB")),
      "tls_error",
      "the certificate of as.test cannot be trusted: it has been revoked, it belongs to another host, it has expired, it is not valid yet, it is signed with an insecure algorithm, its issuer is unknown, it is not valid",
      hint: "--trust as.test=CERT.pem trusts one certificate for this host",
      details: ["host": "as.test", "fingerprint": "AA:BB"]),
    Row(
      .network(.tls(host: "as.test", .certificate([]), fingerprint: nil)), "tls_error",
      "the certificate of as.test cannot be trusted: it is not valid"),
    Row(
      .network(.tls(host: "as.test", .notThePinned, fingerprint: "AA:BB")), "tls_error",
      "the certificate of as.test cannot be trusted: it is not the one that is trusted for this host",
      hint: "--trust as.test=CERT.pem trusts one certificate for this host",
      details: ["host": "as.test", "fingerprint": "AA:BB"]),
    Row(
      .network(.tls(host: "as.test", .notTLS, fingerprint: nil)), "tls_error",
      "the connection to as.test is not safe: the server does not speak TLS"),
    Row(
      .network(.tls(host: "as.test", .oldVersion, fingerprint: nil)), "tls_error",
      "the connection to as.test is not safe: it uses a version of TLS older than 1.2"),
    Row(
      .network(.tls(host: "as.test", .asksForCertificate, fingerprint: nil)), "tls_error",
      "the connection to as.test is not safe: the server asks for a client certificate"),
    Row(
      .network(.tls(host: "as.test", .unsupported, fingerprint: nil)), "tls_error",
      "the connection to as.test is not safe: GLib has no TLS: glib-networking is not installed"),
    Row(
      .network(.tls(host: "as.test", .system("a bad record"), fingerprint: nil)), "tls_error",
      "the connection to as.test is not safe: a bad record"),
    Row(
      .network(.tooLarge(host: "as.test", limit: 1_000)), "bad_provider_response",
      "as.test answered with more than 1000 bytes"),
    Row(
      .network(.refusedWithoutReason(status: 401)), "bad_provider_response",
      "the token endpoint answered with HTTP 401 and no OAuth error"),
    Row(
      .network(.badResponse(.redirect(from: .token))), "bad_provider_response",
      "the provider answered with something that is not OAuth: the token endpoint redirects, and credentials do not follow a redirect"
    ),
    Row(
      .network(.badResponse(.status(500, from: .userinfo))), "bad_provider_response",
      "the provider answered with something that is not OAuth: the userinfo endpoint answered with HTTP 500 and no OAuth error",
      isRetryable: true),
    Row(
      .network(.badResponse(.notJSON(.notUTF8, status: 200, from: .keySet))), "bad_provider_response",
      "the provider answered with something that is not OAuth: the key set: the text is not UTF-8"),
    Row(
      .network(.badResponse(.notJSON(.notAnObject, status: 502, from: .revocation))), "bad_provider_response",
      "the provider answered with something that is not OAuth: the revocation endpoint answered with HTTP 502: the document is not a JSON object"
    ),
    Row(
      .network(.badResponse(.notText("scope", from: .token))), "bad_provider_response",
      "the provider answered with something that is not OAuth: the token endpoint answered with a scope that is not text"
    ),
    Row(
      .network(.badResponse(.missing("device_code", from: .deviceAuthorization))), "bad_provider_response",
      "the provider answered with something that is not OAuth: the device authorization endpoint answered without device_code"
    ),
    Row(
      .network(.badResponse(.unusable("expires_in", from: .introspection))), "bad_provider_response",
      "the provider answered with something that is not OAuth: the introspection endpoint answered with a expires_in that cannot be used"
    ),
    Row(
      .network(.badResponse(.address("token_endpoint", .notHTTPS, from: .registration))),
      "bad_provider_response",
      "the provider answered with something that is not OAuth: token_endpoint is not https (plain http is for loopback addresses only)"
    ),
    Row(
      .network(.badResponse(.otherRedirectURIs)), "bad_provider_response",
      "the provider answered with something that is not OAuth: the client was registered with other redirect URIs than were asked for"
    ),
    Row(
      .network(.badResponse(.clientAuthentication("tls_client_auth"))), "bad_provider_response",
      #"the provider answered with something that is not OAuth: the client was registered with the authentication "tls_client_auth""#
    ),
    Row(
      .network(.badResponse(.signedUserinfo)), "bad_provider_response",
      "the provider answered with something that is not OAuth: the userinfo is a JWT, which was not asked for"
    ),
    Row(
      .network(.badResponse(.noMetadata(issuer))), "bad_provider_response",
      "the provider answered with something that is not OAuth: the issuer https://as.test publishes no metadata"
    ),
    Row(
      .network(.badResponse(.metadataStatus(issuer, 503))), "bad_provider_response",
      "the provider answered with something that is not OAuth: the metadata of https://as.test are not there: HTTP 503",
      isRetryable: true),
    Row(
      .network(.badResponse(.metadataMember(issuer, "token_endpoint"))), "bad_provider_response",
      "the provider answered with something that is not OAuth: the metadata of https://as.test lack token_endpoint"
    ),
    Row(
      .network(.badResponse(.resourceStatus(503, at: "https://api.test/d"))), "bad_provider_response",
      "the provider answered with something that is not OAuth: https://api.test/d answered with HTTP 503",
      isRetryable: true),
    Row(
      .network(.badResponse(.resourceJSON(.tooLarge, at: "https://api.test/d"))), "bad_provider_response",
      "the provider answered with something that is not OAuth: https://api.test/d: the document is too large"),
    Row(
      .network(.badResponse(.resourceMember("resource", at: "https://api.test/d"))), "bad_provider_response",
      "the provider answered with something that is not OAuth: https://api.test/d: resource is of no use"),
    Row(
      .network(.badResponse(.metadata(issuer, .tooLarge))), "bad_provider_response",
      "the provider answered with something that is not OAuth: the metadata of https://as.test: the document is too large"
    ),
    Row(
      .network(.badResponse(.interimAnswers)), "bad_provider_response",
      "the provider answered with something that is not OAuth: endless interim answers"),
    Row(
      .network(.badResponse(.coding)), "bad_provider_response",
      "the provider answered with something that is not OAuth: a body in an encoding that was not asked for"),
    Row(
      .network(.badResponse(.undecodable)), "bad_provider_response",
      "the provider answered with something that is not OAuth: a body that cannot be decoded"),
    Row(
      .network(.badResponse(.library("a header without an end"))), "bad_provider_response",
      "the provider answered with something that is not OAuth: a header without an end"),
  ]
}
