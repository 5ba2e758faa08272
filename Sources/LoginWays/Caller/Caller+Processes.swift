/// What the system tells of a process.
package struct ProcessFacts: Sendable, Equatable {
  /// The path of its program.
  package var executable: String?
  /// What `/proc/PID/cgroup` says.
  package var controlGroup: String?
  /// What is in the file by which a Flatpak is known, in its own view of the files.
  package var flatpakInfo: String?

  package init(executable: String? = nil, controlGroup: String? = nil, flatpakInfo: String? = nil) {
    (self.executable, self.controlGroup, self.flatpakInfo) = (executable, controlGroup, flatpakInfo)
  }
}

/// A program that the desktop has an entry of.
package struct InstalledApplication: Sendable, Equatable {
  package let identifier: String
  package let name: String
  /// The path of what it starts.
  package let executable: String?

  package init(identifier: String, name: String, executable: String?) {
    (self.identifier, self.name, self.executable) = (identifier, name, executable)
  }
}

extension Caller {
  /// Who has started a login. `processes` are those above it, the nearest first; `controlGroup` is its own, which stays
  /// the same when whoever started it has gone.
  ///
  /// A sandbox is known for certain. A desktop puts what it starts into a control group with its name, and the shells
  /// and helpers of an application stay in there. Where there is neither, it is the program that has started us, or the
  /// one that has started its shell.
  package init?(
    _ processes: [ProcessFacts], controlGroup: String?, _ applications: [InstalledApplication]
  ) {
    if let id = processes.first?.flatpakInfo.flatMap(Self.flatpak) {
      self.init(.flatpak, id, name: Self.name(of: id, applications))
      return
    }
    for group in [processes.first?.controlGroup, controlGroup].compactMap(\.self) {
      guard let (kind, id) = Self.unit(of: group) else { continue }
      self.init(kind, id, name: Self.name(of: id, applications))
      return
    }
    // Nobody is named in the place of one whose program cannot be told.
    let told = processes.prefix { $0.executable != nil }.compactMap(\.executable)
    guard let path = told.first(where: { !Self.isShell($0) }) ?? told.first else { return nil }
    let owners = Self.isInterpreter(path) ? [] : applications.filter { $0.executable == path }
    if owners.count == 1, let owner = owners.first {
      self.init(.application, owner.identifier, name: owner.name)
    } else {
      self.init(.executable, path)
    }
  }

  private static func name(of id: String, _ applications: [InstalledApplication]) -> String? {
    applications.first { $0.identifier == id }?.name
  }

  /// The application's identifier in the file of a Flatpak.
  private static func flatpak(_ info: String) -> String? {
    var isApplication = false
    for line in info.split(separator: "\n") {
      if line.hasPrefix("[") { isApplication = line == "[Application]" }
      if isApplication, line.hasPrefix("name=") { return String(line.dropFirst(5)) }
    }
    return nil
  }

  /// Whom a control group belongs to, by the names that systemd's units for applications have, and those of snaps.
  private static func unit(of group: String) -> (Kind, String)? {
    guard let line = group.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
    for component in line.split(separator: "/").reversed() {
      guard let dot = component.lastIndex(of: ".") else { continue }
      let (unit, type) = (component[..<dot], component[dot...])
      if unit.hasPrefix("snap."), type == ".scope" || type == ".service" {
        let parts = unit.split(separator: ".")
        if parts.count > 2 { return (.snap, String(parts[1])) }
      }
      guard unit.hasPrefix("app-"), let found = application(unit.dropFirst(4), type) else { continue }
      return found
    }
    return nil
  }

  /// A name as `app[-LAUNCHER]-ID-RANDOM.scope`, `app[-LAUNCHER]-ID[@RANDOM].service` or `app-ID.slice`.
  private static func application(_ unit: Substring, _ type: Substring) -> (Kind, String)? {
    var parts = unit.prefix { $0 != "@" }.split(separator: "-").map(unescaped)
    if type == ".scope", parts.count > 1 { parts.removeLast() }
    guard [".scope", ".service", ".slice"].contains(type), let id = parts.last, !id.isEmpty else {
      return nil
    }
    return (parts.first == "flatpak" && parts.count > 1 ? .flatpak : .application, id)
  }

  /// The escapes that systemd writes for bytes such as `-`.
  private static func unescaped(_ text: Substring) -> String {
    var (rest, bytes) = (Array(text.utf8)[...], [UInt8]())
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count > 2,
        let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Programs that only start others for somebody.
  private static func isShell(_ path: String) -> Bool { shells.contains(base(path)) }

  private static let shells: Set<String> = [
    "ash", "bash", "busybox", "csh", "dash", "env", "fish", "ksh", "mksh", "nice", "nohup", "script",
    "setsid",
    "sh", "stdbuf", "tcsh", "timeout", "xargs", "zsh",
  ]

  /// Programs that run those of many, so that no entry which names one says whose it is.
  private static func isInterpreter(_ path: String) -> Bool {
    let name = base(path).prefix { $0.isLetter }
    return isShell(path) || interpreters.contains(String(name))
  }

  private static let interpreters: Set<String> = [
    "bun", "bwrap", "deno", "electron", "flatpak", "gjs", "guile", "java", "lua", "mono", "node", "nodejs",
    "perl",
    "php", "python", "qemu", "ruby", "snap", "wine",
  ]

  private static func base(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
