import Glibc

/// A file or a link in `/proc`, whose text the kernel makes when it is read.
package enum KernelFile {
  /// Returns the text, or its beginning if it is longer than the limit.
  package static func text(_ path: String, upTo limit: Int = 16 * 1_024) -> String? {
    bytes(path, upTo: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  static func bytes(_ path: String, upTo limit: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var (all, buffer) = ([UInt8](), [UInt8](repeating: 0, count: min(limit, 64 * 1_024)))
    while all.count < limit, case let count = read(file, &buffer, min(buffer.count, limit - all.count)),
      count > 0
    {
      all += buffer[..<count]
    }
    return all.isEmpty ? nil : all
  }

  /// Returns the path, or the name, to which a link leads.
  package static func target(ofLink path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
