import Foundation
@testable import TestSupport
import Testing

@Suite("The keyring in the sandbox of a Flatpak", .blocking)
struct SandboxedKeyringTests {
  private static let login = [
    "login", "--authorization-endpoint", "https://as.example/auth", "--response-type", "token", "--client-id",
    "me", "--redirect-uri", "https://app.example/done", "--state", "S", "--headless-test", "--navigations",
    "-", "--account", "work",
  ]

  /// The sandbox is made as Flatpak makes it, and everything else is a desktop's own: the portal, which sees from which
  /// sandbox it is asked, and the keyring, which has the key of that application's file.
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
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.messages)")
      #expect(!outcome.messages.contains("CRITICAL"), "\(outcome.messages)")
      #expect(try run(["token", "--account", "work"], on: bus)["access_token"] as? String == token)
    }
    let file = try Data(contentsOf: URL(filePath: home + "/.local/share/keyrings/default.keyring"))
    #expect(file.range(of: Data("864208".utf8)) == nil)
    #expect(try Program.run(["accounts"], environment: bus.environment).output == "{\"accounts\":[]}\n")
    let doctor = try run(["doctor"], on: bus)
    #expect(
      doctor.output.contains("accounts are kept in the application's own encrypted file"), "\(doctor.output)")
    let unknown = try run(["token", "--account", "wirk"], on: bus)
    #expect(unknown.status == 9 && unknown.messages.contains("did you mean work?"))
    #expect(try run(["logout", "--account", "work"], on: bus).status == 0)
    #expect(try run(["accounts"], on: bus).output == "{\"accounts\":[]}\n")
  }

  @Test("A portal whose answer is lost is asked again, and one that never answers is not waited for")
  func lostAnswer() throws {
    for (silent, status) in [("1", 0), ("1000", 4)] as [(String, Int32)] {
      let bus = try PrivateBus(.none)
      let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "secret-portal.py")
      try bus.start("/usr/bin/python3", script.path(), silent)
      try bus.waitForOwner(of: "org.freedesktop.portal.Desktop")
      let outcome = try run(["accounts", "--timeout", status == 0 ? "60" : "4"], on: bus)
      #expect(outcome.status == status, "\(outcome.output)\(outcome.messages)")
    }
  }

  private func run(
    _ arguments: [String], _ input: String = "", on bus: borrowing PrivateBus
  ) throws -> Program.Outcome {
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
    return try Program.run(arguments, input: input, environment: bus.environment, wrapper: wrapper)
  }
}
