import Glibc

/// Why a folder or a file is not used.
package struct FileFault: Error, Equatable, Sendable {
  /// What is wrong with it.
  package enum Reason: Equatable, Sendable {
    /// The system refuses; the code of `errno`.
    case system(Int32)
    /// A link stands where a folder was expected.
    case symbolicLink
    case notRegular
    case otherOwner
    /// Others can read or write it.
    case open(isFolder: Bool)
    case tooLarge
  }

  /// Which folder, or which file.
  package let path: String
  package let reason: Reason

  /// Whether there is no such folder or file.
  package var isMissing: Bool { reason == .system(ENOENT) }
}
