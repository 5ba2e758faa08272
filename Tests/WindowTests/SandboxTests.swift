import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Where there can be no sandbox")
  struct SandboxTests {
    /// What is missing, and what bubblewrap says about it.
    static let obstacles = [
      ("mount --bind /bin/false /usr/bin/bwrap", "bubblewrap does not work"),
      ("mount --bind /dev/null /usr/bin/bwrap", "/usr/bin/bwrap"),
      ("mount -t tmpfs none /sys", "/sys/block"),
      // In a container WebKit would go on without it.
      (
        "mount --bind /bin/false /usr/bin/bwrap && mount -t tmpfs none /run && touch /run/.containerenv",
        "bubblewrap does not work"
      ),
    ]

    @Test("No page is shown without it, and the error says what is missing", arguments: obstacles)
    func missing(_ obstacle: String, _ words: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", inside: Namespace.mounts(obstacle))
      #expect(await login.end() == 7, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"window_failed\""))
      #expect(login.errors.contains("the sandbox around the pages cannot be made"), "\(login.errors)")
      #expect(login.errors.contains(words), "\(login.errors)")
      #expect(login.errors.contains("hint: install bubblewrap"))
      #expect(desk.requests == [], "the page was never asked for")
      #expect(!login.errors.contains("started again"))
    }
  }
}

/// A part of the system that looks different to one program and what it starts.
enum Namespace {
  private static let user = getuid() == 0 ? [] : ["--map-root-user"]

  /// What makes a program see other files, as the words in front of it.
  static func mounts(_ command: String) -> [String] {
    ["/usr/bin/unshare", "--mount"] + user + ["sh", "-c", "\(command) && exec \"$@\"", "sh"]
  }

  /// What leaves a program without a network.
  static let offline = ["/usr/bin/unshare", "--net"] + user
}
