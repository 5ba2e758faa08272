import Foundation
import TestSupport
import Testing

@Suite("Files that other users can change", .blocking)
struct OwnFilesTests {
  private let folder = TemporaryFolder()

  @Test("A store in ~ is in the user's home, also without a shell")
  func home() throws {
    let server = try StandInServer { _, _ in .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
    let outcome = try Tokentry.run(
      [
        "login", "--grant", "client-credentials", "--endpoint", "token=\(server.base)/t", "--client-id", "c",
        "--account", "work", "--store", "file:~/kept",
      ], environment: ["HOME": folder.path, "TOKENTRY_CLIENT_SECRET": "secret"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(folder.contains("kept/work.json"))
  }

  private func explain(_ options: [String]) throws -> Outcome {
    try Tokentry.run(
      [
        "explain", "--client-id", "c", "--endpoint", "authorization=https://as.example/a", "--endpoint",
        "token=https://as.example/t", "--redirect-uri", "https://app.example/done",
      ] + options)
  }

  @Test(
    "A file that others can read, change or replace is refused, and the hint says what to do",
    arguments: [
      ("--options", #"{"scope":"a"}"#), ("--client-secret-file", "secret"), ("--form", "secret"),
      ("--token-file", #"{"access_token":"T","token_type":"Bearer"}"#),
    ])
  func refused(option: String, text: String) throws {
    let file = try folder.write(text, to: "file")
    let command = Self.command(of: option)
    let value = option == "--form" ? "passphrase=@\(file)" : file
    func run() throws -> Outcome { try Tokentry.run(command + [option, value]) }
    for (mode, parent, hint) in [
      (0o600, 0o700, nil), (0o604, 0o700, "chmod 600 \(file)"), (0o620, 0o700, "chmod 600 \(file)"),
      (0o600, 0o777, "chmod go-w \(folder.path)"), (0o600, 0o1777, nil),
    ] as [(mode_t, mode_t, String?)] {
      chmod(file, mode)
      chmod(folder.path, parent)
      let outcome = try run()
      #expect((outcome.error == "invalid_option") == (hint != nil), "\(mode) \(outcome.messages)")
      if let hint { #expect(outcome.messages.contains("tokentry: hint: \(hint)\n"), "\(outcome.messages)") }
    }
  }

  @Test(
    "A file that decides where secrets go may be read by others, but not changed or replaced",
    arguments: ["--provider", "--trust"])
  func deciding(option: String) throws {
    let preset = #"{"name":"P","authorization_endpoint":"https://as.example/a"}"#
    let file = try folder.write(preset, to: "file.json")
    for (mode, parent, hint) in [
      (0o644, 0o755, nil), (0o646, 0o755, "chmod go-w \(file)"), (0o644, 0o757, "chmod go-w \(folder.path)"),
    ] as [(mode_t, mode_t, String?)] {
      chmod(file, mode)
      chmod(folder.path, parent)
      let outcome = try explain([option, option == "--trust" ? "as.example=\(file)" : file])
      let hints = outcome.messages.split(separator: "\n").filter { $0.hasPrefix("tokentry: hint: chmod") }
      #expect(hints == [hint].compactMap { $0.map { "tokentry: hint: \($0)" } }, "\(outcome.messages)")
      #expect((outcome.status == 0) == (hint == nil && option == "--provider"))
    }
  }

  @Test(
    "A secret is one line, and the line feed is not part of it",
    arguments: [("s3cret\n", 0), ("s3cret\r\n", 0), ("s3cret", 0), ("s3\ncret\n", 2), ("\n", 2), ("", 2)])
  func secret(text: String, status: Int32) throws {
    let file = try folder.write(text, to: "file")
    #expect(try explain(["--client-secret-file", file]).status == status)
  }

  /// A command that takes the option, and fails only later.
  private static func command(of option: String) -> [String] {
    switch option {
    case "--token-file": ["userinfo", "--endpoint", "userinfo=http://127.0.0.1:8/u"]
    case "--form":
      [
        "login", "--client-id", "c", "--endpoint", "authorization=http://127.0.0.1:8/a", "--endpoint",
        "token=http://127.0.0.1:8/t", "--redirect-uri", "https://app.example/done", "--headless-test",
      ]
    default:
      [
        "explain", "--client-id", "c", "--endpoint", "authorization=https://as.example/a", "--endpoint",
        "token=https://as.example/t",
      ]
    }
  }

  @Test("A named pipe is read when its writer comes, and the deadline ends the wait")
  func pipe() async throws {
    let pipe = folder.path + "/pipe"
    mkfifo(pipe, 0o600)
    let writer = Command.process([
      "/bin/sh", "-c", "printf '{\"scope\":\"from-the-pipe\"}' >\"$1\"", "sh", pipe,
    ])
    try writer.run()
    let outcome = try explain(["--options", pipe])
    writer.waitUntilExit()
    #expect((outcome["parameters"] as? [String: String])?["scope"] == "from-the-pipe", "\(outcome.messages)")
    let late = try Tokentry.run(
      [
        "login", "--grant", "client-credentials", "--endpoint", "token=https://as.example/t", "--client-id",
        "c",
        "--client-secret-file", pipe, "--timeout", "1",
      ])
    #expect(late.status == 4, "\(late.messages)")
  }
}
