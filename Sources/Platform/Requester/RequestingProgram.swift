import LoginCore
import WindowProtocol

/// Facts from `/proc` about one process.
package struct ProcessFacts: Sendable, Equatable {
  /// The path of its program.
  package var executable: String?
  /// Its words, beginning with the name of the program.
  package var arguments: [String] = []
  /// Its current folder.
  package var folder: String?
  /// The text of `/proc/PID/cgroup`.
  package var controlGroup: String?
  /// The device and inode of its program.
  package var file: String?
  /// The device and inode of its script, if its words say that it runs the script and no other code.
  package var scriptFile: String?
  /// True if its program's file is root's.
  package var isOfSystem = false
  /// Its mount namespace: what it sees as the file system.
  package var namespace: String?
  /// The time at which it started, in the kernel's units. It tells the process from a later one with the same number.
  package var startTime: String?
}

/// A program with a desktop entry.
package struct InstalledApplication: Sendable, Equatable {
  package let identifier: String
  package let name: String
  /// The path of the executable that the entry starts.
  package let executable: String?
}

extension RequestingProgram {
  /// Finds out which program started the login. `processes` are our ancestors, the nearest first; `controlGroup` is our
  /// own, which stays the same when the program that started us has ended.
  ///
  /// A desktop, Flatpak and snap put each application into a control group with its name, together with the shells and
  /// helpers that the application starts. Without one, the caller is the nearest ancestor that is not a shell, else the
  /// script that the nearest shell runs, else the outermost of the shells.
  package init?(
    _ processes: [ProcessFacts], controlGroup: String?, _ applications: [InstalledApplication]
  ) {
    for group in [processes.first?.controlGroup, controlGroup].compactMap(\.self) {
      guard let (kind, id) = Self.unit(of: group) else { continue }
      self.init(kind, id, name: Self.name(of: id, applications))
      return
    }
    // An ancestor whose program is unknown may be the caller, so no program further up is named in its place.
    let known = processes.prefix { $0.executable != nil }.map { process in
      (path: process.executable ?? "", script: Self.script(of: process)?.path)
    }
    let programs = known.filter { !Self.isShell($0.path) }
    guard let caller = programs.first ?? known.first(where: { $0.script != nil }) ?? known.last else {
      return nil
    }
    let owners = Self.isInterpreter(caller.path) ? [] : applications.filter { $0.executable == caller.path }
    if owners.count == 1, let owner = owners.first {
      self.init(.application, owner.identifier, name: owner.name)
    } else {
      self.init(.executable, caller.path, script: caller.script)
    }
  }

  private static func name(of id: String, _ applications: [InstalledApplication]) -> String? {
    applications.first { $0.identifier == id }?.name
  }

  /// Reads the application from a control group's path: snap's own names, or those of systemd's units for applications.
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

  /// Reads `app[-LAUNCHER]-ID-RANDOM.scope`, `app[-LAUNCHER]-ID[@RANDOM].service` or `app-ID.slice`.
  private static func application(_ unit: Substring, _ type: Substring) -> (Kind, String)? {
    var parts = unit.prefix { $0 != "@" }.split(separator: "-").map(unescaped)
    if type == ".scope", parts.count > 1 { parts.removeLast() }
    guard [".scope", ".service", ".slice"].contains(type), let id = parts.last, !id.isEmpty else {
      return nil
    }
    return (parts.first == "flatpak" && parts.count > 1 ? .flatpak : .application, id)
  }

  /// Undoes systemd's `\xNN` escapes for bytes such as `-`.
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

  /// True for shells and other programs that only start another one.
  private static func isShell(_ path: String) -> Bool { shells.contains(base(path)) }

  private static let shells: Set<String> = [
    "ash", "bash", "busybox", "chrt", "csh", "dash", "dbus-run-session", "doas", "env", "fish", "ionice",
    "ksh", "mksh", "nice",
    "nohup", "script", "setsid", "sh", "stdbuf", "strace", "sudo", "taskset", "tcsh", "time", "timeout",
    "xargs", "zsh",
  ]

  /// True for programs that run many applications: a desktop entry that starts one does not own the process.
  package static func isInterpreter(_ path: String) -> Bool {
    let name = base(path).prefix { $0.isLetter }
    return isShell(path) || interpreters.contains(String(name)) || starters.contains(String(name))
  }

  private static let interpreters: Set<String> = [
    "bun", "deno", "electron", "gjs", "guile", "java", "lua", "luajit", "mono", "node", "nodejs", "perl",
    "php",
    "pypy", "python", "ruby", "tclsh", "wine",
  ]
  /// Programs whose words do not name a script: sandboxes, emulators, the loader of programs (`ld-linux-x86-64.so.2`), and
  /// interpreters whose first word is code or a command.
  private static let starters: Set<String> = [
    "awk", "bwrap", "dotnet", "flatpak", "gawk", "julia", "ld", "mawk", "pwsh", "qemu", "R", "Rscript",
    "snap",
  ]

  /// Returns the script that an interpreter runs, if its words are understood: flags, and the path. The script `isWhole` if
  /// it decides alone which code runs. The process chooses its words itself, so the script is a claim, like the name of an
  /// application.
  package static func script(of process: ProcessFacts) -> (path: String, isWhole: Bool)? {
    let name = base(process.executable ?? "")
    let letters = String(name.prefix { $0.isLetter })
    let isShell = shells.contains(name) && name.hasSuffix("sh")
    guard isShell || interpreters.contains(letters) else { return nil }
    let known = Self.flags[isShell ? "sh" : letters]
    let flags = known ?? ""
    // Without -jar, Java's first word is a class, which may be anywhere.
    var isWhole = letters == "java" ? process.arguments.dropFirst().first == "-jar" : known != nil
    var rest = process.arguments.dropFirst()
    while let word = rest.popFirst() {
      if word.hasPrefix("-") {
        let isFlag = word.utf8.count > 1 && word.dropFirst().allSatisfy(flags.contains)
        if isFlag || word == "-jar" && letters == "java" { continue }
        isWhole = false
        if word == "-m", letters == "python" { return rest.first.flatMap { $0.isEmpty ? nil : ($0, false) } }
        guard valueOptions.contains(word) else { return nil }
        _ = rest.popFirst()
        continue
      }
      // A pipe has no name: `bash <(curl …)`, `python3 /dev/stdin`.
      if ["/dev/", "/proc/"].contains(where: word.hasPrefix) { return nil }
      let path = word.hasPrefix("./") ? String(word.dropFirst(2)) : word
      if base(path).isEmpty { return nil }
      if path.hasPrefix("/") { return (path, isWhole) }
      return process.folder.map { ("\($0)/\(path)", isWhole) } ?? (path, false)
    }
    return nil
  }

  /// The flags of interpreters that bring in no code and have no value. Several may be in one word, such as `-Iu`. An
  /// interpreter that is missing here may take its first word for a command, such as `run`.
  private static let flags: [String: String] = [
    "gjs": "m", "java": "", "lua": "", "luajit": "", "node": "", "nodejs": "", "perl": "TUWtw", "php": "nq",
    "pypy": "BEIOSbdqsuv", "python": "BEIOPRSbdqsuv", "ruby": "Ww", "sh": "aefhluvx", "tclsh": "",
  ]

  /// Options whose value has to be skipped to find the script.
  private static let valueOptions: Set<String> = [
    "-W", "-X", "-classpath", "-cp", "-o", "-r", "--class-path", "--import", "--loader", "--require",
  ]

  private static func base(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
