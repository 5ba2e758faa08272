import Glibc
import LoginCore
import PrivateFiles
import Wording

/// The preset files of this machine: the user's before the administrator's before those that came along.
struct ProviderCatalog {
  let environment: Environment

  /// The folders in which presets are looked for, the most important first, as the XDG Base Directory Specification and
  /// the place of the executable give them. Most commands need none.
  var folders: [String] {
    var folders: [String] = []
    if let home = environment.folder("XDG_CONFIG_HOME", default: ".config") {
      folders.append(home + "/tokentry/providers")
    }
    if let home = environment.folder("XDG_DATA_HOME", default: ".local/share") {
      folders.append(home + "/tokentry/providers")
    }
    folders += environment.folders("XDG_DATA_DIRS", default: ["/usr/local/share", "/usr/share"])
      .map { $0 + "/tokentry/providers" }
    if let executable = environment.executable {
      let parent = Self.parent(of: executable)
      folders.append(Self.parent(of: parent) + "/share/tokentry/providers")
      if let tree = Self.buildTree(above: parent) { folders.append(tree + "/data/providers") }
    }
    return folders.enumerated().filter { place, folder in !folders[..<place].contains(folder) }.map(\.element)
  }

  /// A preset by its name, or by the path of its file.
  func preset(_ name: String) throws(Failure) -> Preset {
    if name.contains("/") || name.hasSuffix(".json") { return try Self.read(name) }
    for folder in folders where Self.isName(name) {
      let path = "\(folder)/\(name).json"
      // A link that leads nowhere is a preset that cannot be read, and not one that is not there.
      if faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return try Self.read(path) }
    }
    throw .configuration(.unknownProvider(name, nearest: nearest(to: name)))
  }

  /// The preset that is meant by another spelling, or by the provider's host.
  private func nearest(to name: String) -> String? {
    let names = files().map(\.name)
    let spelled = name.lowercased().replacingAll("_", with: "-").replacingAll(" ", with: "-")
    let host = spelled.split(separator: ".").map(String.init).last { names.contains($0) }
    return host ?? nearestName(to: spelled, among: names)
  }

  /// Every preset that a name can reach, sorted by name.
  func files() -> [(name: String, path: String)] {
    var paths: [String: String] = [:]
    for folder in folders {
      for file in Self.entries(of: folder) where file.hasSuffix(".json") {
        let name = String(file.dropLast(5))
        if Self.isName(name), paths[name] == nil { paths[name] = "\(folder)/\(file)" }
      }
    }
    return paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Reads a preset file; what is wrong with it is said with file and line.
  static func read(_ path: String) throws(Failure) -> Preset {
    let bytes = try failing(OpenFile(reading: path).contents(limit: Preset.maximumSize)) {
      .configuration(.presetFile($0))
    }
    return try failing(Preset(bytes)) { .configuration(.preset(path: path, $0)) }
  }

  private static func entries(of folder: String) -> [String] {
    (try? OpenFile(reading: folder).names()) ?? []
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-_.".utf8.contains(byte)
      } && !text.hasPrefix(".")
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "" : String(path[..<slash])
  }

  /// The nearest folder above a build's products that is a source tree of this package.
  private static func buildTree(above folder: String) -> String? {
    var folder = folder
    while !folder.isEmpty, folder != "." {
      if access(folder + "/Package.swift", F_OK) == 0, access(folder + "/data/providers", F_OK) == 0 {
        return folder
      }
      folder = parent(of: folder)
    }
    return nil
  }
}
