import GLibSupport
import Glibc
import LoginCore

/// A file that the caller names, or standard input as `-`.
struct InputFile {
  /// The option that named it, for messages.
  let flag: String
  let path: String

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
      throw fault("does not hold one line of text")
    }
    return text
  }

  private func openSecret() throws(Failure) -> Int32 {
    if isStandardInput {
      throw .caller(
        .invalidOption("\(flag) reads a file", hint: "--request - reads a secret from standard input"))
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
      throw fault("is not a regular file")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      close(descriptor)
      throw fault("belongs to another user")
    }
    guard status.st_mode & 0o077 == 0 else {
      close(descriptor)
      throw fault("can be read or written by other users", hint: "chmod 600 \(path)")
    }
    return descriptor
  }

  @GLibActor
  private func readAll(_ descriptor: Int32, limit: Int) async throws(Failure) -> [UInt8] {
    let read: [UInt8]?
    do throws(GLibError) {
      read = try await DescriptorReader(descriptor: descriptor).all(upTo: limit)
    } catch {
      throw fault("cannot be read: \(error.message)")
    }
    guard let read else { throw fault("is larger than \(limit) bytes") }
    return read
  }

  private func checked(_ descriptor: Int32) throws(Failure) -> Int32 {
    if descriptor >= 0 { return descriptor }
    if errno == ELOOP { throw fault("is a symbolic link") }
    throw fault("cannot be opened: \(String(cString: strerror(errno)))")
  }

  private func fault(_ what: String, hint: String? = nil) -> Failure {
    .caller(.invalidOption("\(flag): \(isStandardInput ? "standard input" : path) \(what)", hint: hint))
  }
}
