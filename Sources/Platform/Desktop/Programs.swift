import CGLib
import Glibc
import WindowProtocol

/// The programs that have a desktop entry.
package enum InstalledApplications {
  /// Returns all of them. This reads every entry, which takes a while.
  package static func all() -> [InstalledApplication] {
    let list = g_app_info_get_all()
    defer { g_list_free_full(list, g_object_unref) }
    var found: [InstalledApplication] = []
    var next = list
    while let node = next {
      let info = node.pointee.data.map { OpaquePointer($0) }
      if let info, let id = g_app_info_get_id(info).map({ String(cString: $0) }) {
        found.append(
          InstalledApplication(
            identifier: id.hasSuffix(".desktop") ? String(id.dropLast(8)) : id,
            name: String(cString: g_app_info_get_display_name(info)),
            executable: g_app_info_get_executable(info).flatMap { path(of: String(cString: $0)) }))
      }
      next = node.pointee.next
    }
    return found
  }

  /// Returns the path of a program, with all links resolved.
  private static func path(of program: String) -> String? {
    guard let found = g_find_program_in_path(program) else { return nil }
    defer { g_free(found) }
    guard let resolved = realpath(found, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// Returns true if there is an executable program with this name in `PATH`, or at this path.
package func isProgram(_ name: String) -> Bool {
  guard let path = g_find_program_in_path(name) else { return false }
  g_free(path)
  return true
}

/// Splits a command into words as a shell does, without expanding or running any of it. Returns nil for a text that is
/// not a command, such as one with an open quote.
package func shellWords(_ command: String) -> [String]? {
  var count: gint = 0
  var words: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
  guard g_shell_parse_argv(command, &count, &words, nil) != 0, let words else { return nil }
  defer { g_strfreev(words) }
  return (0..<Int(count)).compactMap { words[$0].map { String(cString: $0) } }
}
