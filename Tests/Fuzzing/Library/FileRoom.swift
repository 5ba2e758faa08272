import Glibc

@testable import LoginCore
@testable import PrivateFiles

extension Room {
  /// Private files: what was written under a name is read under it and no other, and no name leads out of the folder. A
  /// name in the first line, and what is in the file.
  static let files = Room(name: "files", longest: 512) { bytes in
    guard let folder else { return }
    var input = Input(bytes)
    let name = input.line().prefix { $0 != 0 }.text
    let contents = input.remainder
    let leadsElsewhere = name.isEmpty || name.has("/") || name == "." || name == ".."
    // Names of files are made by other types, which never make such a one; nothing is written under it here.
    if leadsElsewhere { return checkReading(folder, name) }
    if name == temporary { return }
    do throws(FileFault) {
      try folder.replace(name, with: contents, through: temporary, isPassing: true)
    } catch {
      unlink("\(folder.path)/\(temporary)")
      return demand(name.utf8.count > 255, "\(name) can be written: \(error)")
    }
    demand((try? folder.read(name, limit: contents.count)) == contents, "\(name) is read as it was written")
    if !contents.isEmpty {
      demand((try? folder.read(name, limit: contents.count - 1)) == nil, "no more is read than is allowed")
    }
    demand((try? folder.names()) == [name], "there is one file: \(name)")
    checkForeign(folder, name)
    unlink("\(folder.path)/\(name)")
    demand((try? folder.read(name, limit: 1)) == nil, "what is gone is not read: \(name)")
  }

  private static let temporary = ".new"

  /// Where the script wants it.
  private static let folder: PrivateFolder? = getenv("TOKENTRY_FUZZ_FOLDER").flatMap {
    try? PrivateFolder("\(String(cString: $0))/files-\(getpid())", making: true)
  }

  private static func checkReading(_ folder: PrivateFolder, _ name: String) {
    guard let bytes = try? folder.read(name, limit: 1_024) else { return }
    demand(bytes.isEmpty || name.has("/"), "\(name) is no file of the folder")
  }

  /// What others can read is not believed, and a link leads nowhere.
  private static func checkForeign(_ folder: PrivateFolder, _ name: String) {
    let path = "\(folder.path)/\(name)"
    chmod(path, 0o644)
    demand((try? folder.read(name, limit: 1_024)) == nil, "a file that others can read is not read: \(name)")
    unlink(path)
    symlink("/dev/null", path)
    demand((try? folder.read(name, limit: 1_024)) == nil, "a link is not followed: \(name)")
  }
}
