import Desktop
import Glibc
import LoginCore
import LoginWays

/// The processes above this one, as the system knows them.
enum CallerProcesses {
  /// The program that has started this one, if anything is known of it.
  static let caller = Caller(
    facts(), controlGroup: text("/proc/self/cgroup"), InstalledApplications.all())

  /// More than an application has shells around a helper.
  private static let most = 8

  /// From the parent up, for as long as they are this user's: who has lost its own parent hangs on the system's.
  private static func facts() -> [ProcessFacts] {
    var found: [ProcessFacts] = []
    var process = getppid()
    while process > 1, found.count < most, isOwn(process) {
      let folder = "/proc/\(process)"
      let executable = link("\(folder)/exe")
      if executable?.hasSuffix("/systemd") == true { break }
      found.append(
        ProcessFacts(
          executable: executable, controlGroup: text("\(folder)/cgroup"),
          flatpakInfo: text("\(folder)/root/.flatpak-info")))
      guard let parent = parent(folder) else { break }
      process = parent
    }
    return found
  }

  private static func isOwn(_ process: pid_t) -> Bool {
    var status = stat()
    return stat("/proc/\(process)", &status) == 0 && status.st_uid == geteuid()
  }

  /// The fourth field, behind a name that may have anything in it.
  private static func parent(_ folder: String) -> pid_t? {
    guard let text = text("\(folder)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > 1 ? pid_t(fields[1]) : nil
  }

  private static func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    // The name of a file that is none was chosen by whoever made it.
    if target.hasPrefix("/memfd:") { return nil }
    // A program that was replaced while it runs.
    let mark = " (deleted)"
    return target.hasSuffix(mark) ? String(target.dropLast(mark.count)) : target
  }

  private static func text(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 16 * 1_024)
    let count = read(file, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
