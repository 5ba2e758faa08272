import Foundation

@testable import TestSupport

/// What /proc says about processes.
enum Processes {
  /// One process that has not ended.
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
      guard fields.count > 2, fields[0] != "Z", let parent = pid_t(fields[1]), let group = pid_t(fields[2])
      else {
        return nil
      }
      return Entry(
        identifier: identifier, name: String(stat[stat.index(after: open)..<close]), parent: parent,
        group: group)
    }
  }

  /// The window that a login has started, even if the login itself was started by another program.
  static func window(of login: Program) -> pid_t? {
    let all = all
    let windows = all.filter { $0.name.hasPrefix("tokentry-win") }
    var families: Set = [login.identifier]
    for _ in 0..<3 {
      if let window = windows.first(where: { families.contains($0.parent) }) { return window.identifier }
      families.formUnion(all.filter { families.contains($0.parent) }.map(\.identifier))
    }
    return nil
  }

  /// Whether anything in a process group waits for connections over TCP.
  static func listens(inGroup group: pid_t) -> Bool {
    let sockets = listeningSockets
    return all.contains { process in process.group == group && !files(of: process).isDisjoint(with: sockets) }
  }

  private static var listeningSockets: Set<String> {
    var sockets: Set<String> = []
    for name in ["tcp", "tcp6"] {
      // A kernel without IPv6 has one of them.
      let table = String(decoding: systemFile("/proc/net/\(name)") ?? Data(), as: UTF8.self)
      for line in table.split(separator: "\n") {
        let fields = line.split(separator: " ")
        if fields.count > 9, fields[3] == "0A" { sockets.insert("socket:[\(fields[9])]") }
      }
    }
    return sockets
  }

  /// What the descriptors of a process lead to.
  private static func files(of process: Entry) -> Set<String> {
    let folder = "/proc/\(process.identifier)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(
      names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") })
  }

  /// The names of what is in a process group.
  static func names(inGroup group: pid_t) -> [String] {
    all.filter { $0.group == group }.map(\.name).sorted()
  }
}
