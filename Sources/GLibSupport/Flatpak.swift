import CGLib

/// The sandbox in which a Flatpak runs.
package enum Flatpak {
  /// The file by which a Flatpak is known.
  package static let sign = "/.flatpak-info"

  /// Whether this process is in one. A file that says nothing of an application is something else: WebKit can leave an
  /// empty one behind on a system that is no Flatpak.
  package static var isAround: Bool {
    if g_file_test(sign, G_FILE_TEST_EXISTS) == 0 { return false }
    let file = g_key_file_new()
    defer { g_key_file_free(file) }
    return g_key_file_load_from_file(file, sign, G_KEY_FILE_NONE, nil) != 0
      && ["Application", "Runtime", "Instance"].contains { (name: String) in
        g_key_file_has_group(file, name) != 0
      }
  }
}
