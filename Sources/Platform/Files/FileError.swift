import GLibSupport
import Glibc
import LoginCore

/// A file or a folder that cannot be used, or that must not be trusted.
package struct FileError: Error, Sendable, Equatable {
  package let path: String
  /// A whole sentence that names the path.
  package let message: Message
  /// A remedy, such as `chmod 600 PATH`.
  package let hint: Failure.Hint?
  /// The code of `errno` if the system refused.
  package let systemCode: Int32?

  private init(_ path: String, _ message: Message, hint: Failure.Hint? = nil, systemCode: Int32? = nil) {
    (self.path, self.message, self.hint, self.systemCode) = (path, message, hint, systemCode)
  }

  /// A refusal by the system.
  package init(_ path: String, systemCode: Int32) {
    switch systemCode {
    case ENOSPC: self.init(path, "the disk with \(path) is full", hint: Self.room, systemCode: systemCode)
    case EDQUOT:
      self.init(
        path, "your quota on the disk with \(path) is used up", hint: Self.room, systemCode: systemCode)
    default: self.init(path, "\(path): \(SystemError(code: systemCode).message)", systemCode: systemCode)
    }
  }

  private static let room: Failure.Hint = "delete something there"

  package static func symbolicLink(_ path: String) -> FileError {
    FileError(path, "\(path) is a symbolic link")
  }

  static func leadsNowhere(_ path: String) -> FileError {
    FileError(path, "\(path) is a symbolic link that leads to no file", hint: "mend the link, or remove it")
  }

  package static func notRegular(_ path: String) -> FileError {
    FileError(path, "\(path) is not a regular file")
  }

  package static func otherOwner(_ path: String, _ owner: uid_t) -> FileError {
    FileError(
      path, "\(path) belongs to the user \(SystemNames.user(owner))",
      hint: "if it is meant for you, run as root: chown \(SystemNames.user(geteuid())) \(path)")
  }

  package static func tooLarge(_ path: String) -> FileError { FileError(path, "\(path) is too large") }

  /// Other users can read or write it.
  package static func open(_ path: String, isFolder: Bool) -> FileError {
    FileError(
      path, "\(path) can be read or written by other users",
      hint: "chmod \(isFolder ? "700" : "600") \(path)")
  }

  /// Other users can change the file, or replace files in this folder, which belongs to the user.
  package static func writable(_ path: String) -> FileError {
    FileError(path, "other users can change what is in \(path)", hint: "chmod go-w \(path)")
  }

  /// Other members of its group can change it.
  package static func writable(_ path: String, group: gid_t) -> FileError {
    FileError(
      path, "the members of the group \(SystemNames.group(group)) can change what is in \(path)",
      hint: "chmod g-w \(path)")
  }

  /// Other users can read the folder or replace files in it, and it is not for this user to change that.
  package static func shared(_ path: String) -> FileError {
    FileError(path, "\(path) is shared with other users", hint: ownFolder)
  }

  /// The remedy where the user should not change a folder's permissions.
  package static let ownFolder: Failure.Hint = "use a folder of your own, made with mkdir -m 700"

  /// True if there is no such file or folder.
  package var isMissing: Bool { systemCode == ENOENT }
}

/// Writes all bytes, however often the call is interrupted.
///
/// Another program may have made the descriptor non-blocking. In that case this waits until there is room.
package func writeAll(_ bytes: some Sequence<UInt8>, to descriptor: Int32) throws(SystemError) {
  var rest = Array(bytes)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count < 0, errno == EAGAIN {
      var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&state, 1, -1)
    } else if count == 0 || errno != EINTR {
      throw SystemError()
    }
  }
}
