import Foundation
import Glibc
@testable import TestSupport
import Testing

@Suite("The desktop's portal", .blocking)
struct DesktopPortalTests {
  /// The portal of a real desktop, which knows the browser. Tokentry does not.
  @Test("xdg-desktop-portal opens the page")
  func realPortal() async throws {
    let screen = try await Screen()
    let bus = try PrivateBus(.none)
    let browser = try Browser()
    let desktop = try browser.asDesktopsOwn().merging(["DISPLAY": screen.name, "XDG_DATA_DIRS": "/usr/share"])
    { $1 }
    for (daemon, name) in [
      ("xdg-permission-store", "org.freedesktop.impl.portal.PermissionStore"),
      ("xdg-desktop-portal-gtk", "org.freedesktop.impl.portal.desktop.gtk"),
      ("xdg-desktop-portal", "org.freedesktop.portal.Desktop"),
    ] {
      try bus.start("/usr/libexec/" + daemon, variables: desktop)
      try bus.waitForOwner(of: name)
    }
    let provider = try CodeProvider()
    let environment = bus.environment.merging(["DISPLAY": screen.name]) { $1 }
    // Tokentry may or may not hear that the page is open: the portal and the browser answer at the same time.
    let outcome = try provider.login(["--timeout", "60"], environment: environment)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(browser.page().contains("You can close this tab"))
  }
}

/// A message bus with a stand-in for the desktop's portal.
final class Portal {
  /// The address of the bus.
  let bus: String
  private let process = Process()
  private let record: String

  init(_ response: Int, opening command: String) throws {
    record = command + "-asked"
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [Command.script("portal.py"), "\(response)", command, record]
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.standardOutput = output
    try process.run()
    bus = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      .trimmingCharacters(in: .newlines)
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Ends the bus, and returns the addresses that the portal was asked to open.
  func end() throws -> [String] {
    process.terminate()
    process.waitUntilExit()
    return try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").map(String.init)
  }
}

@Suite("Desktops of other users and of Windows", .blocking)
struct OtherDesktopTests {
  /// Makes a file that belongs to a user.
  private func file(_ name: String, of user: uid_t) throws -> String {
    let path = try folder.write("", to: name)
    try #require(chown(path, user, user) == 0)
    return path
  }

  private let folder = TemporaryFolder()

  @Test(
    "Root shows no page on the display of another user, and says what to run instead",
    .enabled(if: geteuid() == 0), arguments: ["window", "auto"])
  func root(agent: String) throws {
    let provider = try CodeProvider()
    _ = try file("wayland-7", of: 65_534)
    for environment in [
      ["WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": folder.path],
      ["DISPLAY": ":4096", "XAUTHORITY": try file("key", of: 65_534)],
    ] {
      let outcome = try provider.login(["--way", agent, "--scope", "a b"], environment: environment)
      #expect(outcome.status == 7, "\(outcome.output)")
      #expect(outcome.error == "no_display")
      #expect(outcome.messages.contains("root cannot show pages there"))
      #expect(
        outcome.messages.contains("sudo -u nobody XDG_RUNTIME_DIR=/run/user/65534 tokentry login"),
        "\(outcome.messages)")
      #expect(outcome.messages.contains("--scope 'a b'"))
    }
    #expect(provider.redirects.isEmpty, "no page was opened")
    // Root may use a display of its own; this one does not exist.
    let own = try provider.login(
      ["--way", "window"], environment: ["DISPLAY": ":4096", "XAUTHORITY": try file("own", of: 0)])
    #expect(!own.messages.contains("root cannot show pages"))
  }

  @Test("In WSL the page opens in the browser of Windows", arguments: ["wslview", "rundll32.exe"])
  func windows(name: String) throws {
    let provider = try CodeProvider()
    let script = """
      #!/bin/sh
      echo "$*" >"\(folder.path)/arguments"
      for last; do :; done
      exec curl --silent --location --output /dev/null "$last"
      """
    try writeProgram(script, to: "\(folder.path)/\(name)")
    let outcome = try provider.login(
      ["--way", "browser"],
      environment: ["WSL_DISTRO_NAME": "Debian", "PATH": "\(folder.path):/usr/bin:/bin"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    let arguments = folder.text(of: "arguments")
    let start = name == "wslview" ? "http" : "url.dll,FileProtocolHandler http"
    #expect(arguments.hasPrefix(start), "\(arguments)")
  }
}
