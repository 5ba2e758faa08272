import LoginCore

extension NetworkFault {
  var verdict: Verdict {
    switch self {
    case .tls: .tls
    case .badResponse(let fault): .badResponse(isRetryable: fault.isPassing)
    case .refusedWithoutReason, .tooLarge: .badResponse
    case .offline, .unknownHost, .connection, .timeout: .network
    }
  }

  var saying: Saying {
    switch self {
    case .offline: "there is no network"
    case .unknownHost(let host): "the host \(host) is unknown"
    case .connection(let host, .proxy(let proxy, let fault)):
      Saying(
        "\(host) cannot be reached through the proxy \(proxy): \(fault.words)", hint: ConnectionFault.proxies)
    case .connection(let host, .noProxy):
      Saying("\(host) cannot be reached: \(ConnectionFault.noProxy.words)", hint: ConnectionFault.proxies)
    case .connection(let host, let fault): "\(host) cannot be reached: \(fault.words)"
    case .timeout(let host, let seconds): "\(host) did not answer within \(seconds) s"
    case .tls(let host, let fault, let fingerprint) where fault.isOfCertificate:
      Saying(
        "the certificate of \(host) cannot be trusted: \(fault.words)",
        hint: fingerprint.map { _ in "--trust \(host)=CERT.pem trusts one certificate for this host" })
    case .tls(let host, let fault, _): "the connection to \(host) is not safe: \(fault.words)"
    case .tooLarge(let host, let limit): "\(host) answered with more than \(limit) bytes"
    case .refusedWithoutReason(let status):
      "the token endpoint answered with HTTP \(status) and no OAuth error"
    case .badResponse(let fault): "the provider answered with something that is not OAuth: \(fault.words)"
    }
  }

  var details: JSONObject? {
    guard case .tls(let host, _, let fingerprint?) = self else { return nil }
    return ["host": .string(host), "fingerprint": .string(fingerprint)]
  }
}

extension ConnectionFault {
  /// Where proxies come from.
  fileprivate static let proxies: Sentence =
    "see https_proxy and http_proxy, and the desktop's settings; a proxy is an address such as http://proxy.example:3128"

  var words: Sentence {
    switch self {
    case .noRoute: "there is no route to it"
    case .refused: "the connection was refused"
    case .broken: "the connection was broken"
    case .timedOut: "the connection timed out"
    case .noNameServer: "no name server answers"
    case .proxyNeedsPassword: "the proxy asks for a password, which tokentry cannot give"
    case .proxyRefused(let status): "the proxy refused with HTTP \(status)"
    case .unknownHost: "its host is unknown"
    case .noProxy: "what is set as the proxy is not one"
    case .proxy(_, let fault): fault.words
    case .system(let words): Sentence(verbatim: words.forDisplay(limit: 200))
    }
  }
}

extension TLSFault {
  fileprivate var isOfCertificate: Bool {
    switch self {
    case .certificate, .notThePinned: true
    default: false
    }
  }

  var words: Sentence {
    switch self {
    case .certificate(let flaws): flaws.words
    case .notThePinned: "it is not the one that is trusted for this host"
    case .notTLS: "the server does not speak TLS"
    case .oldVersion: "it uses a version of TLS older than 1.2"
    case .asksForCertificate: "the server asks for a client certificate"
    case .unsupported: "GLib has no TLS: glib-networking is not installed"
    case .system(let words): Sentence(verbatim: words.forDisplay(limit: 200))
    }
  }
}

extension [CertificateFlaw] {
  /// What is wrong with a certificate, to be read behind its name.
  var words: Sentence { isEmpty ? CertificateFlaw.damaged.words : map(\.words).list }
}

extension CertificateFlaw {
  fileprivate var words: Sentence {
    switch self {
    case .revoked: "it has been revoked"
    case .otherHost: "it belongs to another host"
    case .expired: "it has expired"
    case .notYetValid: "it is not valid yet"
    case .insecure: "it is signed with an insecure algorithm"
    case .unknownIssuer: "its issuer is unknown"
    case .damaged: "it is not valid"
    }
  }
}

extension ResponseFault {
  var words: Sentence {
    switch self {
    case .redirect(let endpoint): "the \(endpoint.words) redirects, and credentials do not follow a redirect"
    case .status(let status, let endpoint):
      "the \(endpoint.words) answered with HTTP \(status) and no OAuth error"
    case .notJSON(let reason, 200, let endpoint): "the \(endpoint.words): \(reason.words)"
    case .notJSON(let reason, let status, let endpoint):
      "the \(endpoint.words) answered with HTTP \(status): \(reason.words)"
    case .notText(let name, let endpoint):
      "the \(endpoint.words) answered with a \(name.forDisplay(limit: 60)) that is not text"
    case .missing(let name, let endpoint): "the \(endpoint.words) answered without \(name)"
    case .unusable(let name, let endpoint):
      "the \(endpoint.words) answered with a \(name) that cannot be used"
    case .address(let name, let fault, _): "\(name) is \(fault.words)"
    case .otherRedirectURIs: "the client was registered with other redirect URIs than were asked for"
    case .clientAuthentication(let name):
      "the client was registered with the authentication \"\(name.forDisplay(limit: 60))\""
    case .signedUserinfo: "the userinfo is a JWT, which was not asked for"
    case .noMetadata(let issuer): "the issuer \(issuer) publishes no metadata"
    case .metadataStatus(let issuer, let status): "the metadata of \(issuer) are not there: HTTP \(status)"
    case .metadata(let issuer, let reason): "the metadata of \(issuer): \(reason.words)"
    case .metadataMember(let issuer, let name): "the metadata of \(issuer) lack \(name.forDisplay(limit: 60))"
    case .resourceStatus(let status, let address):
      "\(address.forDisplay(limit: 200)) answered with HTTP \(status)"
    case .resourceJSON(let reason, let address): "\(address.forDisplay(limit: 200)): \(reason.words)"
    case .resourceMember(let name, let address):
      "\(address.forDisplay(limit: 200)): \(name.forDisplay(limit: 60)) is of no use"
    case .interimAnswers: "endless interim answers"
    case .coding: "a body in an encoding that was not asked for"
    case .undecodable: "a body that cannot be decoded"
    case .library(let words): Sentence(verbatim: words.forDisplay(limit: 200))
    }
  }
}
