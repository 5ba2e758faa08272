import Glibc
import PrivateFiles

extension FileFault {
  /// What is wrong, for a person.
  var message: String {
    switch reason {
    case .symbolicLink, .system(ELOOP), .system(ENOTDIR): "\(path) is a symbolic link, or no folder"
    case .system(let code): "\(path): \(String(cString: strerror(code)))"
    case .notRegular: "\(path) is not a regular file"
    case .otherOwner: "\(path) belongs to another user"
    case .open: "\(path) can be read or written by other users"
    case .tooLarge: "\(path) is too large to be an account"
    }
  }

  /// What can be done about it.
  var hint: String? {
    guard case .open(let isFolder) = reason else { return nil }
    return "chmod \(isFolder ? "700" : "600") \(path)"
  }
}
