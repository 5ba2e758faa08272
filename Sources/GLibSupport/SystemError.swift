import Glibc

/// A call of the system has failed.
public struct SystemError: Error, Sendable {
  /// The code of `errno`.
  public let code: Int32
  /// What went wrong, for a person.
  public var message: String { String(cString: strerror(code)) }
}
