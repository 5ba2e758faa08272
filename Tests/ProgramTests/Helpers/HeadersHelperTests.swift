import Foundation
import Synchronization
@testable import TestSupport
import Testing

/// As MCP clients run it: they wait ten seconds for an object of header fields, and come again.
@Suite("Header fields for an address, by the real program", .blocking)
struct HeadersHelperTests {
  private let world = ResourceWorld()

  private func run(_ arguments: [String], _ more: [String: String] = [:]) throws -> Program.Outcome {
    try Program.run(
      ["helper", "headers"] + arguments,
      environment: ["TOKENTRY_STORE": "file:\(world.folder)"].merging(more) { $1 })
  }

  /// A machine that is busy may take longer than a caller waits, who is told to come again.
  private func signIn(_ arguments: [String]) throws -> Program.Outcome {
    var outcome = try run(arguments)
    for _ in 0..<20 where outcome.status == 8 { outcome = try run(arguments) }
    return outcome
  }

  private func server() throws -> StandInServer { try world.server() }

  /// The rows of the table in the recipes: how many programs at once, and how many windows, registrations and token
  /// requests come of it.
  private static var told: [[Int]] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let paper = try? String(contentsOf: root.appending(path: "data/doc/recipes.md"), encoding: .utf8)
    let rows = paper?.components(separatedBy: "\n").drop { !$0.hasPrefix("| programs at once") } ?? []
    return rows.prefix { $0.hasPrefix("|") }.map {
      $0.split(separator: "|").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }
    .filter { !$0.isEmpty }
  }

  @Test("The recipes tell what comes of 1, 3 and 20")
  func table() { #expect(Self.told.map(\.first) == [1, 3, 20]) }

  @Test(
    "However many ask for an address that nobody knows, what comes of it is what the recipes tell",
    arguments: told)
  func manyAtOnce(row: [Int]) async throws {
    try #require(row.count == 4)
    let count = row[0]
    let server = try server()
    // Time for all of them to be there before the first has its token.
    let browser = try Browser("import time; time.sleep(\(Double(count) / 10))")
    let outcomes = try await withThrowingTaskGroup(of: Program.Outcome.self) { group in
      for _ in 0..<count {
        group.addTask { [self] in
          try await onThread { try run([server.base + "/mcp", "--browser", browser.command]) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // On a machine that is busy some are told to come again.
    for outcome in outcomes where outcome.status != 0 {
      #expect(outcome.status == 8 && outcome.output.isEmpty, "\(outcome.messages)")
    }
    let again = try run([server.base + "/mcp"])
    #expect(again.output == #"{"Authorization":"Bearer T1-read-offline_access"}"# + "\n", "\(again.messages)")
    for outcome in outcomes where outcome.status == 0 { #expect(outcome.output == again.output) }
    #expect(["/register", "/token"].map(server.hits) == Array(row[2...]))
    #expect(server.hits("/authorize") == row[1])
    #expect(
      await eventually { browser.runs == [row[1], row[1]] }, "the browser ends when it has its page")
  }

  @Test("A login goes on when the program that began it is killed, and others are told to come again")
  func killed() async throws {
    let server = try server()
    let file = world.folder + "-go"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let browser = try Browser("import time\nwhile not os.path.exists('\(file)'): time.sleep(0.05)")
    let words = [server.base + "/mcp", "--browser", browser.command]
    let process = try Program.prepared(
      ["helper", "headers"] + words, environment: ["TOKENTRY_STORE": "file:\(world.folder)"])
    process.standardOutput = Pipe()
    process.standardError = Pipe()
    try process.run()
    while browser.runs[0] == 0 { usleep(20_000) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let outcome = try run(words)
    #expect(outcome.status == 8 && outcome.output.isEmpty, "\(outcome.output)")
    #expect(outcome.messages.contains("the next call has the token"), "\(outcome.messages)")
    try Data().write(to: URL(filePath: file))
    while server.hits("/token") == 0 { usleep(20_000) }
    #expect(try run(words).status == 0)
    #expect(["/register", "/authorize", "/token"].map(server.hits) == [1, 1, 1])
    #expect(await eventually { browser.runs == [1, 1] }, "the browser ends when it has its page")
  }

  @Test(
    "A kept token is handed out without any request, and one that the API refuses is replaced where that is tried"
  )
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
    world.state.withLock { $0.good = [] }
    #expect(try run([], environment).output.contains("T1-"), "nobody has looked")
    #expect(try run(["--check"], environment).output == #"{"Authorization":"Bearer T2"}"# + "\n")
    #expect(server.requests.last { $0.path == "/token" }?.form["grant_type"] == "refresh_token")
    world.state.withLock { ($0.good, $0.deadRefresh) = ([], true) }
    #expect(try run(["--check", "--silent"], environment).status == 8)
    #expect(try run(["--check", "--headless-test"], environment).output.contains("T3-read"))
  }

  @Test("What a provider repeats of a secret is said by neither process", arguments: [false, true])
  func repeated(isTraced: Bool) throws {
    let server = try server()
    try #require(try run([server.base + "/mcp", "--headless-test"]).status == 0)
    world.state.withLock { ($0.good, $0.repeatsRefresh) = ([], true) }
    let log = world.folder + "-log"
    defer { try? FileManager.default.removeItem(atPath: log) }
    let outcome = try run(
      [server.base + "/mcp", "--check"] + (isTraced ? ["-v", "--trace"] : []), ["TOKENTRY_LOG": log])
    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome.output)")
    #expect(outcome.messages.contains("not [redacted]"), "\(outcome.messages)")
    let logged = try String(contentsOfFile: log, encoding: .utf8)
    for text in [outcome.messages, logged] { #expect(!text.contains("R3fresh"), "\(text)") }
  }

  @Test("What an address has in its query is neither said nor written down")
  func query() throws {
    let log = world.folder + "-log"
    defer { try? FileManager.default.removeItem(atPath: log) }
    for more in [[], ["#x"]] {
      let address = "https://api.example/mcp?api_key=S3CRET-key" + more.joined()
      let outcome = try run(["--silent", "--trace", address], ["TOKENTRY_LOG": log])
      #expect(outcome.status != 0 && outcome.messages.contains("api_key=[redacted]"), "\(outcome.messages)")
      let logged = try String(contentsOfFile: log, encoding: .utf8)
      #expect(logged.contains("api_key=[redacted]"))
      for text in [outcome.messages, outcome.output, logged] { #expect(!text.contains("S3CRET"), "\(text)") }
    }
  }

  @Test("Where the API wants more of a token it is asked for, and what nobody can get is not asked for again")
  func more() throws {
    let server = try server()
    let words = [server.base + "/mcp", "--check", "--headless-test"]
    try #require(try signIn(words).status == 0)
    let first = #"{"Authorization":"Bearer T1-read-offline_access"}"# + "\n"
    world.state.withLock { $0.scope = "write" }
    #expect(try run(words + ["--silent"]).output == first, "it may do for something else")
    let second = #"{"Authorization":"Bearer T2-read-offline_access-write"}"# + "\n"
    #expect(try run(words).output == second)
    #expect(try run(words).output == second)
    #expect(server.hits("/authorize") == 2)
    world.state.withLock { $0.isNeverContent = true }
    #expect(try run(words).output == second)
    #expect(server.hits("/authorize") == 2)
    world.state.withLock { ($0.scope, $0.context, $0.isNeverContent) = (nil, "gold", false) }
    let third = #"{"Authorization":"Bearer T3-read-offline_access-write-gold"}"# + "\n"
    #expect(try run(words).output == third)
    #expect(server.requests.last { $0.path == "/authorize" }?.query["acr_values"] == "gold")
    world.state.withLock { $0.context = "silver" }
    // Kept for a call that does not look.
    #expect(try run([words[0]]).output == third)
  }

  @Test("A server that does not answer keeps no caller: a kept token is handed out, a new one is on its way")
  func silent() async throws {
    let isOpen = Mutex(true)
    let server = try StandInServer { [world] request, base in
      while !isOpen.withLock({ $0 }), !request.isAbandoned() { usleep(20_000) }
      return world.answer(request, base)
    }
    defer { isOpen.withLock { $0 = true } }
    try #require(try signIn([server.base + "/mcp", "--headless-test"]).status == 0)
    let before = server.requests.count
    isOpen.withLock { $0 = false }
    let words = [[server.base + "/mcp", "--check"], [server.base + "/other", "--headless-test"]]
    let outcomes = try await withThrowingTaskGroup(of: (Int, Program.Outcome).self) { group in
      for (index, words) in words.enumerated() {
        group.addTask { [self] in (index, try await onThread { try run(words) }) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    // Both have ended, and the server has said nothing yet.
    #expect(isOpen.withLock { !$0 } && server.requests.count == before + 2)
    #expect(outcomes[0]?.output == #"{"Authorization":"Bearer T1-read-offline_access"}"# + "\n")
    #expect(outcomes[1]?.status == 8 && outcomes[1]?.output == "", "\(outcomes[1]?.messages ?? "")")
    #expect(outcomes[1]?.messages.contains("the next call has the token") == true)
    #expect(server.hits("/token") == 1)
    world.state.withLock {
      $0.other["/other"] = StandInServer.Answer(404)
      $0.other["/.well-known/oauth-protected-resource/other"] = .json(
        #"{"resource":"\#(server.base)","authorization_servers":["\#(server.base)"]}"#)
    }
    isOpen.withLock { $0 = true }
    for _ in 0..<1_500 where server.hits("/token") == 1 { usleep(20_000) }
    #expect(try run(words[1]).status == 0)
    #expect(server.hits("/token") == 2)
  }

  @Test("No login begins where that is forbidden, for an address that is none, or near one that is known")
  func refused() throws {
    let server = try server()
    let address = server.base + "/mcp"
    let silent = try run([address, "--silent"])
    #expect(silent.status == 2 && silent.messages.contains("no account is meant for"), "\(silent.messages)")
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

  @Test("What keeps a login from beginning is told with the status that it has everywhere")
  func failure() throws {
    let server = try server()
    world.state.withLock { $0.other["/.well-known/oauth-authorization-server"] = .json("[]") }
    let outcome = try run([server.base + "/mcp", "--headless-test"])
    #expect(outcome.status == 5 && outcome.output.isEmpty, "\(outcome.output)")
    #expect(outcome.messages.contains("the document is not a JSON object"), "\(outcome.messages)")
  }
}
