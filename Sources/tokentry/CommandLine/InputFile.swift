import GLibSupport
import Glibc
import LoginCore
import Platform

/// A file that the caller names, or standard input as `-`.
struct InputFile: Sendable {
  /// The option that names the file, for messages.
  let flag: String
  let path: String

  init(_ option: Option, _ path: String) { self.init(flag: option.flag, path: path) }

  init(flag: String, path: String) { (self.flag, self.path) = (flag, path) }

  var isStandardInput: Bool { path == "-" }

  /// Returns a descriptor for reading.
  ///
  /// Opening a named pipe does not wait for its other end. Reading does, without blocking the main loop.
  func open() throws(Failure) -> Int32 {
    if isStandardInput { return STDIN_FILENO }
    return try checked(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
  }

  /// Returns the whole contents.
  @GLibActor
  func read(limit: Int) async throws(Failure) -> [UInt8] {
    let descriptor = try open()
    defer { if !isStandardInput { close(descriptor) } }
    return try await readAll(descriptor, limit: limit)
  }

  /// Returns contents that may include a secret, or decide where one goes. Refuses a file that other users can replace
  /// or, unless they may, read. A descriptor that the caller passed is not checked.
  @GLibActor
  func readOwn(limit: Int, othersMayRead: Bool = false) async throws(Failure) -> [UInt8] {
    if let inherited {
      // Only this program opens descriptors that are closed in its children.
      if fcntl(inherited, F_GETFD) & FD_CLOEXEC != 0, inherited != STDIN_FILENO {
        throw .file(flag, FileError(path, systemCode: EBADF))
      }
      let descriptor = try checked(fcntl(inherited, F_DUPFD_CLOEXEC, 3))
      defer { close(descriptor) }
      return try await readAll(descriptor, limit: limit)
    }
    let file = try failing(OpenFile.own(at: path, othersMayRead: othersMayRead)) { .file(flag, $0) }
    return try await readAll(file.descriptor, limit: limit)
  }

  /// Returns a secret, without the line feed at its end.
  @GLibActor
  func readSecret() async throws(Failure) -> String {
    var bytes = Array(try await readText().utf8)
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty, !text.utf8.contains(0x0A) else {
      throw notOneLine
    }
    return text
  }

  /// Returns a secret of several lines.
  @GLibActor
  func readText() async throws(Failure) -> String {
    if isStandardInput {
      throw failure("standard input is not a file", hint: .secretFromInput)
    }
    let bytes = try await readOwn(limit: 64 * 1_024)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notUTF8(flag)
    }
    return text
  }

  private var notOneLine: Failure { failure("\(path) does not contain exactly one line of text") }

  /// The number of a descriptor that the caller passed, as a shell does for `<(command)`.
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
      throw failure("\(path) cannot be read: \(error.message)")
    }
    guard let read else { throw failure("\(path) is larger than \(limit) bytes") }
    return read
  }

  private func checked(_ descriptor: Int32) throws(Failure) -> Int32 {
    if descriptor >= 0 { return descriptor }
    throw .file(flag, FileError(path, systemCode: errno))
  }

  private func failure(_ reason: Message, hint: Failure.Hint? = nil) -> Failure {
    Failure(.invalidOption, "\(flag): \(reason)", hint: hint)
  }
}

extension Failure {
  /// The file that `name` refers to cannot be used.
  static func file(_ name: String, _ error: FileError) -> Failure {
    Failure(.invalidOption, "\(name): \(error.message)", hint: error.hint)
  }
}

extension Failure.Hint {
  /// The hint about a secret that is not in a file.
  static let secretFromInput: Failure.Hint = "--options - reads a secret from standard input"
}

extension String {
  /// The text after its first character, which must be ASCII.
  var withoutFirstByte: String { String(Substring(utf8.dropFirst())) }
}
