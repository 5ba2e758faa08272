import Foundation
import Glibc
@testable import TestSupport
import Testing

/// Codex leaves its helpers HOME, PATH and USER.
@Suite("A caller that has cleared the environment, by the real program", .blocking)
struct ClearedEnvironmentTests {
  /// Runs the program with these three variables alone, in a system where `session` is the folder that systemd makes
  /// for the session of this user, or where there is none.
  private func run(_ arguments: [String], session: String?) throws -> Program.Outcome {
    let user = try #require(getpwuid(getuid()))
    let wrapper =
      ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--tmpfs", "/run"]
      + (session.map { ["--bind", $0, "/run/user/\(getuid())"] } ?? [])
      + [
        "--", "/usr/bin/env", "-i", "HOME=\(String(cString: user.pointee.pw_dir))", "PATH=/usr/bin:/bin",
        "USER=\(String(cString: user.pointee.pw_name))",
      ]
    return try Program.run(arguments, wrapper: wrapper)
  }

  /// A login that only a window can show.
  private static let inWindow = ["explain", "--provider", "vk", "--client-id", "1"]

  @Test("The keyring is found on the session's bus, and the display where the session's manager has it")
  func found() throws {
    let bus = try PrivateBus(.unlocked)
    let session = try #require(bus.environment["XDG_RUNTIME_DIR"])
    let world = ResourceWorld()
    let server = try world.server()
    let address = server.base + "/mcp"
    let login = try Program.run(
      ["login", "--resource", address, "--headless-test", "--store", "keyring"], environment: bus.environment)
    try #require(login.status == 0, "\(login.messages)")
    let helper = try run(["helper", "headers", "--check", address], session: session)
    #expect(
      helper.status == 0 && helper.output == #"{"Authorization":"Bearer T1-read-offline_access"}"# + "\n",
      "\(helper.messages)")
    let blind = try run(Self.inWindow, session: session)
    #expect(blind["agent_reason"] as? String == "the preset prefers the window, but there is no display")
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "session-manager.py")
    try bus.start("/usr/bin/python3", script.path(), "DISPLAY=:4096", "LD_PRELOAD=/nonexistent")
    try bus.waitForOwner(of: "org.freedesktop.systemd1")
    let seeing = try run(Self.inWindow, session: session)
    #expect(seeing["agent_reason"] as? String == "the preset prefers the window", "\(seeing.messages)")
  }

  @Test("What is not found is said in one sentence, with what the caller has to pass")
  func lost() throws {
    let outcome = try run(["helper", "headers", "https://api.example/mcp"], session: nil)
    #expect(outcome.status == 9 && outcome.output.isEmpty, "\(outcome.output)")
    let sentence =
      "tokentry: hint: let the program that starts tokentry pass DBUS_SESSION_BUS_ADDRESS and DISPLAY or "
      + "WAYLAND_DISPLAY, which its environment lacks\n"
    #expect(outcome.messages.hasSuffix(sentence), "\(outcome.messages)")
    #expect(outcome.messages.components(separatedBy: "DBUS_SESSION_BUS_ADDRESS").count == 2)
  }
  @Test("A bus that lets nobody in is not waited for")
  func silent() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (folder + "/bus").utf8) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(isBound == 0 && listen(listener, 8) == 0)
    // It never accepts, and is closed only after the answer.
    let outcome = try run(["helper", "headers", "https://api.example/mcp"], session: folder)
    #expect(outcome.status == 9 && outcome.output.isEmpty, "\(outcome.messages)")
    #expect(
      outcome.messages.contains("there is no session bus, and no keyring without it"), "\(outcome.messages)")
  }
}
