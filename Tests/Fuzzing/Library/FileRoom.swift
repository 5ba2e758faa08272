import Glibc

@testable import LoginCore
@testable import Platform

extension Room {
  /// Private files: a file is read under the name under which it was written, and no name leads out of the folder. The
  /// name is in the first line, and the contents are in the rest.
  static let files = Room(name: "files", longest: 512) { bytes in
    guard let folder else { return }
    var input = Input(bytes)
    let name = input.line().prefix { $0 != 0 }.text
    let contents = input.remainder
    let leadsElsewhere = name.isEmpty || name.has("/") || name == "." || name == ".."
    // Other types make the file names, and never make such a one, so it is only read.
    if leadsElsewhere { return checkReading(folder, name) }
    if name == temporary { return }
    do throws(FileError) {
      try folder.replace(name, with: contents, through: temporary, isPassing: true)
    } catch {
      unlink("\(folder.path)/\(temporary)")
      return require(name.utf8.count > 255, "\(name) can be written: \(error)")
    }
    require((try? folder.read(name, limit: contents.count)) == contents, "\(name) is read as it was written")
    if !contents.isEmpty {
      require((try? folder.read(name, limit: contents.count - 1)) == nil, "a file above the limit is refused")
    }
    require((try? folder.names()) == [name], "the folder has one file: \(name)")
    checkForeign(folder, name)
    unlink("\(folder.path)/\(name)")
    require((try? folder.read(name, limit: 1)) == nil, "a removed file cannot be read: \(name)")
  }

  private static let temporary = ".new"

  /// The folder that the script names.
  private static let folder: PrivateFolder? = getenv("TOKENTRY_FUZZ_FOLDER").flatMap {
    try? PrivateFolder("\(String(cString: $0))/files-\(getpid())", making: true)
  }

  private static func checkReading(_ folder: PrivateFolder, _ name: String) {
    guard let bytes = try? folder.read(name, limit: 1_024) else { return }
    require(bytes.isEmpty || name.has("/"), "\(name) is not a file of the folder")
  }

  /// Checks that a file that others can read is refused, and that links are not followed.
  private static func checkForeign(_ folder: PrivateFolder, _ name: String) {
    let path = "\(folder.path)/\(name)"
    chmod(path, 0o644)
    require((try? folder.read(name, limit: 1_024)) == nil, "a file that others can read is refused: \(name)")
    unlink(path)
    symlink("/dev/null", path)
    require((try? folder.read(name, limit: 1_024)) == nil, "a link is not followed: \(name)")
  }
}
