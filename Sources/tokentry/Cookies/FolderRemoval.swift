import Glibc

/// Removes a folder with everything in it, and nothing that a link in it leads to.
enum FolderRemoval {
  /// False if something stays, with the reason in `errno`.
  static func remove(_ name: String, in parent: Int32) -> Bool {
    let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0, let directory = fdopendir(folder) else {
      if folder >= 0 { close(folder) }
      return false
    }
    defer { closedir(directory) }
    for entry in entries(of: directory) {
      // What is not a folder is unlinked, and a link is not a folder.
      if unlinkat(folder, entry, 0) == 0 { continue }
      guard errno == EISDIR || errno == EPERM, remove(entry, in: folder) else { return false }
    }
    return unlinkat(parent, name, AT_REMOVEDIR) == 0
  }

  private static func entries(of directory: OpaquePointer) -> [String] {
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
