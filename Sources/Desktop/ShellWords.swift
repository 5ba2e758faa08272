import CGLib

/// Whether there is a program of this name or path to be started.
public func isProgram(_ name: String) -> Bool {
  guard let path = g_find_program_in_path(name) else { return false }
  g_free(path)
  return true
}

/// The words of a command as a shell splits it, without anything else that a shell does: nothing is expanded, and
/// nothing is run. Nothing for what is no command, such as one with a quote that does not end.
public func shellWords(_ command: String) -> [String]? {
  var count: gint = 0
  var words: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
  guard g_shell_parse_argv(command, &count, &words, nil) != 0, let words else { return nil }
  defer { g_strfreev(words) }
  return (0..<Int(count)).compactMap { words[$0].map { String(cString: $0) } }
}
