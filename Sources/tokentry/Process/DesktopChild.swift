import Desktop
import Glibc

/// The short life of this program as its own child, which opens a page in the desktop's browser: a process that
/// cannot be debugged, as the one with the secrets is, is refused by the desktop's portal.
enum DesktopChild {
  /// What makes this program such a child: no option, so that no command line of a user does.
  static let argument = "open-in-desktop-browser:"

  /// The longest address that is read.
  private static let maximumLength = 1_024 * 1_024

  /// Opens the page whose address is on standard input; the exit status says whether it is open.
  static func run() -> Int32 {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(STDIN_FILENO, &chunk, chunk.count), count > 0 {
      bytes += chunk[..<count]
      if bytes.count > maximumLength { return 1 }
    }
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { dup2(null, descriptor) }
    let address = String(decoding: bytes, as: UTF8.self)
    guard address.hasPrefix("https://") || address.hasPrefix("http://") else { return 1 }
    return DesktopBrowser.open(address) ? 0 : 1
  }
}
