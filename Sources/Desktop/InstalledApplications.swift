import CGLib
import Glibc
import LoginWays

/// The programs that the user's desktop has entries of.
public enum InstalledApplications {
  /// All of them. Every entry is read, so it is for who is about to show a window.
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

  /// Where the program of this name or path is, without links on the way.
  private static func path(of program: String) -> String? {
    guard let found = g_find_program_in_path(program) else { return nil }
    defer { g_free(found) }
    guard let resolved = realpath(found, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
