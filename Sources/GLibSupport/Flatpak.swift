import CGLib

/// The sandbox in which a Flatpak runs.
package enum Flatpak {
  /// Whether this process is in one.
  package static var isAround: Bool { g_file_test("/.flatpak-info", G_FILE_TEST_EXISTS) != 0 }
}
