import CGLib
import Glibc

/// The user's list of default programs, `mimeapps.list` (Association between MIME types and applications). A change leaves
/// the rest of the file as it is, byte for byte.
struct DefaultApplications {
  private let path: String

  private static let group = "[Default Applications]"

  /// The list in the user's configuration folder. If it is a link, its target is changed, and the link stays.
  init(configuration folder: String) {
    let path = "\(folder)/mimeapps.list"
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    self.path = resolved.map { String(cString: $0) } ?? path
  }

  /// Returns the desktop entries for a scheme, as they are written in the list.
  func handlers(of scheme: String) -> String? {
    guard let lines = lines(), let index = index(of: scheme, in: lines) else { return nil }
    let value = lines[index].drop { $0 != UInt8(ascii: "=") }.dropFirst()
    return String(decoding: value.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// Changes the entries for a scheme; nil removes the line. Returns false, and changes nothing, if the list cannot be
  /// read or written.
  func setHandlers(_ handlers: String?, of scheme: String) -> Bool {
    guard var lines = lines() else { return false }
    let index = index(of: scheme, in: lines)
    guard let handlers else {
      if let index { lines.remove(at: index) }
      return write(lines)
    }
    let line = Array("\(Self.key(scheme))=\(handlers)".utf8)
    if let index {
      lines[index] = line
    } else if let header = lines.firstIndex(where: { $0.elementsEqual(Self.group.utf8) }) {
      lines.insert(line, at: header + 1)
    } else {
      lines += [Array(Self.group.utf8), line]
    }
    return write(lines)
  }

  private static func key(_ scheme: String) -> String { "x-scheme-handler/\(scheme)" }

  /// Returns the lines without their line feeds: an empty array if there is no list, nil if it cannot be read.
  private func lines() -> [[UInt8]]? {
    var text: UnsafeMutablePointer<gchar>?
    var length: gsize = 0
    var error: UnsafeMutablePointer<GError>?
    guard g_file_get_contents(path, &text, &length, &error) != 0, let text else {
      defer { g_clear_error(&error) }
      return g_error_matches(error, g_file_error_quark(), Int32(G_FILE_ERROR_NOENT.rawValue)) != 0 ? [] : nil
    }
    defer { g_free(text) }
    var lines = UnsafeRawBufferPointer(start: text, count: Int(length))
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
    if lines.last == [] { lines.removeLast() }
    return lines
  }

  /// The last of several lines with the same key counts.
  private func index(of scheme: String, in lines: [[UInt8]]) -> Int? {
    var isInGroup = false
    var found: Int?
    for (index, line) in lines.enumerated() {
      if line.first == UInt8(ascii: "[") { isInGroup = line.elementsEqual(Self.group.utf8) }
      guard isInGroup, let end = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      if line[..<end].filter({ $0 != UInt8(ascii: " ") }).elementsEqual(Self.key(scheme).utf8) {
        found = index
      }
    }
    return found
  }

  /// Leaves out an empty group at the end, and removes an empty list.
  private func write(_ lines: [[UInt8]]) -> Bool {
    let isBare = lines.last?.elementsEqual(Self.group.utf8) == true
    let kept = isBare ? lines.dropLast() : lines[...]
    if kept.isEmpty { return unlink(path) == 0 || errno == ENOENT }
    let bytes = kept.flatMap { $0 + [UInt8(ascii: "\n")] }
    return bytes.withUnsafeBytes { buffer in
      g_file_set_contents(
        path, buffer.baseAddress?.assumingMemoryBound(to: gchar.self), gssize(buffer.count), nil) != 0
    }
  }
}
