import CGLib
import Glibc

/// The user's own list of the programs that open things by default (Association between MIME types and
/// applications, `mimeapps.list`), of which everything that is not asked about stays as it is, byte for byte.
struct DefaultApplications {
  private let path: String

  private static let group = "[Default Applications]"

  /// With the user's folder for configuration. A list that is elsewhere, with a link to it, stays there.
  init(configuration folder: String) {
    let path = "\(folder)/mimeapps.list"
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    self.path = resolved.map { String(cString: $0) } ?? path
  }

  /// The desktop entries that open addresses of a scheme, as the list has them.
  func handlers(of scheme: String) -> String? {
    guard let lines = lines(), let index = index(of: scheme, in: lines) else { return nil }
    let value = lines[index].drop { $0 != UInt8(ascii: "=") }.dropFirst()
    return String(decoding: value.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// Changes them; nothing is what the list has where the user has chosen none. False if it cannot be read or written,
  /// which leaves it as it is.
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

  /// Without the line feed at the end; none where there is no list, and nothing where it cannot be read.
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

  /// Of several lines with the same key the last one counts.
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

  /// A group with nothing in it at the end says nothing, and neither does a list with nothing in it.
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
