import Foundation
@testable import TestSupport

/// The processes in /proc.
enum Processes {
  /// A process that has not ended.
  struct Entry {
    let identifier: pid_t
    let name: String
    let parent: pid_t
    let group: pid_t
  }

  static var all: [Entry] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.compactMap { identifier in
      guard let stat = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8),
        let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")")
      else { return nil }
      let fields = stat[stat.index(close, offsetBy: 2)...].split(separator: " ")
      guard fields.count > 2, fields[0] != "Z", let parent = pid_t(fields[1]),
        let group = pid_t(fields[2])
      else { return nil }
      let name = String(stat[stat.index(after: open)..<close])
      return Entry(identifier: identifier, name: name, parent: parent, group: group)
    }
  }

  /// The names of the processes in a group.
  static func names(inGroup group: pid_t) -> [String] {
    all.filter { $0.group == group }.map(\.name).sorted()
  }

  /// The first process in a group whose name has this prefix, such as `WebKitWeb`.
  static func first(_ prefix: String, inGroup group: pid_t) -> pid_t? {
    all.first { $0.group == group && $0.name.hasPrefix(prefix) }?.identifier
  }

  /// The window of a login, even if another program has started the login.
  static func window(of login: Program) -> pid_t? {
    let all = all
    let windows = all.filter { $0.name.hasPrefix("tokentry-win") }
    var families: Set = [login.identifier]
    for _ in 0..<3 {
      if let window = windows.first(where: { families.contains($0.parent) }) {
        return window.identifier
      }
      families.formUnion(all.filter { families.contains($0.parent) }.map(\.identifier))
    }
    return nil
  }

  /// True if a process in the group listens for TCP connections.
  static func listens(inGroup group: pid_t) -> Bool {
    let sockets = listeningSockets
    return all.contains { process in
      process.group == group && !files(of: process).isDisjoint(with: sockets)
    }
  }

  private static var listeningSockets: Set<String> {
    var sockets: Set<String> = []
    for name in ["tcp", "tcp6"] {
      // A kernel without IPv6 has only the first.
      let table = String(decoding: systemFile("/proc/net/\(name)") ?? Data(), as: UTF8.self)
      for line in table.split(separator: "\n") {
        let fields = line.split(separator: " ")
        if fields.count > 9, fields[3] == "0A" { sockets.insert("socket:[\(fields[9])]") }
      }
    }
    return sockets
  }

  private static func files(of process: Entry) -> Set<String> {
    let folder = "/proc/\(process.identifier)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(
      names.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      })
  }

  /// The namespace of a kind, such as `mnt`, that a process is in.
  static func namespace(_ kind: String, of process: pid_t) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/\(kind)")
  }
}

/// Commands that run a program in a namespace of its own, where the system looks different. The program's words follow.
enum Namespace {
  private static let user = getuid() == 0 ? [] : ["--map-root-user"]

  /// Runs a program after a shell command has mounted other files.
  static func mounts(_ command: String) -> [String] {
    ["/usr/bin/unshare", "--mount"] + user + ["sh", "-c", "\(command) && exec \"$@\"", "sh"]
  }

  /// Runs a program in a temporary copy of the system that it may change, after making the file `file` there. A copy that
  /// is protected is read-only. The status is 99 if the copy has the sign of a Flatpak at the end.
  static func copy(in folder: String, making file: String? = nil, isProtected: Bool = false) throws
    -> [String]
  {
    let all = folder + "/system/all"
    let steps =
      [
        "mkdir -p \(folder)/system", "mount -t tmpfs none \(folder)/system",
        "mkdir \(folder)/system/upper \(folder)/system/work \(all)",
        "mount -t overlay none -o lowerdir=/,upperdir=\(folder)/system/upper,workdir=\(folder)/system/work \(all)",
      ]
      + (try ["/proc", "/sys", "/dev", "/tmp"] + otherFileSystems()).map {
        "mount --rbind \($0) \(all)\($0)"
      }
      + (file.map { ["touch \(all)\($0)"] } ?? [])
      + (isProtected ? ["mount -o remount,ro \(all)"] : [])
    let last =
      "/usr/sbin/chroot \(all) \"$@\"; status=$?; if [ -e \(all)/.flatpak-info ]; then exit 99; fi; exit $status"
    return ["/usr/bin/unshare", "--mount"] + user
      + ["sh", "-c", "\(steps.joined(separator: " && ")) && { \(last); }", "sh"]
  }

  /// The other file systems from which these tests were loaded, since the programs need the same files.
  private static func otherFileSystems() throws -> [String] {
    let loaded = try systemText("/proc/self/maps").split(separator: "\n").compactMap {
      $0.split(separator: " ").dropFirst(5).first
    }
    let places = try systemText("/proc/self/mountinfo").split(separator: "\n").compactMap {
      $0.split(separator: " ").dropFirst(4).first
    }
    return places.filter { place in place != "/" && loaded.contains { $0.hasPrefix(place + "/") } }
      .map(String.init)
  }

  /// Runs a program without a network.
  static let offline = ["/usr/bin/unshare", "--net"] + user
}
