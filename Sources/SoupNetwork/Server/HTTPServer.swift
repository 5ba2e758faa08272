import CGLib
import CSoup
import GLibSupport
import Glibc
import LoginCore

/// A server for this machine alone: it listens on a loopback address and a port of the system's choice for as
/// long as it lives, and refuses whoever asked for another host (RFC 8252 sections 7.3 and 8.3).
@GLibActor
public final class HTTPServer {
  /// Makes the answer to a request.
  public typealias Handler = @GLibActor (HTTPServerRequest) async -> HTTPServerResponse

  /// Where to listen.
  public enum Loopback: Sendable {
    /// On 127.0.0.1.
    case ipv4
    /// On ::1.
    case ipv6
    /// On 127.0.0.1, and on the same port of ::1 where this machine has it.
    case ipv4AndIPv6
  }

  private let server: UnsafeMutablePointer<SoupServer>
  private let exchanges: ServedExchanges
  private let loopback: Loopback
  /// Where it listens.
  public let port: UInt16

  /// Scheme, host and port; of two addresses that of 127.0.0.1.
  public var origin: String { "http://\(loopback == .ipv6 ? "[::1]" : "127.0.0.1"):\(port)" }

  /// Begins to listen, on a port of the system's choice unless one is named.
  public init(
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
        // Whoever listens there would be sent what is meant for this server.
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

  /// Lets the answers that are under way reach their readers, for at most half a second, and takes no other
  /// request. It listens until this object is released.
  public func close() async { await exchanges.finish() }

  /// What `soup_server_new` would do, were it not variadic.
  private static func newServer() -> UnsafeMutablePointer<SoupServer> {
    let object = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil)
    return UnsafeMutableRawPointer(object).unsafelyUnwrapped  // GLib ends the process where memory ends
      .assumingMemoryBound(to: SoupServer.self)
  }

  /// Returns the port, which the socket itself is asked for: libsoup 3.2 forgets to free what it says its addresses with.
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
    // The connections of the login before this one may still be closing on a port that was named; and this one may be
    // named the next time, while its own connections are. But of the ports that are closing none is chosen.
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

  /// With GLib's ten, a hundred connections at once would keep the next one waiting for seconds.
  private static let backlog: Int32 = 256
}

extension GLibError {
  /// Whether somebody else listens there.
  public var isAddressInUse: Bool {
    domain == g_io_error_quark() && code == Int32(G_IO_ERROR_ADDRESS_IN_USE.rawValue)
  }
}
