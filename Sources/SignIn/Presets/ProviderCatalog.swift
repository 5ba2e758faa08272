import Glibc
import LoginCore
import Platform
import WindowProtocol

/// The preset files of this machine: the user's, then the administrator's, then those that come with the program.
package struct ProviderCatalog: Sendable {
  private let environment: Environment

  package init(environment: Environment) { self.environment = environment }

  /// The folders for presets, the most important first: those of the XDG Base Directory Specification, then those next to
  /// the executable. Computed when needed, because most commands use no preset.
  package var folders: [String] {
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
      let parent = executable.parentFolder
      folders.append(parent.parentFolder + "/share/tokentry/providers")
      if let tree = Self.buildTree(above: parent) { folders.append(tree + "/data/providers") }
    }
    return folders.enumerated().filter { place, folder in !folders[..<place].contains(folder) }.map(\.element)
  }

  /// Returns a preset by its name, or by the path of its file.
  package func preset(_ name: String) throws(Failure) -> Preset {
    if name.contains("/") || name.hasSuffix(".json") { return try Self.read(name) }
    for folder in folders where Self.isName(name) {
      let path = "\(folder)/\(name).json"
      // A broken link is a preset that cannot be read, so the search does not go on.
      if faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return try Self.read(path) }
    }
    throw Failure(
      .unknownProvider, "there is no provider \"\(name, upTo: 60)\"",
      hint: nearest(to: name).map(Failure.Hint.didYouMean) ?? lack.map(Failure.Hint.text) ?? .listProviders)
  }

  /// The message that no presets are installed, or nil if there are some.
  package var lack: Message? {
    files().isEmpty
      ? "no presets are installed; looked in \(folders.joined(separator: " "), upTo: 1_000)" : nil
  }

  /// Returns the preset with a similar name, or the preset for a given host.
  private func nearest(to name: String) -> String? {
    let names = files().map(\.name)
    let spelled = name.lowercased().replacingAll("_", with: "-").replacingAll(" ", with: "-")
    let host = spelled.split(separator: ".").map(String.init).last { names.contains($0) }
    return host ?? nearestName(to: spelled, among: names)
  }

  /// Returns every preset that has a name, sorted by name.
  package func files() -> [(name: String, path: String)] {
    var paths: [String: String] = [:]
    for folder in folders {
      for file in Self.entries(of: folder) where file.hasSuffix(".json") {
        let name = String(file.dropLast(5))
        if Self.isName(name), paths[name] == nil { paths[name] = "\(folder)/\(file)" }
      }
    }
    return paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns the ways that a preset names for its issuer. There are none if no preset has this issuer, or its issuer has
  /// variables.
  package func ways(of issuer: Issuer) -> [LoginWay] {
    for file in files() {
      guard let preset = try? Self.read(file.path),
        preset.json["issuer"]?.string?.isIdentical(to: issuer.description) == true
      else { continue }
      return ProviderProfile(lenient: preset.json)?.ways ?? []
    }
    return []
  }

  /// Reads a preset file, which decides where codes and secrets go. An error names the file and the line.
  package static func read(_ path: String) throws(Failure) -> Preset {
    let bytes = try failing(
      OpenFile.own(at: path, othersMayRead: true).contents(limit: Preset.maximumSize)
    ) { (error: FileError) in Failure(.invalidConfiguration, error.message, hint: error.hint) }
    return try failing(Preset(bytes, extra: ExtraMembers(of: ProviderProfile.self))) { (error: JSONError) in
      Failure(.invalidConfiguration, "\(path):\(error.line): \(error.message)")
    }
  }

  private static func entries(of folder: String) -> [String] {
    (try? OpenFile(reading: folder).names()) ?? []
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || byte.isDigit || "-_.".utf8.contains(byte)
      } && !text.hasPrefix(".")
  }

  /// Returns the source tree of this package in which the executable was built.
  private static func buildTree(above folder: String) -> String? {
    var folder = folder
    while !folder.isEmpty, folder != "." {
      if access(folder + "/Package.swift", F_OK) == 0, access(folder + "/data/providers", F_OK) == 0 {
        return folder
      }
      folder = folder.parentFolder
    }
    return nil
  }
}
