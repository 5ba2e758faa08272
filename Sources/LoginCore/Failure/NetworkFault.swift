/// The provider could not be reached, or what was reached is no provider.
public enum NetworkFault: Sendable, Equatable {
  /// There is no network.
  case offline
  /// The name of the host is unknown.
  case unknownHost(String)
  /// No connection, or one that broke.
  case connection(host: String, ConnectionFault)
  /// The exchange took longer than its deadline.
  case timeout(host: String, seconds: Int)
  /// The certificate is not to be trusted; its SHA-256 fingerprint if there was one.
  case tls(host: String, TLSFault, fingerprint: String?)
  /// An answer that is larger than any answer of OAuth.
  case tooLarge(host: String, limit: Int)
  /// The token endpoint refuses with this status, 400 or 401, and does not say why.
  case refusedWithoutReason(status: Int)
  /// An answer that is none of OAuth.
  case badResponse(ResponseFault)

  /// Whether it may be better the next time.
  package var isPassing: Bool {
    switch self {
    case .offline, .unknownHost, .connection, .timeout: true
    case .badResponse(let fault): fault.isPassing
    case .tls, .tooLarge, .refusedWithoutReason: false
    }
  }
}

/// Why there is no connection.
public indirect enum ConnectionFault: Sendable, Equatable {
  /// No way leads to the address.
  case noRoute
  /// The server did not want it, did not keep it, or did not answer.
  case refused, broken, timedOut
  /// No server that knows names answers.
  case noNameServer
  /// The proxy wants to know who asks.
  case proxyNeedsPassword
  /// The proxy makes no connection, with this status.
  case proxyRefused(status: Int)
  /// The name of the proxy's own host is unknown.
  case unknownHost
  /// What is set as the proxy is no address of one.
  case noProxy
  /// The way leads through a proxy at this address, and this is wrong there.
  case proxy(String, ConnectionFault)
  /// What the system's libraries say of it.
  case system(String)
}

/// Why a server is not believed to be the one that it should be.
public enum TLSFault: Sendable, Equatable {
  /// What is wrong with its certificate.
  case certificate([CertificateFlaw])
  /// It is not the one certificate that is trusted for the host.
  case notThePinned
  /// The server does not speak TLS.
  case notTLS
  /// The server speaks a version of TLS that is older than 1.2.
  case oldVersion
  /// The server wants a certificate of its client.
  case asksForCertificate
  /// This machine cannot encrypt connections.
  case unsupported
  /// What the system's libraries say of it.
  case system(String)
}

/// What can be wrong with a certificate.
public enum CertificateFlaw: String, Sendable, CaseIterable {
  /// Whoever issued it has taken it back.
  case revoked
  /// It names another host.
  case otherHost = "other_host"
  /// Its time is over.
  case expired
  /// Its time has not come.
  case notYetValid = "not_yet_valid"
  /// Its signature is too weak.
  case insecure
  /// Nobody trusts whoever issued it.
  case unknownIssuer = "unknown_issuer"
  /// Something else.
  case damaged
}
