import Foundation

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

  /// The window that a login has started.
  static func window(of login: Program) -> pid_t? {
    all.first { $0.parent == login.identifier && $0.name.hasPrefix("tokentry-win") }?
      .identifier
  }

  /// The names of what is in a process group.
  static func names(inGroup group: pid_t) -> [String] {
    all.filter { $0.group == group }.map(\.name).sorted()
  }
}
