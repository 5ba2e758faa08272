import GLibSupport
import LoginCore

/// The way to the servers of a provider, on libsoup: one deadline and one limit of size for every exchange, no
/// redirect, no cookie, no cache, and no credentials but those of the request.
///
/// Proxies and certificate authorities are those of this system.
@GLibActor
public final class SoupTransport: HTTPTransport {
  /// How much an exchange may take.
  public struct Limits: Sendable {
    /// The bytes of a body after it has been decoded. The largest answers of OAuth, key sets and discovery
    /// documents, have some ten thousand.
    public let bodyBytes: Int
    /// The time for all of it: name, connection, TLS, request, head and body.
    public let seconds: Int

    /// The limits; what is left out is enough for every answer of OAuth.
    public init(bodyBytes: Int = 1 << 20, seconds: Int = 30) {
      self.bodyBytes = bodyBytes
      self.seconds = seconds
    }
  }

  private let limits: Limits
  private let trusted: [String: TrustedCertificate]
  private let session: Session
  private let sessionForTrusted: Session

  /// A transport that calls itself `userAgent`.
  ///
  /// For a host in `trusted` exactly that certificate is accepted, on every port, whatever the verification
  /// says; every other certificate of that host is refused, also one that this system trusts. Addresses of
  /// IPv6 may have brackets. For the other hosts nothing changes.
  public convenience init(
    userAgent: String, trusted: [String: TrustedCertificate] = [:], limits: Limits = Limits()
  ) throws(Failure) {
    try self.init(userAgent: userAgent, trusted: trusted, limits: limits, authorities: .system)
  }

  init(
    userAgent: String, trusted: [String: TrustedCertificate] = [:], limits: Limits = Limits(),
    authorities: Session.Authorities
  ) throws(Failure) {
    self.limits = limits
    self.trusted = Dictionary(
      trusted.map { (Self.bare(host: $0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    do throws(GLibError) {
      session = try Session(userAgent: userAgent, authorities: authorities)
      sessionForTrusted = try Session(userAgent: userAgent, authorities: .none)
    } catch {
      throw .defect(error.message)
    }
  }

  public func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let message = try Message(request)
    let certificate = trusted[message.host.lowercased()]
    let exchange = Exchange(
      message, judge: CertificateJudge(host: message.host, trusted: certificate), limits)
    return try await exchange.run(on: certificate == nil ? session : sessionForTrusted)
  }

  /// A host as libsoup names it.
  private static func bare(host: String) -> String {
    let inside = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
    return inside.lowercased()
  }
}
