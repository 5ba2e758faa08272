import CGLib
import LoginCore

extension ClientSlot {
  /// What a file is called that belongs to it.
  ///
  /// A digest, since two addresses may be too long for a file's name; with it the name is longer than any account's. If
  /// GLib knew no SHA-256 all places would have one file, whose document says which of them it belongs to.
  var fileName: String {
    guard let digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, description, -1) else {
      return "client"
    }
    defer { g_free(digest) }
    return "client-\(String(cString: digest))"
  }
}
