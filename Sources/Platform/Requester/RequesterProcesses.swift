import Glibc
import LoginCore
import WindowProtocol

/// The ancestors of this process, from `/proc`.
package enum RequesterProcesses {
  /// The program that started this one, if the system knows it.
  package static let caller = RequestingProgram(
    chain(from: getppid()), controlGroup: KernelFile.text("/proc/self/cgroup"), InstalledApplications.all())

  /// More than the number of shells that an application starts around a helper.
  private static let most = 8

  /// Returns a process and its ancestors, up to the first one of another user. A process that has lost its parent is a child
  /// of systemd, which is not an ancestor.
  ///
  /// The last process is the first for which `goesOn` returns false.
  package static func chain(
    from first: pid_t, while goesOn: (ProcessFacts) -> Bool = { _ in true }
  ) -> [ProcessFacts] {
    var found: [ProcessFacts] = []
    var process = first
    while process > 1, found.count < most, isOwn(process) {
      let folder = "/proc/\(process)"
      let executable = link("\(folder)/exe")
      if executable?.hasSuffix("/systemd") == true { break }
      var facts = ProcessFacts(
        executable: executable, arguments: arguments(folder), folder: link("\(folder)/cwd"),
        controlGroup: KernelFile.text("\(folder)/cgroup"), startTime: status(folder, field: 22))
      facts.namespace = namespace(of: process)
      var file = stat()
      if stat("\(folder)/exe", &file) == 0 {
        (facts.file, facts.isOfSystem) = ("\(file.st_dev):\(file.st_ino)", file.st_uid == 0)
      }
      if let script = RequestingProgram.script(of: facts), script.isWhole,
        stat("\(folder)/root\(script.path)", &file) == 0, file.st_mode & S_IFMT == S_IFREG
      {
        facts.scriptFile = "\(file.st_dev):\(file.st_ino)"
      }
      found.append(facts)
      if let last = found.last, !goesOn(last) { break }
      guard let parent = status(folder, field: 4).flatMap({ pid_t($0) }) else { break }
      process = parent
    }
    return found
  }

  /// Returns the time at which a process started, in the kernel's units.
  package static func startTime(of process: pid_t) -> UInt64? {
    status("/proc/\(process)", field: 22).flatMap { UInt64($0) }
  }

  /// Returns the mount namespace of a process.
  package static func namespace(of process: pid_t) -> String? {
    KernelFile.target(ofLink: "/proc/\(process)/ns/mnt")
  }

  private static func isOwn(_ process: pid_t) -> Bool {
    var status = stat()
    return stat("/proc/\(process)", &status) == 0 && status.st_uid == geteuid()
  }

  /// Reads a field of `/proc/PID/stat` (proc(5)). The second is a name in parentheses that may contain spaces and
  /// parentheses.
  private static func status(_ folder: String, field number: Int) -> String? {
    guard let text = KernelFile.text("\(folder)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > number - 3 ? String(fields[number - 3]) : nil
  }

  private static func arguments(_ folder: String) -> [String] {
    // A zero ends each word.
    KernelFile.text("\(folder)/cmdline")?.split(separator: "\0", omittingEmptySubsequences: false).dropLast()
      .map(
        String.init)
      ?? []
  }

  private static func link(_ path: String) -> String? {
    // A program that exists only in memory can choose its name freely.
    guard let target = KernelFile.target(ofLink: path), !target.hasPrefix("/memfd:") else { return nil }
    // The program's file was replaced while it runs.
    let mark = " (deleted)"
    return target.hasSuffix(mark) ? String(target.dropLast(mark.count)) : target
  }
}
