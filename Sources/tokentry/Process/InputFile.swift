import GLibSupport
import Glibc
import LoginCore
import Wording

/// A file that the caller names, or standard input as `-`.
struct InputFile: Sendable {
  /// The option that named it, for messages.
  let flag: String
  let path: String

  /// The file that an option names.
  init(_ option: Option, _ path: String) { self.init(flag: option.flag, path: path) }

  /// The same with a name of its own.
  init(flag: String, path: String) { (self.flag, self.path) = (flag, path) }

  var isStandardInput: Bool { path == "-" }

  /// A descriptor for reading.
  ///
  /// Opening does not wait for the other end of a named pipe; reading does, without blocking the main loop.
  func open() throws(Failure) -> Int32 {
    if isStandardInput { return STDIN_FILENO }
    return try checked(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
  }

  /// Everything in it.
  @GLibActor
  func read(limit: Int) async throws(Failure) -> [UInt8] {
    let descriptor = try open()
    defer { if !isStandardInput { close(descriptor) } }
    return try await readAll(descriptor, limit: limit)
  }

  /// A secret, without the line feed at its end: only from a file that nobody else can read or replace.
  @GLibActor
  func readSecret() async throws(Failure) -> String {
    let descriptor = try openSecret()
    defer { close(descriptor) }
    var bytes = try await readAll(descriptor, limit: 64 * 1_024)
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty, !text.utf8.contains(0x0A) else {
      throw fault(.notOneLine(path: path))
    }
    return text
  }

  private func openSecret() throws(Failure) -> Int32 {
    if isStandardInput {
      throw fault(.standardInput)
    }
    // The shell's <(command) is a descriptor, which is nobody else's.
    for prefix in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(prefix) {
      if let number = Int32(path.dropFirst(prefix.count)) {
        return try checked(fcntl(number, F_DUPFD_CLOEXEC, 3))
      }
    }
    let descriptor = try checked(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK))
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw unusable(.notRegular)
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      close(descriptor)
      throw unusable(.otherOwner)
    }
    guard status.st_mode & 0o077 == 0 else {
      close(descriptor)
      throw unusable(.open(isFolder: false))
    }
    return descriptor
  }

  @GLibActor
  private func readAll(_ descriptor: Int32, limit: Int) async throws(Failure) -> [UInt8] {
    let read: [UInt8]?
    do throws(GLibError) {
      read = try await DescriptorReader(descriptor: descriptor).all(upTo: limit)
    } catch {
      throw fault(.unreadable(path: shownPath, error.message))
    }
    guard let read else { throw fault(.tooLarge(path: shownPath, limit: limit)) }
    return read
  }

  private func checked(_ descriptor: Int32) throws(Failure) -> Int32 {
    if descriptor >= 0 { return descriptor }
    throw unusable(errno == ELOOP ? .symbolicLink : .system(errno))
  }

  private var shownPath: String { isStandardInput ? "-" : path }

  private func unusable(_ reason: FileFault.Reason) -> Failure {
    fault(.unusable(FileFault(path: shownPath, reason: reason)))
  }

  private func fault(_ problem: CommandLineFault.FileProblem) -> Failure {
    .commandLine(.file(flag, problem))
  }
}
