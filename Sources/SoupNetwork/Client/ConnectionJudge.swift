import CGLib
import GLibSupport
import LoginCore

/// Decides about each connection to a host and about the host's certificate, and remembers why it refused them.
///
/// Libsoup asks only about certificates that did not pass the verification. For a host with a trusted certificate of its
/// own the set of authorities is therefore empty: no certificate passes, and all of them are decided here, even those
/// that this system trusts.
@GLibActor
final class ConnectionJudge {
  private let host: String
  private let endpoint: Endpoint
  private let trusted: TrustedCertificate?
  private let reached: ReachedHosts
  /// The connections to a proxy, whose address says nothing about the host's.
  private var proxied: Set<UnsafeMutablePointer<GSocketConnection>> = []
  private(set) var refusal: Failure?
  /// The last certificate that the host has shown and that did not pass the verification, in DER.
  private(set) var shown: [UInt8]?
  /// The certificate of the client, if the host may have it.
  let identity: (any ClientIdentity)?

  init(
    _ request: SoupRequest, trusted: TrustedCertificate?, _ reached: ReachedHosts,
    identity: (any ClientIdentity)? = nil
  ) {
    (host, endpoint) = (request.host, request.endpoint)
    (self.trusted, self.reached) = (trusted, reached)
    self.identity = identity?.serves(request.host) == true ? identity : nil
  }

  /// Looks at a connection before it is made: only then GIO tells that it leads to a proxy.
  func note(_ connection: UnsafeMutablePointer<GSocketConnection>) {
    guard let address = g_socket_connection_get_remote_address(connection, nil) else { return }
    defer { g_object_unref(address) }
    let instance = UnsafeMutableRawPointer(address).assumingMemoryBound(to: GTypeInstance.self)
    if g_type_check_instance_is_a(instance, g_proxy_address_get_type()) != 0 { proxied.insert(connection) }
  }

  /// Refuses a connection to an address that the server that named the endpoint may not name.
  func accepts(_ connection: UnsafeMutablePointer<GSocketConnection>) -> Bool {
    guard let socket = g_socket_connection_get_socket(connection), let peer = SocketEnd.peer(of: socket)
    else {
      return true  // it is gone already
    }
    let zone = proxied.contains(connection) ? .everywhere : WebAddress.Zone(address: peer.address)
    do throws(Failure) {
      try reached.note(endpoint, at: zone)
      return true
    } catch {
      refusal = error
      return false
    }
  }

  /// Returns true if the connection may go on with a certificate that has these flaws.
  func accepts(_ certificate: UnsafeMutablePointer<GTlsCertificate>, flaws: GTlsCertificateFlags) -> Bool {
    let der = certificate.der
    shown = der
    let digests = TrustedCertificate(der: der)
    if let trusted, trusted.sha256 == digests.sha256 || trusted.vouches(for: certificate, of: endpoint) {
      return true
    }
    let fingerprint = digests.fingerprint
    refusal =
      trusted == nil
      ? .untrustedCertificate(host, flaws.list, fingerprint: fingerprint)
      : .untrustedCertificate(
        host, "it is not the one that is trusted for this host", fingerprint: fingerprint)
    return false
  }

  /// Refuses versions of TLS before 1.2, as RFC 8996 demands, even if the system's configuration allows them.
  func accepts(_ version: GTlsProtocolVersion) -> Bool {
    if version.rawValue >= G_TLS_PROTOCOL_VERSION_TLS_1_2.rawValue { return true }
    refusal = .insecureConnection(host, "it uses a version of TLS older than 1.2")
    return false
  }
}

/// The hosts that a transport has reached, and how near to this machine they are.
///
/// A server may not name an endpoint that is nearer than itself (see ``Endpoint``), but a name can lead to any address.
/// Where both have the same host, they are one server. If the server itself was not reached, its place is not known, and it
/// may name what it wants.
@GLibActor
final class ReachedHosts {
  private var zones: [String: WebAddress.Zone] = [:]

  /// Throws if a connection that is kept for the endpoint must not be used.
  func check(_ endpoint: Endpoint) throws(Failure) {
    if let zone = zones[endpoint.host] { try check(endpoint, at: zone) }
  }

  /// Notes that the endpoint's host was reached in `zone`. Throws if it may not be there. A host that several addresses
  /// lead to counts as being at the nearest one.
  func note(_ endpoint: Endpoint, at zone: WebAddress.Zone) throws(Failure) {
    try check(endpoint, at: zone)
    zones[endpoint.host] = max(zone, zones[endpoint.host] ?? zone)
  }

  private func check(_ endpoint: Endpoint, at zone: WebAddress.Zone) throws(Failure) {
    guard let namer = endpoint.namer, let place = zones[namer.host], zone > max(place, namer.zone) else {
      return
    }
    throw .notOAuth("\"\(endpoint.host)\" is \(Message.nearer)")
  }
}
