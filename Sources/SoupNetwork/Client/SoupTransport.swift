import CGLib
import CSoup
import GLibSupport
import LoginCore

/// Sends requests to a provider's servers with libsoup. Each exchange has one deadline and one size limit, and there are
/// no redirects, no cache, and no credentials but those of the request. It speaks HTTP/1.1.
///
/// Proxies and certificate authorities are those of the system, or of the environment: `SSL_CERT_FILE` replaces the
/// authorities, as for curl. Requests to this machine never go through a proxy.
@GLibActor
package final class SoupTransport: HTTPTransport {
  /// The limits of an exchange.
  package struct Limits: Sendable {
    /// The bytes of a decoded body. The largest answers of OAuth, key sets and discovery documents, have some ten
    /// thousand.
    package let bodyBytes: Int
    /// The time for the whole exchange: name lookup, connection, TLS, request, head and body.
    package let seconds: Int
    /// The time without a byte of an API's answer, which may have 64 MB.
    package let patience: Int

    /// The default values are enough for every answer of OAuth.
    package init(bodyBytes: Int = 1 << 20, seconds: Int = 30, patience: Int = 60) {
      (self.bodyBytes, self.seconds, self.patience) = (bodyBytes, seconds, patience)
    }

    /// The size limit for an API's answer that is kept in memory.
    package static let answerBytes = 64 << 20
  }

  let userAgent: String
  private let trusted: [String: TrustedCertificate]
  private let limits: Limits
  private let authorities: ConnectionPool.Authorities
  private let proxies: ConnectionPool.Proxies
  private let reached = ReachedHosts()
  private var pools: [Way: ConnectionPool] = [:]
  /// The certificate for servers that ask the client for one.
  package var identity: (any ClientIdentity)?
  /// The origins, such as `https://host:8443`, that may ask for a Kerberos ticket (RFC 4559).
  package var negotiating: Set<String> = []

  /// Exchanges with equal ways share connections.
  private struct Way: Hashable {
    let authorities: ConnectionPool.Authorities
    let proxies: ConnectionPool.Proxies
    let negotiates: Bool
  }

  /// A transport that calls itself `userAgent`.
  ///
  /// For a host in `trusted`, only that certificate is accepted, on every port and without any other check, or one that
  /// it has issued. All other certificates of the host are refused, even those that the system trusts. IPv6 addresses may have brackets.
  /// `authorities` is the path of a file in PEM, and `proxy` an address such as `http://proxy.example:3128`.
  package convenience init(
    userAgent: String, trusted: [String: TrustedCertificate] = [:], limits: Limits = Limits(),
    authorities: String? = nil, proxy: String? = nil
  ) {
    self.init(
      userAgent: userAgent, trusted: trusted, limits: limits,
      authorities: authorities.map(ConnectionPool.Authorities.file) ?? .ofEnvironment,
      proxies: proxy.map(ConnectionPool.Proxies.always) ?? .system)
  }

  init(
    userAgent: String, trusted: [String: TrustedCertificate], limits: Limits,
    authorities: ConnectionPool.Authorities, proxies: ConnectionPool.Proxies
  ) {
    self.userAgent = userAgent
    self.trusted = Dictionary(
      trusted.map { (Self.bare(host: $0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    self.limits = limits
    self.authorities = authorities
    self.proxies = proxies
  }

  package func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let isForAPI = request.isForAPI
    let request = try SoupRequest(request, userAgent: userAgent)
    let (judge, pool) = try way(of: request)
    return try await answer(to: request, judge, on: pool, isForAPI: isForAPI)
  }

  private func answer(
    to request: SoupRequest, _ judge: ConnectionJudge, on pool: ConnectionPool, isForAPI: Bool = false
  ) async throws(Failure) -> HTTPResponse {
    let answer = StreamedAnswer(
      to: request, on: pool, judge: judge, patience: isForAPI ? limits.patience : limits.seconds,
      isWhole: !isForAPI)
    try await begin(answer)
    return try await answer.whole(upTo: isForAPI ? Limits.answerBytes : limits.bodyBytes)
  }

  /// Waits for the head of the answer. A pool that is full then serves no further request, and ends with its last exchange,
  /// which closes its connections. Libsoup itself has no limit for those that are idle.
  func begin(_ answer: StreamedAnswer) async throws(Failure) {
    try await answer.begin()
    pools = pools.filter { !$0.value.isFull }
  }

  /// Throws if the certificate authorities cannot be read.
  package func checkAuthorities() throws(Failure) {
    _ = try pool(for: Way(authorities: authorities, proxies: proxies, negotiates: false))
  }

  /// Gets ready for a request to this endpoint, but does not connect yet. For https, reading the authorities and the
  /// proxies takes longer than many a request.
  package func prepare(for endpoint: Endpoint) {
    // If this fails, the request will fail as well and say why.
    guard let request = try? SoupRequest(HTTPRequest(get: endpoint), userAgent: userAgent),
      let (_, pool) = try? way(of: request)
    else { return }
    if endpoint.origin.hasPrefix("https:") { pool.prepareForTLS() }
  }

  /// Returns the judge of the host's certificates, and the connections for the request.
  func way(of request: SoupRequest) throws(Failure) -> (ConnectionJudge, ConnectionPool) {
    try reached.check(request.endpoint)
    let certificate = trusted[request.host.lowercased()]
    let way = Way(
      authorities: certificate == nil ? authorities : .none,
      // A proxy would take requests for this machine to another one, and without TLS.
      proxies: request.isForThisMachine ? .none : proxies,
      negotiates: negotiating.contains(request.endpoint.origin))
    return (
      ConnectionJudge(request, trusted: certificate, reached, identity: identity), try pool(for: way)
    )
  }

  /// Returns the certificate that a server shows, which is not verified. The server gets no request.
  package func certificate(shownBy endpoint: Endpoint) async throws(Failure) -> TrustedCertificate {
    let request = try SoupRequest(HTTPRequest(get: endpoint), userAgent: userAgent)
    try reached.check(endpoint)
    let judge = ConnectionJudge(request, trusted: nil, reached)
    let way = Way(
      authorities: .none, proxies: request.isForThisMachine ? .none : proxies, negotiates: false)
    do throws(Failure) {
      _ = try await answer(to: request, judge, on: try pool(for: way))
    } catch {
      guard let der = judge.shown else { throw error }
      return TrustedCertificate(der: der)
    }
    // Without authorities no certificate passes, so only plain http leads here.
    throw .insecureConnection(endpoint.host, "the server does not speak TLS")
  }

  private func pool(for way: Way) throws(Failure) -> ConnectionPool {
    if let pool = pools[way] { return pool }
    do throws(GLibError) {
      let pool = try ConnectionPool(
        way.authorities, way.proxies, negotiates: way.negotiates)
      pools[way] = pool
      return pool
    } catch {
      guard case .file = way.authorities else { throw .defect(error.message) }
      throw Failure(
        .invalidConfiguration, "the certificate authorities cannot be read: \(error.message)")
    }
  }

  /// The host without brackets, as libsoup names it.
  private static func bare(host: String) -> String {
    let inside = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
    return inside.lowercased()
  }
}

/// A session of libsoup: connections that share their proxies and certificate authorities.
@GLibActor
final class ConnectionPool {
  /// The certificate authorities.
  enum Authorities: Hashable, Sendable {
    case system
    /// The file that `SSL_CERT_FILE` names, or else the system's authorities.
    static var ofEnvironment: Authorities {
      let file = getenv("SSL_CERT_FILE").map { String(cString: $0) } ?? ""
      return file.isEmpty ? .system : .file(file)
    }
    /// No authorities: all certificates are left to a ``ConnectionJudge``.
    case none
    case file(String)
  }

  enum Proxies: Hashable, Sendable {
    case system
    /// Direct connections.
    case none
    /// This proxy for all requests.
    case always(String)
  }

  private let pointer: UnsafeMutablePointer<SoupSession>
  /// The connections that stay open after their answers. Libsoup closes idle ones after a minute, and does not say so.
  private var kept: Set<guint64> = []

  /// True once the pool has so many connections that a program with few descriptors could run out of them.
  var isFull: Bool { kept.count >= 16 }

  init(
    _ authorities: Authorities, _ proxies: Proxies, negotiates: Bool
  ) throws(GLibError) {
    pointer = Self.newSession()
    // Progress limits the time. Libsoup would end a connection over which no byte has come for a minute.
    soup_session_set_timeout(pointer, 0)
    // An answer that asks for credentials is final: if there are any, they are in the request. Also, libsoup would send
    // a proxy the password in its address over and over for as long as it is refused.
    if negotiates {
      soup_session_remove_feature_by_type(pointer, soup_auth_basic_get_type())
      soup_session_remove_feature_by_type(pointer, soup_auth_digest_get_type())
      soup_session_add_feature_by_type(pointer, soup_auth_negotiate_get_type())
    } else {
      soup_session_remove_feature_by_type(pointer, soup_auth_manager_get_type())
    }
    switch proxies {
    case .system: break
    case .none: soup_session_set_proxy_resolver(pointer, nil)
    case .always(let proxy):
      let resolver = g_simple_proxy_resolver_new(proxy, nil)
      soup_session_set_proxy_resolver(pointer, resolver)
      g_object_unref(UnsafeMutableRawPointer(resolver))
    }
    switch authorities {
    case .system: break
    case .none: soup_session_set_tls_database(pointer, nil)
    case .file(let path):
      var error: UnsafeMutablePointer<GError>?
      let database = g_tls_file_database_new(path, &error)
      if let error { throw GLibError(consuming: error) }
      soup_session_set_tls_database(
        pointer, UnsafeMutableRawPointer(database)?.assumingMemoryBound(to: GTlsDatabase.self))
      g_object_unref(UnsafeMutableRawPointer(database))
    }
  }

  isolated deinit {
    soup_session_abort(pointer)
    g_object_unref(pointer)
  }

  /// Returns a session without libsoup's limit of two connections to a server: two event streams would keep all other
  /// requests waiting.
  private static func newSession() -> UnsafeMutablePointer<SoupSession> {
    var most = GValue()
    g_value_init(&most, GType(6 << G_TYPE_FUNDAMENTAL_SHIFT))  // G_TYPE_INT
    g_value_set_int(&most, .max)
    let session = "max-conns".withCString { all in
      "max-conns-per-host".withCString { perHost in
        var names: [UnsafePointer<CChar>?] = [all, perHost]
        return g_object_new_with_properties(soup_session_get_type(), 2, &names, [most, most])
      }
    }
    return UnsafeMutableRawPointer(session).unsafelyUnwrapped.assumingMemoryBound(to: SoupSession.self)
  }

  /// Nil if there are no proxies.
  var resolver: OpaquePointer? { soup_session_get_proxy_resolver(pointer) }

  /// Loads the authorities and the proxies, which libsoup would do for the first connection.
  func prepareForTLS() {
    _ = (soup_session_get_tls_database(pointer), resolver)
  }

  /// Sends a request and waits for the head of the answer. The stream has the body.
  func send(
    _ request: SoupRequest, _ cancellable: Cancellable, _ desk: CertificateDesk?
  ) async throws(GLibError) -> ByteStream {
    defer { if let connection = request.keptConnection { kept.insert(connection) } }
    guard let desk else { return try await request.send(through: pointer, cancellable) }
    return try await desk.result { [self] in
      do throws(GLibError) { return .success(try await request.send(through: pointer, cancellable)) } catch {
        return .failure(error)
      }
    }
  }
}
