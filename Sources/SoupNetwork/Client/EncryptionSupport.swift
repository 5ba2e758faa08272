import CGLib

/// What GLib has to encrypt connections with.
public enum EncryptionSupport {
  /// Whether there is a library for it (glib-networking): without it no address of https can be asked.
  public static var isThere: Bool { g_tls_backend_supports_tls(g_tls_backend_get_default()) != 0 }
}
