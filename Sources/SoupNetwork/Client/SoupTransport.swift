import GLibSupport
import LoginCore

/// The way to the servers of a provider, on libsoup: one deadline and one limit of size for every exchange, no
/// redirect, no cache, and no credentials but those of the request.
///
/// Proxies and certificate authorities are those of this system; this machine itself is never asked
/// through a proxy. It speaks HTTP/1.1.
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

  let userAgent: String
  private let trusted: [String: TrustedCertificate]
  private let limits: Limits
  private let keepsCookies: Bool
  private let authorities: ConnectionPool.Authorities
  private let proxies: ConnectionPool.Proxies
  private var pools: [Way: ConnectionPool] = [:]

  /// What exchanges have to have in common to share their connections.
  private struct Way: Hashable {
    let authorities: ConnectionPool.Authorities
    let proxies: ConnectionPool.Proxies
  }

  /// A transport that calls itself `userAgent`.
  ///
  /// For a host in `trusted` exactly that certificate is accepted, on every port, whatever the verification
  /// says; every other certificate of that host is refused, also one that this system trusts. Addresses of
  /// IPv6 may have brackets. For the other hosts nothing changes. Cookies are for pages alone: without
  /// `keepsCookies` none is kept.
  public convenience init(
    userAgent: String, trusted: [String: TrustedCertificate] = [:], limits: Limits = Limits(),
    keepsCookies: Bool = false
  ) {
    self.init(
      userAgent: userAgent, trusted: trusted, limits: limits, keepsCookies: keepsCookies,
      authorities: .system,
      proxies: .system)
  }

  init(
    userAgent: String, trusted: [String: TrustedCertificate], limits: Limits,
    keepsCookies: Bool = false, authorities: ConnectionPool.Authorities, proxies: ConnectionPool.Proxies
  ) {
    self.userAgent = userAgent
    self.trusted = Dictionary(
      trusted.map { (Self.bare(host: $0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    self.limits = limits
    self.keepsCookies = keepsCookies
    self.authorities = authorities
    self.proxies = proxies
  }

  public func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let message = try Message(request, userAgent: userAgent)
    let (judge, pool) = try way(of: message)
    return try await Exchange(message, judge: judge, limits).run(on: pool)
  }

  /// Who decides about certificates on the way of a message, and the connections that take it there.
  func way(of message: Message) throws(Failure) -> (CertificateJudge, ConnectionPool) {
    let certificate = trusted[message.host.lowercased()]
    let way = Way(
      authorities: certificate == nil ? authorities : .none,
      // What is meant for this machine would be sent to another one, and without TLS at that.
      proxies: message.isForThisMachine ? .none : proxies)
    return (CertificateJudge(host: message.host, trusted: certificate), try pool(for: way))
  }

  private func pool(for way: Way) throws(Failure) -> ConnectionPool {
    if let pool = pools[way] { return pool }
    do throws(GLibError) {
      let pool = try ConnectionPool(way.authorities, way.proxies, keepsCookies: keepsCookies)
      pools[way] = pool
      return pool
    } catch {
      throw .defect(.here(error.message))
    }
  }

  /// A host as libsoup names it.
  private static func bare(host: String) -> String {
    let inside = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
    return inside.lowercased()
  }
}
