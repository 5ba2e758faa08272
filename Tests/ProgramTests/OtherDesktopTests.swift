import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Desktops of others: of another user, and of Windows", .blocking)
struct OtherDesktopTests {
  /// A folder that is away with this object.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appending(path: "desktop-\(UUID().uuidString)")
      .path(percentEncoded: false)

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A file in it that belongs to a user.
    func file(_ name: String, of user: uid_t) throws -> String {
      try Data().write(to: URL(filePath: "\(path)/\(name)"))
      try #require(chown("\(path)/\(name)", user, user) == 0)
      return "\(path)/\(name)"
    }
  }

  @Test(
    "Root shows no page on the display of another user, and says what to run instead",
    .enabled(if: geteuid() == 0), arguments: ["window", "auto"])
  func root(agent: String) throws {
    let folder = try Folder()
    let provider = try CodeProvider()
    _ = try folder.file("wayland-7", of: 65_534)
    for environment in [
      ["WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": folder.path],
      ["DISPLAY": ":4096", "XAUTHORITY": try folder.file("key", of: 65_534)],
    ] {
      let outcome = try provider.login(["--agent", agent, "--scope", "a b"], environment: environment)
      #expect(outcome.status == 7, "\(outcome.output)")
      #expect(outcome["error"] as? String == "no_display")
      #expect(outcome.messages.contains("root shows no pages there"))
      #expect(
        outcome.messages.contains("sudo -u nobody XDG_RUNTIME_DIR=/run/user/65534 tokentry login"),
        "\(outcome.messages)")
      #expect(outcome.messages.contains("--scope 'a b'"))
    }
    #expect(provider.redirects.isEmpty, "no page was opened")
    // A display of root's own is root's to use; this one only is not there.
    let own = try provider.login(
      ["--agent", "window"],
      environment: ["DISPLAY": ":4096", "XAUTHORITY": try folder.file("own", of: 0)])
    #expect(!own.messages.contains("root shows no pages"))
  }

  @Test("In WSL the page opens in the browser of Windows", arguments: ["wslview", "rundll32.exe"])
  func windows(name: String) throws {
    let folder = try Folder()
    let provider = try CodeProvider()
    let program = "\(folder.path)/\(name)"
    let script = """
      #!/bin/sh
      echo "$*" >"\(folder.path)/arguments"
      for last; do :; done
      exec curl --silent --location --output /dev/null "$last"
      """
    try script.write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let outcome = try provider.login(
      ["--agent", "browser"],
      environment: ["WSL_DISTRO_NAME": "Debian", "PATH": "\(folder.path):/usr/bin:/bin"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    let arguments = try String(contentsOfFile: folder.path + "/arguments", encoding: .utf8)
    let start = name == "wslview" ? "http" : "url.dll,FileProtocolHandler http"
    #expect(arguments.hasPrefix(start), "\(arguments)")
  }
}
