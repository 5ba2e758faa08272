import CGLib
import CSoup
import GLibSupport

/// A session of libsoup: its connections, and who vouches for the servers at their other ends.
@GLibActor
final class Session {
  /// Who vouches for servers.
  enum Authorities {
    /// Those that this system trusts.
    case system
    /// Nobody: every certificate is left to a ``CertificateJudge``.
    case none
    /// Those in a file.
    case file(String)
  }

  private let pointer: UnsafeMutablePointer<SoupSession>

  init(userAgent: String, authorities: Authorities) throws(GLibError) {
    pointer = soup_session_new()
    soup_session_set_user_agent(pointer, userAgent)
    // An answer that asks for credentials is an answer: who has any has put them into the request.
    soup_session_remove_feature_by_type(pointer, soup_auth_manager_get_type())
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

  /// Sends a request and waits for the head of the answer; the stream holds what follows it.
  func send(_ message: Message, _ cancellable: Cancellable) async throws(GLibError) -> BodyStream {
    try await message.send(through: pointer, cancellable)
  }
}
