import Foundation
import Synchronization
@testable import TestSupport
import Testing

/// As MCP clients run it: they wait ten seconds for an object of header fields, and come again.
@Suite("Header fields for an address, by the real program", .blocking)
struct HeadersHelperTests {
  private let world = ResourceTests.World()

  private func run(_ arguments: [String], _ more: [String: String] = [:]) throws -> Program.Outcome {
    try Program.run(
      ["helper", "headers"] + arguments,
      environment: ["TOKENTRY_STORE": "file:\(world.folder)"].merging(more) { $1 })
  }

  private func server() throws -> StandInServer {
    try StandInServer { [world] request, base in world.answer(request, base) }
  }

  @Test(
    "However many ask for an address that nobody knows, they are one login with one client and one token",
    arguments: [1, 3, 20])
  func manyAtOnce(count: Int) async throws {
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
    #expect(["/register", "/authorize", "/token"].map(server.hits) == [1, 1, 1])
    #expect(await eventually { browser.runs == [1, 1] }, "the browser ends when it has its page")
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

  @Test("No login begins where that is forbidden, for an address that is none, or near one that is known")
  func refused() throws {
    let server = try server()
    let address = server.base + "/mcp"
    let silent = try run([address, "--silent"])
    #expect(silent.status == 2 && silent.messages.contains("no account is meant for"), "\(silent.messages)")
    #expect(try run([]).status == 2)
    for wrong in [
      "http://api.example/mcp", "https://u@api.example/", "\(address)#f", "\(server.base)/a/../mcp", "mcp",
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
