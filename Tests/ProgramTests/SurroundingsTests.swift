import Foundation
import Glibc
@testable import TestSupport
import Testing

@Suite("A caller that passes no command line", .blocking)
struct NoCommandLineTests {
  @Test(
    "No words, and words that cannot be read, are refused",
    arguments: [
      ["/bin/bash", "-c", "exec -a '' \"$0\""],
      ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--tmpfs", "/proc", "--"],
    ])
  func refused(wrapper: [String]) throws {
    let isRead = wrapper[0] == "/bin/bash"
    let outcome = try Tokentry.run(isRead ? [] : ["accounts"], wrapper: wrapper)
    #expect(outcome.status == 2 && outcome.error == "invalid_option", "\(outcome)")
    #expect(outcome.messages.contains("the command line cannot be read"), "\(outcome)")
  }
}

/// Codex passes only HOME, PATH and USER to its helpers.
@Suite("A caller that clears the environment", .blocking)
struct ClearedEnvironmentTests {
  /// Runs the program with these three variables. `session` becomes the user's folder in /run;
  /// if it is nil, there is no such folder.
  private func run(_ arguments: [String], session: String?) throws -> Outcome {
    let user = try #require(getpwuid(getuid()))
    let wrapper =
      ["/usr/bin/bwrap", "--dev-bind", "/", "/", "--tmpfs", "/run"]
      + (session.map { ["--bind", $0, "/run/user/\(getuid())"] } ?? []) + [
        "--", "/usr/bin/env", "-i", "HOME=\(String(cString: user.pointee.pw_dir))", "PATH=/usr/bin:/bin",
        "USER=\(String(cString: user.pointee.pw_name))",
      ]
    return try Tokentry.run(arguments, wrapper: wrapper)
  }

  /// A login that only a window can show.
  private static let inWindow = ["explain", "--provider", "facebook", "--client-id", "1"]

  @Test(
    "The keyring is found on the session bus, and the display in the environment of systemd's user manager")
  func found() throws {
    let bus = try PrivateBus(.unlocked)
    let session = try #require(bus.environment["XDG_RUNTIME_DIR"])
    let fixture = ResourceFixture()
    let server = try fixture.server()
    let address = server.base + "/mcp"
    let login = try Tokentry.run(
      ["login", "--resource", address, "--headless-test", "--store", "keyring"], environment: bus.environment)
    try #require(login.status == 0, "\(login.messages)")
    let helper = try run(["helper", "headers", "--check", address], session: session)
    #expect(
      helper.status == 0 && helper.output == #"{"Authorization":"Bearer T1-read-offline_access"}"# + "\n",
      "\(helper.messages)")
    let blind = try run(Self.inWindow, session: session)
    #expect(blind["way_reason"] as? String == "the preset prefers the window, but there is no display")
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "session-manager.py")
    try bus.start("/usr/bin/python3", script.path(), "DISPLAY=:4096", "LD_PRELOAD=/nonexistent")
    try bus.waitForOwner(of: "org.freedesktop.systemd1")
    let seeing = try run(Self.inWindow, session: session)
    #expect(seeing["way_reason"] as? String == "the preset prefers the window", "\(seeing.messages)")
  }

  @Test("If they are not found, one hint names the variables to pass")
  func lost() throws {
    let outcome = try run(["helper", "headers", "https://api.example/mcp"], session: nil)
    #expect(outcome.status == 9 && outcome.output.isEmpty, "\(outcome.output)")
    let sentence =
      "tokentry: hint: let the program that starts tokentry pass on DBUS_SESSION_BUS_ADDRESS and DISPLAY or "
      + "WAYLAND_DISPLAY\n"
    #expect(outcome.messages.hasSuffix(sentence), "\(outcome.messages)")
    #expect(outcome.messages.components(separatedBy: "DBUS_SESSION_BUS_ADDRESS").count == 2)
  }
  @Test("A bus that accepts no connections does not delay the program")
  func silent() throws {
    let folder = TemporaryFolder()
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (folder.path + "/bus").utf8) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(isBound == 0 && listen(listener, 8) == 0)
    // The bus never accepts, and is closed only after the answer.
    let outcome = try run(["helper", "headers", "https://api.example/mcp"], session: folder.path)
    #expect(outcome.status == 9 && outcome.output.isEmpty, "\(outcome.messages)")
    #expect(
      outcome.messages.contains("there is no session bus, which the keyring needs"), "\(outcome.messages)")
  }
}

@Suite("The keyring in the sandbox of a Flatpak", .blocking)
struct SandboxedKeyringTests {
  private static let login =
    [
      "login", "--endpoint", "authorization=https://as.example/auth", "--client-id", "me", "--grant",
      "implicit",
    ]
    + Tokentry.pasted + ["--account", "work"]

  /// The sandbox is made as Flatpak makes it. The portal is the desktop's own and sees from which sandbox it is
  /// asked; the desktop's keyring has the key of the application's file.
  @Test("Accounts are in the application's own encrypted file, whose key comes from the desktop's portal")
  func portal() throws {
    let bus = try PrivateBus(.unlocked)
    try bus.start("/usr/libexec/xdg-permission-store")
    try bus.start("/usr/libexec/xdg-desktop-portal")
    try bus.waitForOwner(of: "org.freedesktop.portal.Desktop")
    let home = try #require(bus.environment["HOME"])
    for token in ["753197", "864208"] {
      let callback =
        "https://app.example/done#access_token=\(token)&token_type=Bearer&expires_in=86400&state=S\n"
      let outcome = try run(Self.login, callback, on: bus)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(!outcome.messages.contains("CRITICAL"), "\(outcome.messages)")
      #expect(try run(["token", "--account", "work"], on: bus).accessToken == token)
    }
    let file = try Data(contentsOf: URL(filePath: home + "/.local/share/keyrings/default.keyring"))
    #expect(file.range(of: Data("864208".utf8)) == nil)
    #expect(try Tokentry.run(["accounts"], environment: bus.environment).output == "{\"accounts\":[]}\n")
    let doctor = try run(["doctor"], on: bus)
    #expect(
      doctor.output.contains("accounts are saved in the application's own encrypted file"), "\(doctor.output)"
    )
    let unknown = try run(["token", "--account", "wirk"], on: bus)
    #expect(unknown.status == 8 && unknown.messages.contains("did you mean work?"))
    #expect(try run(["logout", "--account", "work"], on: bus).status == 0)
    #expect(try run(["accounts"], on: bus).output == "{\"accounts\":[]}\n")
  }

  @Test("A portal whose first answer is lost is asked again, and a silent one ends with the deadline")
  func lostAnswer() throws {
    for (silent, status) in [("1", 0), ("1000", 4)] as [(String, Int32)] {
      let bus = try PrivateBus(.none)
      try bus.start("/usr/bin/python3", Command.script("secret-portal.py"), silent)
      try bus.waitForOwner(of: "org.freedesktop.portal.Desktop")
      let outcome = try run(["accounts", "--timeout", status == 0 ? "60" : "4"], on: bus)
      #expect(outcome.status == status, "\(outcome)")
    }
  }

  private func run(
    _ arguments: [String], _ input: String = "", on bus: borrowing PrivateBus
  ) throws -> Outcome {
    let home = URL(filePath: try #require(bus.environment["HOME"]))
    let writable = home.deletingLastPathComponent().path()
    let info = writable + "/flatpak-info"
    try "[Application]\nname=org.example.Mail\n\n[Instance]\ninstance-id=1\n".write(
      toFile: info, atomically: true, encoding: .utf8)
    var wrapper = ["/usr/bin/bwrap"]
    for name in try FileManager.default.contentsOfDirectory(atPath: "/")
    where !["proc", "dev"].contains(name) {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/" + name)
      wrapper += target.map { ["--symlink", $0, "/" + name] } ?? ["--ro-bind", "/" + name, "/" + name]
    }
    wrapper += ["--proc", "/proc", "--dev", "/dev", "--bind", writable, writable]
    if let reports = sanitizerReports { wrapper += ["--bind", reports, reports] }
    wrapper += ["--ro-bind", info, "/.flatpak-info", "--"]
    return try Tokentry.run(arguments, input: input, environment: bus.environment, wrapper: wrapper)
  }
}
