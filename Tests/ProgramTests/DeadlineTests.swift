import Foundation
import TestSupport
import Testing

/// The window here is a script beside a copy of the program: what the two tell each other is what matters.
@Suite("How long a login waits for its user")
struct DeadlineTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "deadline-\(UUID().uuidString)")

  private static let hearsDeadline = "read -r deadline; echo \"$deadline\" >>\"${0%/*}/told\""

  /// Runs a login whose window goes on like this once it has been told what to open, and returns what was told.
  private func login(_ options: [String], _ script: String) throws -> (outcome: Program.Outcome, told: String)
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = folder.appending(path: "tokentry")
    // By a process of its own: a child of another test would have the file open for writing as well, and no program
    // can be started that somebody writes.
    _ = try Program.output(of: "/bin/cp", [Program.executable().path(), program.path()])
    let told = folder.appending(path: "told")
    try writeProgram(
      """
      #!/bin/sh
      read -r open
      \(script)
      """, to: folder.appending(path: "tokentry-window").path())
    let outcome = try Program.run(
      [
        "login", "--authorization-endpoint", "https://as.invalid/a", "--token-endpoint",
        "https://as.invalid/t",
        "--client-id", "me", "--redirect-uri", "https://app.invalid/done", "--agent", "window",
      ] + options, environment: ["DISPLAY": ":64999"],
      wrapper: ["/bin/sh", "-c", "shift; exec '\(program.path())' \"$@\"", "sh"])
    return (outcome, (try? String(contentsOf: told, encoding: .utf8)) ?? "")
  }

  @Test("Who is at the window has all of the time again, unless the caller has said how long it waits")
  func extends() throws {
    let isActive =
      Self.hearsDeadline
      + "; echo '{\"active\":{}}'; read -r again; echo \"$again\" >>\"${0%/*}/told\"; echo '{\"closed\":{\"by\":\"user\"}}'"
    for (options, isExtendable) in [([], true), (["--timeout", "200"], false)] {
      let (outcome, told) = try login(options, isActive)
      #expect(outcome.status == 3, "\(outcome.messages)")
      let lines = told.split(separator: "\n")
      #expect(lines.count == 2, "\(told)")
      let warning = isExtendable ? 60 : 50
      for line in lines {
        #expect(line.contains("\"warn_at\":\(warning),\"extendable\":\(isExtendable)"), "\(line)")
      }
    }
    let nothing =
      "echo '{\"ready\":{\"protocol\":1}}'; echo '{\"closed\":{\"by\":\"user\"}}'; \(Self.hearsDeadline)"
    #expect(
      try login(["--timeout", "0"], nothing).told.allSatisfy { $0 == "\n" }, "a login that waits for ever")
  }

  @Test("Who does something again and again has no more time than the caller has given")
  func keepsDeadline() throws {
    let (outcome, _) = try login(
      ["--timeout", "2"],
      """
      read -r deadline; i=0
      while [ $i -lt 50 ]; do echo '{"active":{}}'; read -r again; sleep 0.1; i=$((i + 1)); done
      echo '{"closed":{"by":"user"}}'
      """)
    #expect(outcome["error"] as? String == "timeout", "\(outcome.output)")
  }

  @Test("A login that ends while a server does not answer ends with that, and not with the user's silence")
  func silent() throws {
    let (outcome, _) = try login(
      ["--timeout", "3", "-v"], "echo '{\"waiting\":{\"host\":\"as.invalid\"}}'; exec sleep 60")
    #expect(outcome.status == 5, "\(outcome.messages)")
    #expect(outcome["error"] as? String == "network_error" && outcome["origin"] as? String == "network")
    #expect(outcome.messages.contains("as.invalid has not answered yet"), "\(outcome.messages)")
  }
}
