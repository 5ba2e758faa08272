import CLinux

/// The code of this program, most of which only its start needs.
enum OwnCode {
  /// Gives back the memory that the start has filled with it: three of the seven megabytes that this program takes
  /// beyond a bare one with WebKit.
  static func release() { _ = linux_release_code() }
}
