import Foundation
import TestSupport
import Testing

@Suite("An answer that is pasted at a terminal", .blocking)
struct PasteLoginTests {
  private static let prompt = "of the last page"
  private static let done = "https://app.example/done"

  @Test("A long address is taken completely, after wrong input was refused")
  func address() throws {
    let code = String(repeating: "c", count: 20_000)
    let run = try login([
      (Self.prompt, "two words\r"), (Self.prompt, "\(Self.done)?code=X&state=old\r"), (Self.prompt, "\r"),
      (Self.prompt, "\(Self.done)?code=\(code)&state=S\r"),
    ])
    #expect(run.status == 0, "\(run.screen)")
    #expect(
      run.output
        == #"{"access_token":"T","token_type":"Bearer","checks":{"redirect":"exact","state":"verified","pkce":"S256"}}"#
        + "\n")
    #expect(run.body?.contains("code=\(code)&") == true)
    #expect(run.screen.contains("open this page in a browser: \(run.base)/auth?"))
    #expect(run.screen.contains("that isn't an answer to this sign-in"))
    #expect(run.screen.contains("belongs to a different sign-in"))
    #expect(!run.screen.contains("ccc"), "the pasted text is not shown")
    #expect(run.isRestored)
  }

  @Test("With PKCE a code alone is enough, also for out-of-band redirects, and no state is claimed")
  func code() throws {
    for redirect in [Self.done, "http://127.0.0.1:45997/", "urn:ietf:wg:oauth:2.0:oob"] {
      let run = try login([(Self.prompt, " 4/abc-DEF \u{7F}\r")], redirect: redirect)
      #expect(run.status == 0, "\(run.screen)")
      let mayFail = run.screen.contains("The last page may say that it can't connect.")
      #expect(mayFail == (redirect == "http://127.0.0.1:45997/"), "only this machine has that page")
      #expect(run.output == #"{"access_token":"T","token_type":"Bearer","checks":{"pkce":"S256"}}"# + "\n")
      #expect(run.body?.contains("code=4%2Fabc-DEF&") == true)
    }
  }

  @Test("A token in an address is taken, but a code alone is not")
  func implicit() throws {
    let run = try login(
      [
        (Self.prompt, "4/abc-DEF\r"),
        ("not just the code", "\(Self.done)#access_token=T&token_type=Bearer&state=S\r"),
      ], ["--grant", "implicit"])
    #expect(run.status == 0, "\(run.screen)")
    #expect(run.screen.contains("Paste the whole address"))
  }

  @Test(
    "Ctrl-C, Ctrl-D and the deadline end the login and restore the terminal",
    arguments: ["\u{3}", "\u{4}", ""])
  func cancelled(key: String) throws {
    let run = try login([(Self.prompt, key)], ["--timeout", "3"])
    #expect(run.status == (key.isEmpty ? 4 : 3), "\(run.screen)")
    #expect(run.output.contains(key.isEmpty ? "\"timeout\"" : "\"cancelled\""))
    #expect(run.isRestored)
  }

  @Test("If the browser cannot be opened, the address can be pasted")
  func page() throws {
    let run = try login(
      [(Self.prompt, "\(Self.done)?code=C&state=S\r")], ["--browser", "false"], agent: "browser")
    #expect(run.status == 0, "\(run.screen)")
    #expect(run.screen.contains("open this page in a browser"))
  }

  @Test("With --no-browser neither a browser nor a window is opened, and the answer is pasted")
  func opensNothing() throws {
    let folder = TemporaryFolder()
    let run = try login(
      [(Self.prompt, "\(Self.done)?code=C&state=S\r")], ["--no-browser"], agent: "auto",
      environment: ["BROWSER": "touch \(folder.path)/opened;", "DISPLAY": ":4096"])
    #expect(run.status == 0, "\(run.screen)")
    #expect(run.screen.contains("open this page in a browser: \(run.base)/auth?"))
    #expect(!folder.contains("opened"))
  }

  private struct Run {
    let status: Int
    let output: String
    let screen: String
    let isRestored: Bool
    let base: String
    let body: String?
  }

  /// Logs in at a terminal, and types each answer when the screen shows the text before it.
  private func login(
    _ script: [(String, String)], _ options: [String] = [], redirect: String = done, agent: String = "paste",
    environment: [String: String] = [:]
  ) throws -> Run {
    let server = try StandInServer { _, _ in .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
    let input = try JSONSerialization.data(withJSONObject: script.map { [$0.0, $0.1] })
    let result = try Command.run(
      ["/usr/bin/python3", Command.script("at-terminal.py"), Tokentry.path(), "login"] + server.endpoints()
        + ["--state", "S", "--redirect-uri", redirect, "--way", agent] + options,
      input: String(decoding: input, as: UTF8.self),
      environment: Tokentry.environment.merging(environment) { $1 })
    return Run(
      status: result["status"] as? Int ?? -1, output: result["output"] as? String ?? "",
      screen: result["screen"] as? String ?? "", isRestored: result["restored"] as? Bool ?? false,
      base: server.base, body: server.requests.first { $0.path == "/token" }?.body)
  }
}
