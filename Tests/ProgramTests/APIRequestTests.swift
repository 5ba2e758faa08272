import Foundation
import TestSupport
import Testing

@Suite("Requests to an API", .blocking)
struct APIRequestTests {
  private func request(
    _ services: Services, _ arguments: [String], input: String = ""
  ) throws -> Outcome {
    try services.run(["request", "--account", "work", "--silent"] + arguments, input: input)
  }

  private func ready(life: Int = 3_600, origins: String? = nil) throws -> Services {
    let services = try Services(life: life)
    try services.writePreset(origins: origins)
    try services.logIn()
    return services
  }

  @Test("The body of the answer goes to standard output, and the token into the header field")
  func get() throws {
    let services = try ready()
    let outcome = try request(services, [services.base + "/api/me"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == "GET 0 - -\n")
    #expect(outcome.messages.isEmpty)
    #expect(services.log == ["GET /api/me Bearer"])
  }

  @Test(
    "The body of a request comes from a text, a file or standard input, and is sent unchanged",
    arguments: [
      (["-d", "a\nb"], "POST 3 application/x-www-form-urlencoded -\n"),
      (["-da=b"], "POST 3 application/x-www-form-urlencoded -\n"), (["--data="], "POST 0 \(form) -\n"),
      (["-X", "PUT", "-H", "content-type: text/plain", "-d", "@-"], "PUT 5 text/plain -\n"),
      (["-XDELETE", "-H", "X-Mark: a=b: c"], "DELETE 0 - a=b: c\n"),
      (["-X", "POST", "--header", "X-Mark=1"], "POST 0 - 1\n"), (["-X", "HEAD"], ""),
    ])
  func data(arguments: [String], expected: String) throws {
    let services = try ready()
    let outcome = try request(services, arguments + [services.base + "/api/x"], input: "12345")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == expected)
  }
  private static let form = "application/x-www-form-urlencoded"

  @Test(
    "The exit status follows the HTTP status, and the body is printed in any case",
    arguments: [
      (200, 0), (201, 0), (400, 1), (403, 1), (404, 1), (429, 1), (500, 5), (503, 5),
    ])
  func status(answer: Int, expected: Int32) throws {
    let services = try ready()
    let outcome = try request(services, [services.base + "/api/status?\(answer)"])
    #expect(outcome.status == expected)
    #expect(outcome.output == "as you like\n")
    #expect(outcome.messages.contains("HTTP \(answer)") == (expected != 0))
    #expect(services.log.count == 1)
  }

  @Test("A token that the server refuses is refreshed, and the request is sent again with its body")
  func refused() throws {
    let services = try ready()
    try services.accept("T2")
    let file = services.folder + "/body"
    try "1234567".write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try request(services, ["-d", "@" + file, services.base + "/api/x"])
    #expect(outcome.output == "POST 7 application/x-www-form-urlencoded -\n", "\(outcome.messages)")
    #expect(outcome.status == 0)
    #expect(services.log == ["POST /api/x Bearer", "POST /api/x Bearer"])
    #expect(try services.run(["token", "--account", "work", "--output", "token"]).output == "T2\n")
  }

  @Test("A request that is refused again ends with status 1 and the server's explanation")
  func refusedAgain() throws {
    let services = try ready()
    try services.accept("another")
    let outcome = try request(services, [services.base + "/api/x"])
    #expect(outcome.status == 1)
    #expect(outcome.output == "no\n")
    #expect(outcome.messages.contains("invalid_token: too old"))
    #expect(services.log.count == 2)
  }

  @Test("A body from a pipe is not sent twice: the next request uses the new token")
  func pipe() throws {
    let services = try ready()
    try services.accept("T2")
    let outcome = try request(services, ["-d", "@-", services.base + "/api/x"], input: "12345")
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("cannot be sent twice"))
    #expect(services.log.count == 1)
    let next = try request(services, ["-d", "@-", services.base + "/api/x"], input: "12345")
    #expect(next.status == 0)
    #expect(next.output.hasPrefix("POST 5 "))
  }

  @Test("If the provider refuses to refresh, --silent ends with status 8 and prints no body")
  func silent() throws {
    let services = try ready()
    try services.accept("T2")
    services.refuseRefresh()
    let outcome = try request(services, [services.base + "/api/x"])
    #expect(outcome.status == 8)
    #expect(outcome.output.isEmpty)
    // Without --silent the user signs in, and the request is sent again.
    try services.accept("T101")
    let arguments = ["request", "--account", "work", "--headless-test", services.base + "/api/x"]
    let loud = try services.run(arguments)
    #expect(loud.status == 0, "\(loud.messages)")
    #expect(loud.output == "GET 0 - -\n")
    let unknown = try services.run(["request", "--account", "none", services.base + "/api/x"])
    #expect(unknown.status == 8)
    #expect(unknown.output.isEmpty)
  }

  @Test("A token is not sent to a server that was not named for it")
  func origins() throws {
    let services = try ready(origins: "https://api.example")
    let outcome = try request(services, [services.base + "/api/me"])
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.messages.contains("--allow-origin \(services.base)"))
    #expect(services.log.isEmpty)
    let allowed = try request(services, ["--allow-origin", services.base, services.base + "/api/me"])
    #expect(allowed.status == 0, "\(allowed.messages)")
  }

  @Test("A redirect is not followed")
  func redirect() throws {
    let services = try ready()
    let other = try StandInServer { _, _ in .json("{}") }
    let outcome = try request(services, [services.base + "/api/away?" + other.base])
    #expect(outcome.status == 5)
    #expect(outcome.output.isEmpty)
    #expect(other.requests.isEmpty)
  }

  @Test(
    "Impossible requests are refused before anything is sent",
    arguments: [
      [], ["http://api.example/"], ["ftp://127.0.0.1/"], ["-X", "CONNECT", "http://127.0.0.1/"],
      ["-X", "A B", "http://127.0.0.1/"], ["-H", "Authorization: Bearer x", "http://127.0.0.1/"],
      ["-H", "Host: x", "http://127.0.0.1/"], ["-H", "Accept-Encoding: gzip", "http://127.0.0.1/"],
      ["-d", "@/nonexistent", "http://127.0.0.1/"],
      ["--allow-origin", "https://a.example/b", "http://127.0.0.1/"], ["http://127.0.0.1/", "again"],
    ])
  func wrong(arguments: [String]) throws {
    let services = try ready()
    let outcome = try request(services, arguments)
    #expect(outcome.status == 2, "\(outcome.messages)")
    #expect(outcome.output.isEmpty)
    #expect(services.log.isEmpty)
  }

  @Test("An answer that breaks off, or whose next chunk is none, is status 5")
  func cut() throws {
    let server = try StandInServer { _, _ in StandInServer.Answer(200, [], "half").cut }
    let chunked = ScriptedServer { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n0\r\n\r\n")
    }
    defer { chunked.stop() }
    for base in [server.base, "http://127.0.0.1:\(chunked.port)"] {
      let services = try ready(origins: base)
      let outcome = try request(services, [base + "/"])
      #expect(outcome.status == 5, "\(outcome.messages)")
      #expect(outcome.output == "half")
    }
  }

  @Test("A reader that leaves in the middle of the answer is status 9")
  func readerGone() throws {
    let server = try StandInServer { _, _ in StandInServer.Answer(200, [], "abc").slowBody(5) }
    let services = try ready(origins: server.base)
    let script = #""$@" | head -c 1 >&2; echo "${PIPESTATUS[0]}""#
    let outcome = try Tokentry.run(
      ["request", "--account", "work", "--silent", server.base + "/"], environment: services.environment,
      wrapper: ["/bin/bash", "-c", script, "bash"])
    #expect(outcome.output == "9\n")
    #expect(outcome.messages.contains("the result could not be written"), "\(outcome.messages)")
  }

  @Test("--timeout limits the wait for a silent server")
  func stalled() throws {
    let server = try StandInServer { _, _ in StandInServer.Answer(200, [], "abc").slowBody(30) }
    let services = try ready(origins: server.base)
    let start = ContinuousClock.now
    let outcome = try request(services, ["--timeout", "1", server.base + "/"])
    #expect(outcome.status == 5)
    #expect(outcome.messages.contains("within 1 s"))
    #expect(ContinuousClock.now - start < .seconds(15))
  }

  @Test("Sending or receiving 100 MB takes little memory")
  func memory() throws {
    let services = try ready()
    let size = 100 << 20
    let file = services.folder + "/large"
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: UInt64(size))
    let store = ["--store", "file:\(services.folder)/accounts"]
    let uploaded = services.folder + "/uploaded"
    for (arguments, output) in [
      (["-d", "@" + file, services.base + "/api/x"], uploaded),
      ([services.base + "/api/bytes?\(size)"], "/dev/null"),
    ] {
      let (status, peak) = try Tokentry.measure(
        ["request", "--account", "work"] + store + arguments, output: output)
      #expect(status == 0)
      // A sanitizer keeps freed memory.
      if slowness == 1 { #expect(peak < 64 * 1_024, "\(peak) kB") }
    }
    #expect(try String(contentsOfFile: uploaded, encoding: .utf8).hasPrefix("POST \(size) "))
  }
}
