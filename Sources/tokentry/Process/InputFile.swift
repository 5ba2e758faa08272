import GLibSupport
import Glibc
import LoginCore
import PrivateFiles
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

  /// What may hold a secret, or decide where one goes: only from what nobody else can read or replace, or from whoever
  /// has started this program.
  @GLibActor
  func readOwn(limit: Int) async throws(Failure) -> [UInt8] {
    if let inherited {
      // What would be closed where another program is started is this program's own.
      if fcntl(inherited, F_GETFD) & FD_CLOEXEC != 0, inherited != STDIN_FILENO {
        throw fault(.unusable(FileFault(path: path, reason: .system(EBADF))))
      }
      let descriptor = try checked(fcntl(inherited, F_DUPFD_CLOEXEC, 3))
      defer { close(descriptor) }
      return try await readAll(descriptor, limit: limit)
    }
    let file: OpenFile
    do throws(FileFault) { file = try OpenFile.own(at: path) } catch { throw fault(.unusable(error)) }
    return try await readAll(file.descriptor, limit: limit)
  }

  /// A secret, without the line feed at its end.
  @GLibActor
  func readSecret() async throws(Failure) -> String {
    if isStandardInput { throw fault(.standardInput) }
    var bytes = try await readOwn(limit: 64 * 1_024)
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty, !text.utf8.contains(0x0A) else {
      throw fault(.notOneLine(path: path))
    }
    return text
  }

  /// The descriptor that the caller has handed over, as a shell does for <(command): it is nobody else's.
  private var inherited: Int32? {
    if isStandardInput || path == "/dev/stdin" { return STDIN_FILENO }
    let prefix = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix)
    return prefix.flatMap { Int32(path.dropFirst($0.utf8.count)) }
  }

  @GLibActor
  private func readAll(_ descriptor: Int32, limit: Int) async throws(Failure) -> [UInt8] {
    let read: [UInt8]?
    do throws(SystemError) {
      read = try await DescriptorReader(descriptor: descriptor).all(upTo: limit)
    } catch {
      throw fault(.unreadable(path: shownPath, error.message))
    }
    guard let read else { throw fault(.tooLarge(path: shownPath, limit: limit)) }
    return read
  }

  private func checked(_ descriptor: Int32) throws(Failure) -> Int32 {
    if descriptor >= 0 { return descriptor }
    throw fault(.unusable(FileFault(path: path, reason: .system(errno))))
  }

  private var shownPath: String { isStandardInput ? "-" : path }

  private func fault(_ problem: CommandLineFault.FileProblem) -> Failure {
    .commandLine(.file(flag, problem))
  }
}
