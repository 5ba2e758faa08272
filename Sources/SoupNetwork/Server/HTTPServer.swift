import CGLib
import CSoup
import GLibSupport
import Glibc
import LoginCore

/// A server for this machine only. It listens on a loopback address for as long as it lives, and refuses requests for
/// other hosts (RFC 8252 sections 7.3 and 8.3).
@GLibActor
package final class HTTPServer {
  /// Answers a request. The connection is reset if it returns nil.
  package typealias Handler = @GLibActor (HTTPServerRequest) async -> HTTPServerResponse?

  package enum Loopback: Sendable {
    /// 127.0.0.1
    case ipv4
    /// ::1
    case ipv6
    /// 127.0.0.1, and the same port of ::1 if this machine has IPv6.
    case ipv4AndIPv6
  }

  private let server: UnsafeMutablePointer<SoupServer>
  private let exchanges: ServedExchanges
  private let loopback: Loopback
  package let port: UInt16

  /// Scheme, host and port. The host is 127.0.0.1 unless the server listens on IPv6 only.
  package var origin: String { "http://\(loopback == .ipv6 ? "[::1]" : "127.0.0.1"):\(port)" }

  /// Starts to listen, on a port that the system chooses if `wanted` is zero.
  package init(
    on loopback: Loopback = .ipv4, port wanted: UInt16 = 0, limits: ServerLimits = ServerLimits(),
    handler: @escaping Handler
  ) throws(GLibError) {
    let server = Self.newServer()
    let port: UInt16
    do throws(GLibError) {
      port = try Self.listen(server, on: loopback == .ipv6 ? "::1" : "127.0.0.1", port: wanted)
    } catch {
      g_object_unref(server)
      throw error
    }
    if loopback == .ipv4AndIPv6 {
      do throws(GLibError) {
        _ = try Self.listen(server, on: "::1", port: port)
      } catch  where error.isAddressInUse {
        // The program that listens there would get requests that are meant for this server.
        g_object_unref(server)
        throw error
      } catch {}  // a machine without IPv6
    }
    exchanges = ServedExchanges(hosts: LocalHosts(port: port), limits: limits, handler: handler)
    self.server = server
    self.loopback = loopback
    self.port = port
    exchanges.follow(server)
  }

  isolated deinit {
    exchanges.forgetAll()
    soup_server_disconnect(server)
    g_object_unref(server)
  }

  /// Refuses new requests, and gives answers that are under way up to half a second to reach their readers. The server
  /// listens until this object is released.
  package func close() async { await exchanges.finish() }

  /// Does the same as `soup_server_new`, which is variadic.
  private static func newServer() -> UnsafeMutablePointer<SoupServer> {
    let object = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil)
    return UnsafeMutableRawPointer(object).unsafelyUnwrapped  // GLib ends the process if there is no memory
      .assumingMemoryBound(to: SoupServer.self)
  }

  /// Returns the port. The port is read from the socket itself: libsoup 3.2 leaks the addresses that it returns.
  private static func listen(
    _ server: UnsafeMutablePointer<SoupServer>, on address: String, port: UInt16
  ) throws(GLibError) -> UInt16 {
    var error: UnsafeMutablePointer<GError>?
    let isIPv6 = address.utf8.contains(UInt8(ascii: ":"))
    let family = isIPv6 ? G_SOCKET_FAMILY_IPV6 : G_SOCKET_FAMILY_IPV4
    let socket = g_socket_new(family, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, &error)
    if let error { throw GLibError(consuming: error) }
    defer { g_object_unref(socket) }
    let place = g_inet_socket_address_new_from_string(address, guint(port))
    defer { g_object_unref(place) }
    g_socket_set_listen_backlog(socket, backlog)
    // On a fixed port, connections of the previous login may still be closing, so it must be reusable. A port that the
    // system chooses is bound without reuse, so that it never has closing connections. It becomes reusable afterwards,
    // since the next login may ask for this port while our own connections are closing.
    if g_socket_bind(socket, place, port == 0 ? 0 : 1, &error) != 0,
      g_socket_set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1, &error) != 0,
      g_socket_listen(socket, &error) != 0
    {
      soup_server_listen_socket(server, socket, SoupServerListenOptions(rawValue: 0), &error)
    }
    if let error { throw GLibError(consuming: error) }
    guard let own = g_socket_get_local_address(socket, &error) else {
      throw GLibError(consuming: error.unsafelyUnwrapped)
    }
    defer { g_object_unref(own) }
    return g_inet_socket_address_get_port(
      UnsafeMutableRawPointer(own).assumingMemoryBound(to: GInetSocketAddress.self))
  }

  /// With GLib's default of ten, a hundred simultaneous connections would keep the next one waiting for seconds.
  private static let backlog: Int32 = 256
}

extension GLibError {
  /// True if another program listens there.
  package var isAddressInUse: Bool {
    domain == g_io_error_quark() && code == Int32(G_IO_ERROR_ADDRESS_IN_USE.rawValue)
  }
}

/// Limits that keep clients from exhausting the server's memory, descriptors or time.
package struct ServerLimits: Sendable {
  /// The bytes of all header fields together. No browser's request comes near this.
  package var headerBytes = 64 * 1_024
  /// The bytes of a body. A form with a token in it has a tenth of this.
  package var bodyBytes = 64 * 1_024
  /// The number of connections. One more displaces the connection that has been silent for longest.
  package var connections = 64
  /// The time that a client may take to send a request, or to read an answer.
  package var patience: Duration = .seconds(10)

  package init() {}
}

/// The host names that clients may use for the server. They protect against DNS rebinding: a page on another site can
/// point its own name here, but its requests still carry that name.
struct LocalHosts: Sendable {
  private let port: UInt16
  private static let names = ["127.0.0.1", "localhost", "[::1]"]

  init(port: UInt16) { self.port = port }

  /// True if the value of a `Host` field names this server.
  func includes(field: String) -> Bool {
    let host = field.lowercased()
    // The default port may be left out.
    return Self.names.contains {
      "\($0):\(port)".isIdentical(to: host) || port == 80 && $0.isIdentical(to: host)
    }
  }

  /// True if the host and the port of a request's own URI are those of this server.
  func includes(host: String, port: Int) -> Bool {
    port == Int(self.port) && (Self.names + ["::1"]).contains { $0.isIdentical(to: host.lowercased()) }
  }
}
