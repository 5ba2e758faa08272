import Foundation
import TestSupport
import Testing

@Suite("A login with a code, against a server")
struct CodeLoginTests {
  private static let token =
    #"{"access_token":"T","token_type":"Bearer","expires_in":3600,"refresh_token":"R2"}"#

  private func login(
    _ server: StandInServer, callback: String = "?code=C&state=S", _ more: [String] = []
  ) throws -> Program.Outcome {
    try Program.run(
      [
        "login", "--authorization-endpoint", server.base + "/auth", "--token-endpoint",
        server.base + "/token",
        "--client-id", "a:b", "--redirect-uri", "https://app.example/done", "--state", "S",
        "--code-verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "--headless-test", "--navigations",
        "-",
      ] + more, input: "https://app.example/done\(callback)\n")
  }

  @Test("The code is exchanged with its verifier, and the token is printed")
  func exchange() throws {
    let server = try StandInServer { _, _ in .json(Self.token) }
    let outcome = try login(server)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome["access_token"] as? String == "T")
    #expect(
      outcome.output.hasSuffix(#""checks":{"redirect":"exact","state":"verified","pkce":"S256"}}"# + "\n"))
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1)
    #expect(request.method == "POST")
    #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(request.headers["accept"] == "application/json")
    #expect(request.body.contains("code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    #expect(request.body.contains("client_id=a%3Ab"))
  }

  @Test("A secret from the environment goes into Basic, form-encoded, and nowhere else")
  func basic() throws {
    let server = try StandInServer { _, _ in .json(Self.token) }
    let outcome = try Program.run(
      [
        "login", "--authorization-endpoint", server.base + "/auth", "--token-endpoint",
        server.base + "/token",
        "--client-id", "a:b", "--redirect-uri", "https://app.example/done", "--state", "S", "--headless-test",
        "--navigations", "-", "--trace",
      ], input: "https://app.example/done?code=C&state=S\n", environment: ["TOKENTRY_CLIENT_SECRET": "c+d%/é"]
    )
    #expect(outcome.status == 0)
    let expected = "Basic " + Data("a%3Ab:c%2Bd%25%2F%C3%A9".utf8).base64EncodedString()
    #expect(server.requests.first?.headers["authorization"] == expected)
    #expect(server.requests.first?.body.contains("client_") == false)
    #expect(!outcome.messages.contains("c+d"))
  }

  @Test(
    "A callback that is refused costs no request",
    arguments: [
      ("?code=C&state=other", 6, "state_mismatch"), ("?code=C", 6, "state_missing"),
      ("?code=A&code=B&state=S", 6, "duplicate_parameter"), ("?state=S", 6, "malformed_callback"),
      ("?code=&state=S", 6, "malformed_callback"), ("#code=C&state=S", 6, "state_missing"),
      ("?error=access_denied&state=S", 1, "access_denied"), ("?error=x&code=C&state=S", 1, "x"),
    ])
  func refusedCallback(callback: String, status: Int32, code: String) throws {
    let server = try StandInServer { _, _ in .json(Self.token) }
    let outcome = try login(server, callback: callback)
    #expect(outcome.status == status)
    #expect(outcome["error"] as? String == code)
    #expect(server.requests.isEmpty)
  }

  @Test(
    "What the token endpoint does wrong ends the login once and for all",
    arguments: [
      (.json(#"{"error":"invalid_grant"}"#, status: 400), 1, "invalid_grant"),
      (.json(#"{"error":"invalid_grant"}"#), 1, "invalid_grant"),
      (.json(#"{"error":"slow","access_token":"T"}"#, status: 403), 1, "slow"),
      (.json("", status: 400), 5, "bad_provider_response"), (.html("<h1>404"), 5, "bad_provider_response"),
      (.json("{}", status: 500), 5, "bad_provider_response"),
      (.json(#"{"access_token":"A","access_token":"B","token_type":"Bearer"}"#), 5, "bad_provider_response"),
      (.redirect("/elsewhere"), 5, "bad_provider_response"),
      (.redirect("/elsewhere", status: 307), 5, "bad_provider_response"),
      (.json(#"{"access_token":"T"}"#), 6, "missing_token"),
      (.json(#"{"access_token":"T","token_type":"mac"}"#), 6, "unsupported_token_type"),
    ] as [(StandInServer.Answer, Int32, String)])
  func refusedAnswer(answer: StandInServer.Answer, status: Int32, code: String) throws {
    let server = try StandInServer { _, _ in answer }
    let outcome = try login(server)
    #expect(outcome.status == status, "\(outcome.output)")
    #expect(outcome["error"] as? String == code)
    #expect(server.hits("/token") == 1)
    #expect(server.hits("/elsewhere") == 0)
  }

  @Test("A server that is not there is a network error that may pass")
  func noServer() throws {
    let base = "http://127.0.0.1:1024"  // no port that a test could be given, and nobody's
    let outcome = try Program.run(
      [
        "login", "--authorization-endpoint", base + "/auth", "--token-endpoint", base + "/token",
        "--client-id",
        "1", "--redirect-uri", "https://app.example/done", "--state", "S", "--headless-test", "--navigations",
        "-",
      ], input: "https://app.example/done?code=C&state=S\n")
    #expect(outcome.status == 5)
    #expect(outcome["error"] as? String == "network_error")
    #expect(outcome["retryable"] as? Bool == true)
  }

  @Test("An answer of 100 MB in 100 kB is refused with less than 64 MB of memory")
  func bomb() throws {
    let packed = try Self.output("head -c 100000000 /dev/zero | gzip -c")
    let server = try StandInServer { _, _ in
      StandInServer.Answer(
        200, ["Content-Type: application/json", "Content-Encoding: gzip"], bytes: Array(packed))
    }
    let measure =
      "import resource, subprocess, sys; print(subprocess.run(sys.argv[1:], stdout=-3, stderr=-3).returncode, "
      + "resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    let request =
      #"{"token_endpoint":"\#(server.base)/t","authorization_endpoint":"\#(server.base)/a","client_id":"1","#
      + #""redirect_uri":"https://app.example/done","refresh_token":"R"}"#
    let file = FileManager.default.temporaryDirectory.appending(path: "request-\(UUID().uuidString)")
    try request.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let words = try Self.output(
      "/usr/bin/python3 -c '\(measure)' '\(Program.executable().path())' --request '\(file.path())'")
    let figures = String(decoding: words, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap {
      Int($0)
    }
    try #require(figures.count == 2, "\(String(decoding: words, as: UTF8.self))")
    #expect(figures[0] == 5)
    #expect(figures[1] < 64 * 1_024, "kB")
  }

  private static func output(_ command: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
  }

  @Test("A refresh token in a request document is renewed without anybody")
  func refresh() throws {
    let server = try StandInServer { _, _ in .json(Self.token) }
    let request =
      #"{"authorization_endpoint":"\#(server.base)/auth","token_endpoint":"\#(server.base)/token","#
      + #""client_id":"1","redirect_uri":"https://app.example/done","refresh_token":"R1"}"#
    let outcome = try Program.run(["login", "--request", "-"], input: request)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome["refresh_token"] as? String == "R2")
    #expect(server.requests.first?.body == "grant_type=refresh_token&refresh_token=R1&client_id=1")
  }
}
