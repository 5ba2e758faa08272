import Foundation
import Synchronization
@testable import TestSupport
import Testing

/// MCP clients wait ten seconds for an object of header fields, and try again.
@Suite("Header fields for an API", .blocking)
struct HeadersHelperTests {
  private let fixture = ResourceFixture()
  private let folder = TemporaryFolder()

  private func run(_ arguments: [String], _ more: [String: String] = [:]) throws -> Outcome {
    try fixture.run(["helper", "headers"] + arguments, environment: more)
  }

  /// On a busy machine the login may take longer than a caller waits, so the helper is run again.
  private func signIn(_ arguments: [String]) throws -> Outcome {
    var outcome = try run(arguments)
    for _ in 0..<20 where outcome.status == 8 { outcome = try run(arguments) }
    return outcome
  }

  private func server() throws -> StandInServer { try fixture.server() }

  /// The table in the recipes: programs at once, windows, registrations and token requests.
  private static var told: [[Int]] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let paper = try? String(contentsOf: root.appending(path: "data/doc/recipes.md"), encoding: .utf8)
    let rows = paper?.components(separatedBy: "\n").drop { !$0.hasPrefix("| programs at once") } ?? []
    return rows.prefix { $0.hasPrefix("|") }.map {
      $0.split(separator: "|").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }
    .filter { !$0.isEmpty }
  }

  @Test("The recipes have rows for 1, 3 and 20 programs")
  func table() { #expect(Self.told.map(\.first) == [1, 3, 20]) }

  @Test("The number of windows, registrations and token requests is as the recipes say", arguments: told)
  func manyAtOnce(row: [Int]) async throws {
    try #require(row.count == 4)
    let count = row[0]
    let server = try server()
    // Time for all of them to arrive before the first has its token.
    let browser = try Browser("import time; time.sleep(\(Double(count) / 10))")
    let outcomes = try await atOnce(count) { [self] _ in
      try run([server.base + "/mcp", "--browser", browser.command])
    }
    // On a busy machine some have to try again.
    for outcome in outcomes where outcome.status != 0 {
      #expect(outcome.status == 8 && outcome.output.isEmpty, "\(outcome.messages)")
    }
    let again = try run([server.base + "/mcp"])
    #expect(again.output == #"{"Authorization":"Bearer T1-read-offline_access"}"# + "\n", "\(again.messages)")
    for outcome in outcomes where outcome.status == 0 { #expect(outcome.output == again.output) }
    #expect(["/register", "/token"].map(server.hits) == Array(row[2...]))
    #expect(server.hits("/authorize") == row[1])
    #expect(await eventually { browser.runs == [row[1], row[1]] }, "the browser ends when it has its page")
  }

  @Test("A login goes on when the program that began it is killed, and other programs are told to try again")
  func killed() async throws {
    let server = try server()
    let file = folder.path + "/go"
    let browser = try Browser("import time\nwhile not os.path.exists('\(file)'): time.sleep(0.05)")
    let words = [server.base + "/mcp", "--browser", browser.command]
    let killed = try RunningTokentry(
      ["helper", "headers"] + words, environment: ["TOKENTRY_STORE": "file:\(fixture.store)"])
    #expect(waitUntil { browser.runs[0] > 0 })
    killed.end(SIGKILL)
    _ = killed.outcome()
    let outcome = try run(words)
    #expect(outcome.status == 8 && outcome.output.isEmpty, "\(outcome.output)")
    #expect(outcome.messages.contains("the next call returns the token"), "\(outcome.messages)")
    try Data().write(to: URL(filePath: file))
    #expect(waitUntil { server.hits("/token") > 0 })
    #expect(try run(words).status == 0)
    #expect(["/register", "/authorize", "/token"].map(server.hits) == [1, 1, 1])
    #expect(await eventually { browser.runs == [1, 1] }, "the browser ends when it has its page")
  }

  @Test("A kept token is handed out without a request, and --check replaces it if the API refuses it")
  func kept() throws {
    let server = try server()
    let address = server.base + "/mcp"
    let environment = ["CLAUDE_CODE_MCP_SERVER_URL": address]
    try #require(try run([address, "--headless-test"]).status == 0)
    let before = server.requests.count
    #expect(try run([], environment).output == #"{"Authorization":"Bearer T1-read-offline_access"}"# + "\n")
    #expect(
      try run(["--lines", address + "/tools"]).output == "Authorization: Bearer T1-read-offline_access\n")
    #expect(server.requests.count == before)
    #expect(try run(["--check"], environment).output.contains("T1-"))
    fixture.state.withLock { $0.good = [] }
    #expect(try run([], environment).output.contains("T1-"), "without --check the API is not asked")
    #expect(try run(["--check"], environment).output == #"{"Authorization":"Bearer T2"}"# + "\n")
    #expect(server.requests.last { $0.path == "/token" }?.form["grant_type"] == "refresh_token")
    fixture.state.withLock { ($0.good, $0.deadRefresh) = ([], true) }
    #expect(try run(["--check", "--silent"], environment).status == 8)
    #expect(try run(["--check", "--headless-test"], environment).output.contains("T3-read"))
  }

  @Test("A secret that the provider repeats is neither shown nor logged", arguments: [false, true])
  func repeated(isTraced: Bool) throws {
    let server = try server()
    try #require(try run([server.base + "/mcp", "--headless-test"]).status == 0)
    fixture.state.withLock { ($0.good, $0.repeatsRefresh) = ([], true) }
    let log = folder.path + "/log"
    let outcome = try run(
      [server.base + "/mcp", "--check"] + (isTraced ? ["-vv"] : []), ["TOKENTRY_LOG": log])
    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome.output)")
    #expect(outcome.messages.contains("not [redacted]"), "\(outcome.messages)")
    let logged = try String(contentsOfFile: log, encoding: .utf8)
    for text in [outcome.messages, logged] { #expect(!text.contains("R3fresh"), "\(text)") }
  }

  @Test("The query of an address is neither shown nor logged")
  func query() throws {
    let log = folder.path + "/log"
    for more in [[], ["#x"]] {
      let address = "https://api.example/mcp?api_key=S3CRET-key" + more.joined()
      let outcome = try run(["--silent", "-vv", address], ["TOKENTRY_LOG": log])
      #expect(outcome.status != 0 && outcome.messages.contains("api_key=[redacted]"), "\(outcome.messages)")
      let logged = try String(contentsOfFile: log, encoding: .utf8)
      #expect(logged.contains("api_key=[redacted]"))
      for text in [outcome.messages, outcome.output, logged] { #expect(!text.contains("S3CRET"), "\(text)") }
    }
  }

  @Test("If the API demands more of a token the user signs in once, and again only for another demand")
  func more() throws {
    let server = try server()
    let words = [server.base + "/mcp", "--check", "--headless-test"]
    try #require(try signIn(words).status == 0)
    let first = #"{"Authorization":"Bearer T1-read-offline_access"}"# + "\n"
    fixture.state.withLock { $0.scope = "write" }
    #expect(try run(words + ["--silent"]).output == first, "the token may do for other requests")
    let second = #"{"Authorization":"Bearer T2-read-offline_access-write"}"# + "\n"
    #expect(try run(words).output == second)
    #expect(try run(words).output == second)
    #expect(server.hits("/authorize") == 2)
    fixture.state.withLock { $0.refusesEveryToken = true }
    #expect(try run(words).output == second)
    #expect(server.hits("/authorize") == 2)
    fixture.state.withLock { ($0.scope, $0.context, $0.refusesEveryToken) = (nil, "gold", false) }
    let third = #"{"Authorization":"Bearer T3-read-offline_access-write-gold"}"# + "\n"
    #expect(try run(words).output == third)
    #expect(server.requests.last { $0.path == "/authorize" }?.query["acr_values"] == "gold")
    fixture.state.withLock { $0.context = "silver" }
    // The kept token is still handed out without --check.
    #expect(try run([words[0]]).output == third)
  }

  @Test(
    "A silent server does not hold up callers: a kept token is handed out, or the caller is told to try again"
  )
  func silent() async throws {
    let isOpen = Mutex(true)
    let server = try StandInServer { [fixture] request, base in
      while !isOpen.withLock({ $0 }), !request.isAbandoned() { usleep(20_000) }
      return fixture.answer(request, base)
    }
    defer { isOpen.withLock { $0 = true } }
    try #require(try signIn([server.base + "/mcp", "--headless-test"]).status == 0)
    let before = server.requests.count
    isOpen.withLock { $0 = false }
    let words = [[server.base + "/mcp", "--check"], [server.base + "/other", "--headless-test"]]
    let outcomes = try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
      for (index, words) in words.enumerated() {
        group.addTask { [self] in (index, try await onThread { try run(words) }) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    // Both have ended although the server has not answered.
    #expect(isOpen.withLock { !$0 } && server.requests.count == before + 2)
    #expect(outcomes[0]?.output == #"{"Authorization":"Bearer T1-read-offline_access"}"# + "\n")
    #expect(outcomes[1]?.status == 8 && outcomes[1]?.output == "", "\(outcomes[1]?.messages ?? "")")
    #expect(outcomes[1]?.messages.contains("the next call returns the token") == true)
    #expect(server.hits("/token") == 1)
    fixture.state.withLock {
      $0.other["/other"] = StandInServer.Answer(404)
      $0.other["/.well-known/oauth-protected-resource/other"] = .json(
        #"{"resource":"\#(server.base)","authorization_servers":["\#(server.base)"]}"#)
    }
    isOpen.withLock { $0 = true }
    for _ in 0..<1_500 where server.hits("/token") == 1 { usleep(20_000) }
    #expect(try run(words[1]).status == 0)
    #expect(server.hits("/token") == 2)
  }

  @Test("A login does not begin with --silent, for a bad address, or for an address near a known one")
  func refused() throws {
    let server = try server()
    let address = server.base + "/mcp"
    let silent = try run([address, "--silent"])
    #expect(silent.status == 2 && silent.messages.contains("no account is set up for"), "\(silent.messages)")
    #expect(try run([]).status == 2)
    for wrong in [
      "http://api.example/mcp", "https://u@api.example/", "\(address)#f", "\(server.base)/a/../mcp", "mcp",
      "\(server.base)\\mcp", "",
    ] {
      #expect(try run([wrong]).status == 2)
    }
    #expect(server.requests.isEmpty)
    try #require(try run([address, "--headless-test"]).status == 0)
    for near in [server.base + "/mcp-x", server.base + "/m", server.base, server.base + "/mcp%2f../x"] {
      #expect(try run([near, "--silent"]).status == 2)
    }
  }
}
