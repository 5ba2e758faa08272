import Foundation
import TestSupport
import Testing

@Suite("The gate and what may happen to it", .blocking)
struct GateFaultTests {
  private func gate(
    to server: ScriptedServer, _ services: Services, _ options: [String] = []
  ) throws -> RunningGate {
    let base = "http://127.0.0.1:\(server.port)"
    return try RunningGate(
      to: base, ["--account", "work", "--allow-origin", base, "--silent"] + options,
      environment: services.environment)
  }

  @Test("Events arrive one by one, however long the server is silent in between")
  func events() throws {
    let services = try Services.withAccount()
    let mayGoOn = DispatchSemaphore(value: 0)
    let server = ScriptedServer { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
      for number in 1...3 {
        wire.write("data: \(number)\n\n")
        mayGoOn.wait()
      }
    }
    defer { server.stop() }
    let gate = try gate(to: server, services, ["--timeout", "1"])
    let connection = try gate.client.connection()
    connection.send(gate.client.head("GET /events"))
    var received = ""
    for number in 1...3 {
      while !received.contains("data: \(number)\n\n"), let bytes = connection.read() {
        received += String(decoding: bytes, as: UTF8.self)
      }
      #expect(received.contains("data: \(number)\n\n") && !received.contains("data: \(number + 1)"))
      // Twice the time that a silent server has otherwise.
      if number == 2 { sleep(2) }
      mayGoOn.signal()
    }
    while let bytes = connection.read() {
      received += String(decoding: bytes, as: UTF8.self)
      if received.hasSuffix("\r\n0\r\n\r\n") { break }
    }
    #expect(received.hasSuffix("\r\n0\r\n\r\n"), "\(received)")
  }

  @Test(
    "A server that fails gets the status of a gateway, with one sentence in JSON",
    arguments: [("gone", 502), ("reset", 502), ("silent", 504), ("garbage", 502)])
  func serverFails(way: String, status: Int) throws {
    let services = try Services.withAccount()
    let server = ScriptedServer { wire in
      wire.readRequest()
      switch way {
      case "reset": wire.reset()
      case "silent": wire.waitForEnd()
      default: wire.write("what?\r\n\r\n")
      }
    }
    if way == "gone" { server.stop() }
    defer { if way != "gone" { server.stop() } }
    let gate = try gate(to: server, services, ["--timeout", "1"])
    let answer = try gate.client.ask("GET /x")
    #expect(answer.status == status, "\(answer)")
    #expect(answer.json["error"] is String && answer.json["error_description"] is String, "\(answer)")
    // The person reads it once, however often the client asks.
    _ = try gate.client.ask("GET /x")
    #expect(gate.isRunning && gate.messages.components(separatedBy: "warning").count == 2, "\(gate.messages)")
  }

  @Test("Half an answer stays half", arguments: ["Content-Length: 10", "Transfer-Encoding: chunked"])
  func halfAnswer(framing: String) throws {
    let services = try Services.withAccount()
    let server = ScriptedServer { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n5\r\nhello\r\n")
    }
    defer { server.stop() }
    let gate = try gate(to: server, services)
    let answer = try gate.client.ask("GET /x")
    #expect(
      answer.status == 200 && answer.body.contains("hello") && !answer.body.hasSuffix("0\r\n\r\n"),
      "\(answer)")
  }

  @Test(
    "If the client leaves, its request ends, also while the server has nothing to say",
    arguments: [[], ["--port", "0"]], [false, true])
  func clientLeaves(options: [String], hasBegun: Bool) throws {
    let services = try Services.withAccount()
    let server = ScriptedServer { wire in
      wire.readRequest()
      if hasBegun { wire.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n") }
      wire.waitForEnd()
    }
    defer { server.stop() }
    let gate = try gate(to: server, services, options)
    var connection: RawConnection? = try gate.client.connection()
    connection?.send(gate.client.head("GET /x"))
    if hasBegun { _ = connection?.read() } else { waitUntil { server.heard.hasSuffix("\r\n\r\n") } }
    connection = nil
    #expect(server.closesAlone())
  }

  @Test(
    "The server does not take half a body for a whole one",
    arguments: [("Content-Length: 2000000", "abc"), ("Transfer-Encoding: chunked", "3\r\nabc\r\n")])
  func halfBody(framing: String, body: String) throws {
    let services = try Services.withAccount()
    let server = ScriptedServer { $0.waitForEnd() }
    defer { server.stop() }
    let gate = try gate(to: server, services)
    var connection: RawConnection? = try gate.client.connection()
    connection?.send(gate.client.head("POST /x", [framing]) + body)
    waitUntil { server.heard.contains("abc") }
    connection = nil
    #expect(server.closesAlone())
    #expect(!server.heard.hasSuffix("\r\n0\r\n\r\n"), "\(server.heard)")
  }

  @Test(
    "A body that is not in chunks as it says is refused, also after its first part has been passed on",
    arguments: ["x\r\n", "4\nabcd\r\n", "-1\r\n", "2\r\nabc\r\n0\r\n\r\n", "0\r\nX-A: b\r\n\r\n"])
  func badChunks(rest: String) throws {
    let services = try Services.withAccount()
    let server = ScriptedServer { $0.waitForEnd() }
    defer { server.stop() }
    let gate = try gate(to: server, services)
    let connection = try gate.client.connection()
    connection.send(gate.client.head("POST /x", ["Transfer-Encoding: chunked"]) + "3\r\nabc\r\n")
    waitUntil { server.heard.contains("abc") }
    connection.send(rest)
    #expect(RawAnswer(connection.readToEnd()).status == 400)
    #expect(!server.heard.hasSuffix("\r\n0\r\n\r\n"), "\(server.heard)")
  }

  @Test(
    "A request that is hidden in another one is not seen by the server",
    arguments: [
      ["Content-Length: 4", "Transfer-Encoding: chunked"], ["Content-Length: 4", "Content-Length: 5"],
      ["Transfer-Encoding: chunked\n"], ["Transfer-Encoding : chunked"], ["Content-Length: 0\rX: y"],
      ["X: y\r\n Content-Length: 4"],
    ])
  func smuggling(fields: [String]) throws {
    let services = try Services.withAccount()
    let gate = try RunningGate(
      to: services.base + "/api", ["--silent"], environment: services.environment)
    let bytes = gate.client.head("POST /api/a", fields) + "0\r\n\r\n" + gate.client.head("GET /api/hidden")
    let answer = RawAnswer(try gate.client.send(bytes))
    #expect(answer.status == 400, "\(answer)")
    #expect(services.log.isEmpty)
  }

  @Test("Slow and silent clients keep nobody out")
  func slowClients() throws {
    let services = try Services.withAccount()
    let gate = try RunningGate(
      to: services.base + "/api", ["--silent", "--port", "0"], environment: services.environment)
    let slow = try (0..<300).map { _ in try gate.client.connection() }
    for connection in slow { connection.send("GET /api") }
    #expect(try gate.client.ask("GET /api/x").status == 200)
    withExtendedLifetime(slow) {}
  }

  @Test("Descriptors and memory stay the same over many requests")
  func steady() throws {
    let services = try Services.withAccount()
    let gate = try RunningGate(
      to: services.base + "/api", ["--silent"], environment: services.environment)
    let descriptors = {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(gate.identifier)/fd").count
    }
    for _ in 0..<20 { #expect(try gate.client.ask("GET /api/x").status == 200) }
    let before = try descriptors()
    for _ in 0..<200 {
      #expect(try gate.client.ask("GET /elsewhere").status == 403)
      #expect(try gate.client.ask("POST /api/x", body: "abc").status == 200)
    }
    #expect(try descriptors() <= before + 2)
  }
}
