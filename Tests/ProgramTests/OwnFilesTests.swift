import Foundation
import TestSupport
import Testing

@Suite("Files that decide about a login", .blocking)
struct OwnFilesTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "own-\(UUID().uuidString)")
    .path()

  @Test("A store in ~ is in the home of the user, also where no shell has read it")
  func home() throws {
    let home = FileManager.default.temporaryDirectory.appending(path: "home-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    let server = try StandInServer { _, _ in .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
    let outcome = try Program.run(
      [
        "login", "--grant", "client-credentials", "--token-endpoint", server.base + "/t", "--client-id", "c",
        "--account", "work", "--store", "file:~/kept",
      ], environment: ["HOME": home.path(), "TOKENTRY_CLIENT_SECRET": "secret"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(FileManager.default.fileExists(atPath: home.appending(path: "kept/work.json").path()))
  }

  private func explain(_ options: [String]) throws -> Program.Outcome {
    try Program.run(
      [
        "explain", "--client-id", "c", "--authorization-endpoint", "https://as.example/a", "--token-endpoint",
        "https://as.example/t", "--redirect-uri", "https://app.example/done",
      ] + options)
  }

  @Test(
    "What others can read or write, or put something else in the place of, is refused with what helps",
    arguments: [
      ("--request", #"{"scope":"a"}"#), ("--client-secret-file", "secret"), ("--password-file", "secret"),
      ("--initial-access-token-file", "secret"),
      ("--token-file", #"{"access_token":"T","token_type":"Bearer"}"#),
    ])
  func refused(option: String, text: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/file"
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    let command = Self.command(of: option)
    func run() throws -> Program.Outcome { try Program.run(command + [option, file]) }
    for (mode, parent, hint) in [
      (0o600, 0o700, nil), (0o604, 0o700, "chmod 600 \(file)"), (0o620, 0o700, "chmod 600 \(file)"),
      (0o600, 0o777, "chmod go-w \(folder)"), (0o600, 0o1777, nil),
    ] as [(mode_t, mode_t, String?)] {
      chmod(file, mode)
      chmod(folder, parent)
      let outcome = try run()
      #expect(
        (outcome["error"] as? String == "invalid_option") == (hint != nil), "\(mode) \(outcome.messages)")
      if let hint { #expect(outcome.messages.contains("tokentry: hint: \(hint)\n"), "\(outcome.messages)") }
    }
  }

  @Test(
    "A secret is one line, whose end is not a part of it",
    arguments: [("s3cret\n", 0), ("s3cret\r\n", 0), ("s3cret", 0), ("s3\ncret\n", 2), ("\n", 2), ("", 2)])
  func secret(text: String, status: Int32) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try text.write(toFile: folder + "/file", atomically: false, encoding: .utf8)
    chmod(folder + "/file", 0o600)
    #expect(try explain(["--client-secret-file", folder + "/file"]).status == status)
  }

  /// A command that takes the option, and fails only afterwards.
  private static func command(of option: String) -> [String] {
    switch option {
    case "--initial-access-token-file": ["register", "--registration-endpoint", "http://127.0.0.1:8/r"]
    case "--token-file": ["userinfo", "--userinfo-endpoint", "http://127.0.0.1:8/u"]
    case "--password-file": ["login", "--grant", "password", "--token-endpoint", "http://127.0.0.1:8/t"]
    default:
      [
        "explain", "--client-id", "c", "--authorization-endpoint", "https://as.example/a", "--token-endpoint",
        "https://as.example/t",
      ]
    }
  }

  @Test("A named pipe is read when somebody writes into it, and waited for no longer than the deadline")
  func pipe() async throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pipe = folder + "/pipe"
    mkfifo(pipe, 0o600)
    let writer = Process()
    writer.executableURL = URL(filePath: "/bin/sh")
    writer.arguments = ["-c", "printf '{\"scope\":\"from-the-pipe\"}' >\"$1\"", "sh", pipe]
    try writer.run()
    let outcome = try explain(["--request", pipe])
    writer.waitUntilExit()
    #expect((outcome["parameters"] as? [String: String])?["scope"] == "from-the-pipe", "\(outcome.messages)")
    let late = try Program.run(
      [
        "login", "--grant", "client-credentials", "--token-endpoint", "https://as.example/t", "--client-id",
        "c",
        "--client-secret-file", pipe, "--timeout", "1",
      ])
    #expect(late.status == 4, "\(late.messages)")
  }
}
