import CGLib
import CSoup
import GLibSupport

/// A session of libsoup, which is connections: the way they take, and who vouches for the servers at their ends.
@GLibActor
final class ConnectionPool {
  /// Who vouches for servers.
  enum Authorities: Hashable, Sendable {
    /// Those that this system trusts.
    case system
    /// Nobody: every certificate is left to a ``CertificateJudge``.
    case none
    /// Those in a file.
    case file(String)
  }

  /// Which way leads to servers.
  enum Proxies: Hashable, Sendable {
    /// The proxies of this system's configuration.
    case system
    /// The straight way.
    case none
    /// A proxy for everything.
    case always(String)
  }

  private let pointer: UnsafeMutablePointer<SoupSession>

  init(
    _ authorities: Authorities, _ proxies: Proxies, keepsCookies: Bool
  ) throws(GLibError) {
    pointer = soup_session_new()
    // An answer that asks for credentials is an answer: who has any has put them into the request. And libsoup
    // would send a proxy the password of its address again and again for as long as it is refused.
    soup_session_remove_feature_by_type(pointer, soup_auth_manager_get_type())
    if keepsCookies { soup_session_add_feature_by_type(pointer, soup_cookie_jar_get_type()) }
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

  /// Who knows the proxies, if any is asked.
  var resolver: OpaquePointer? { soup_session_get_proxy_resolver(pointer) }

  /// Sends a request and waits for the head of the answer; the stream holds what follows it.
  func send(_ message: Message, _ cancellable: Cancellable) async throws(GLibError) -> ByteStream {
    try await message.send(through: pointer, cancellable)
  }
}
