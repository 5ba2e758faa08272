import Glibc
import Platform

/// A file from which other programs take a token. Only the user can read it, and it is replaced as a whole.
///
/// Each call opens the folder anew, because it may have been removed and made again.
struct TokenFile: Sendable {
  let path: String
  private let folder: String
  private let name: String
  private var temporary: String { ".\(name).new" }

  init(_ path: String) {
    self.path = path
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  var isThere: Bool { access(path, F_OK) == 0 }

  /// Refuses a place where the file cannot be, and removes what a killed program has left there.
  func prepare() throws(FileError) { try checkedFolder().removeLeftover(temporary) }

  /// With a `mode`, other users may read it.
  func replace(with text: String, mode: mode_t = 0o600) throws(FileError) {
    try checkedFolder().replace(name, with: Array(text.utf8), through: temporary, mode: mode)
  }

  /// Opens the folder. If other users could replace the file, or it is not a file of the user, this fails.
  private func checkedFolder() throws(FileError) -> PrivateFolder {
    let folder = try PrivateFolder(folder, making: false, forbidding: 0o022)
    if name.isEmpty { throw .notRegular(path) }
    try folder.checkReplaceable(name)
    return folder
  }
}
