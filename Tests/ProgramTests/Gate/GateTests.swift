import Foundation
import TestSupport
import Testing

@Suite("The gate", .blocking)
struct GateTests {
  private func ready(life: Int = 3_600, prefix: String? = nil) throws -> Services {
    let services = try Services(life: life, prefix: prefix)
    try services.writePreset()
    try services.logIn()
    return services
  }

  private func gate(_ services: Services, _ options: [String] = ["--silent"]) throws -> RunningGate {
    try RunningGate(to: services.base + "/api", options, environment: services.environment)
  }

  @Test("A request gets the token, and method, body and fields stay as they are", arguments: [nil, "0"])
  func passes(port: String?) throws {
    let services = try ready()
    let gate = try gate(services, ["--silent"] + (port.map { ["--port", $0] } ?? []))
    let answer = try gate.client.ask(
      "PUT /api/x?y", ["Content-Type: a/b", "X-Mark: m", "Cookie: a=b"], body: "12345")
    #expect(answer.status == 200 && answer.body == "PUT 5 a/b m\n", "\(answer)")
    #expect(services.log == ["PUT /api/x Bearer"])
    #expect(try gate.client.ask("GET /other").status == 403)
    #expect(try gate.client.ask("GET /api/x", ["Origin: http://localhost"]).status == 403)
    let outcome = gate.end()
    #expect(outcome.status == 0 && outcome.messages.isEmpty, "\(outcome)")
    #expect(gate.files.isEmpty)
  }

  @Test(
    "Several requests follow each other on a connection, and none needs an answer before the next is sent")
  func keepsConnection() throws {
    let services = try ready()
    let gate = try gate(services)
    let post = gate.client.head("POST /api/a", ["Content-Length: 3"]) + "abc"
    let chunks =
      gate.client.head("POST /api/b", ["Transfer-Encoding: chunked"]) + "2;x=y\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
    let last = gate.client.head("GET /api/status?204", ["Connection: close"])
    let all = String(decoding: try gate.client.send(post + chunks + "\r\n" + post + last), as: UTF8.self)
    #expect(
      all.components(separatedBy: "HTTP/1.1 ").map { $0.prefix(3) } == ["", "200", "200", "200", "204"])
    #expect(all.components(separatedBy: "POST 3 - -\n").count == 4, "\(all)")
  }

  @Test(
    "An expired token is refreshed once for twenty clients, and a refused one once more",
    arguments: [true, false])
  func oneRefresh(isExpired: Bool) async throws {
    let services = try ready(life: isExpired ? 30 : 3_600, prefix: "T")
    let gate = try gate(services)
    try services.accept("T2")
    let requests = services.provider.requests.count
    let bodies = try await atOnce(20) { [client = gate.client] _ in
      try client.ask("POST /api/x", body: "abc").body
    }
    #expect(Set(bodies) == ["POST 3 - -\n"])
    #expect(services.provider.requests.count == requests + 1)
  }

  @Test("A body that cannot be sent twice is not, and the next request has a new token")
  func longBody() throws {
    let services = try ready()
    let gate = try gate(services)
    try services.accept("T2")
    let request =
      gate.client.head("POST /api/x", ["Transfer-Encoding: chunked", "Connection: close"])
      + "1\r\na\r\n0\r\n\r\n"
    let refused = RawAnswer(try gate.client.send(request))
    #expect(refused.status == 401 && refused["WWW-Authenticate"] == nil, "\(refused)")
    #expect(RawAnswer(try gate.client.send(request)).body.contains("POST 1 "))
    let long = String(repeating: "0123456789abcdef", count: 1 << 18)
    let answer = try gate.client.ask("POST /api/x", ["Expect: 100-continue"], body: long)
    #expect(answer.status == 100 && answer.body.contains("POST \(long.utf8.count) "), "\(answer)")
  }

  @Test("If there is no token, the answer says why in JSON, and the gate goes on")
  func noToken() throws {
    let services = try ready()
    let gate = try gate(services)
    try services.accept("T2")
    services.refuseRefresh()
    let answer = try gate.client.ask("GET /api/x")
    #expect(answer.status == 403 && answer.json["error"] as? String == "login_required", "\(answer)")
    try services.accept("T101")
    let login = try services.run([
      "login", "--provider", "here", "--client-id", "me", "--account", "work", "--headless-test",
    ])
    #expect(login.status == 0, "\(login)")
    #expect(try gate.client.ask("GET /api/x").status == 200)
  }

  @Test("The user signs in once for all requests that wait, and the API is not asked in vain")
  func signsIn() async throws {
    let services = try ready()
    let gate = try gate(services, ["--headless-test"])
    try services.accept("T101")
    services.refuseRefresh()
    let statuses = try await atOnce(5) { [client = gate.client] _ in try client.ask("GET /api/x").status }
    #expect(statuses == [200, 200, 200, 200, 200])
    #expect(services.provider.requests.filter { $0.path == "/a" }.count == 1)
  }

  @Test("A step-up and a bound token with nonces work as in every other command")
  func demands() throws {
    let demo = try RunningDemo()
    #expect(try demo.login(["--account", "me", "--dpop", "--for", demo.issuer]).status == 0)
    let gate = try RunningGate(
      to: demo.issuer + "/api", ["--account", "me", "--headless-test"], environment: demo.environment)
    let echo = try gate.client.ask("POST /api/echo?a", body: "hello")
    #expect(echo.json["body"] as? String == "hello" && echo["DPoP-Nonce"] == nil, "\(echo)")
    let admin = try gate.client.ask("GET /api/admin")
    #expect(admin.json["scope"] as? String == "openid profile admin", "\(admin)")
  }

  @Test("The token may come from an agent, and a refused refresh leaves a good token in use")
  func agent() throws {
    let services = try ready(life: 50)
    let agent = try RunningAgent(services.environment)
    services.refuseRefresh()
    let gate = try RunningGate(
      to: services.base + "/api", ["--account", "work", "--silent", "--store", "agent:\(agent.socket)"],
      environment: [:])
    #expect(try gate.client.ask("GET /api/x").status == 200)
    agent.end()
    let answer = try gate.client.ask("GET /api/x")
    #expect(answer.status == 503 && answer.json["error"] as? String == "store_unavailable", "\(answer)")
  }

  @Test("A gate does not start without an account, with a query, or at a taken port")
  func refused() throws {
    let services = try ready()
    let other = try gate(services, ["--port", "0"])
    let port = String(try #require(other.client.port))
    let rows: [([String], Int32, String)] = [
      (["https://other.example"], 2, "origin_not_allowed"), ([services.base + "/api?x"], 2, "invalid_option"),
      ([], 2, "invalid_option"), ([services.base + "/api", "--port", port], 2, "invalid_configuration"),
      ([services.base + "/api", "--"], 2, "invalid_option"), (["http://api.example"], 2, "invalid_option"),
      ([services.base + "/api", "--", "/nonexistent"], 2, "invalid_configuration"),
      (["https://api.example", "--account", "work"], 2, "origin_not_allowed"),
    ]
    for (arguments, status, error) in rows {
      let outcome = try services.run(["gate"] + arguments)
      #expect(outcome.status == status && outcome.error == error, "\(arguments): \(outcome)")
    }
  }
}

@Suite("The gate and what may happen to it", .blocking)
struct GateFaultTests {
  private func ready() throws -> Services {
    let services = try Services()
    try services.writePreset()
    try services.logIn()
    return services
  }

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
    let services = try ready()
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
    let services = try ready()
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
    let services = try ready()
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
    let services = try ready()
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
    let services = try ready()
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
    let services = try ready()
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
    let services = try ready()
    let gate = try RunningGate(
      to: services.base + "/api", ["--silent"], environment: services.environment)
    let bytes = gate.client.head("POST /api/a", fields) + "0\r\n\r\n" + gate.client.head("GET /api/hidden")
    let answer = RawAnswer(try gate.client.send(bytes))
    #expect(answer.status == 400, "\(answer)")
    #expect(services.log.isEmpty)
  }

  @Test("Slow and silent clients keep nobody out")
  func slowClients() throws {
    let services = try ready()
    let gate = try RunningGate(
      to: services.base + "/api", ["--silent", "--port", "0"], environment: services.environment)
    let slow = try (0..<300).map { _ in try gate.client.connection() }
    for connection in slow { connection.send("GET /api") }
    #expect(try gate.client.ask("GET /api/x").status == 200)
    withExtendedLifetime(slow) {}
  }

  @Test("Descriptors and memory stay the same over many requests")
  func steady() throws {
    let services = try ready()
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

@Suite("The end of a gate, and the program that it starts", .blocking)
struct GateProgramTests {
  private func ready() throws -> Services {
    let services = try Services()
    try services.writePreset()
    try services.logIn()
    return services
  }

  private func run(_ services: Services, _ options: [String], _ script: String, _ runtime: TemporaryFolder)
    throws
    -> Outcome
  {
    try services.run(
      ["gate", services.base + "/api", "--silent"] + options + ["--", "/bin/sh", "-c", script],
      ["XDG_RUNTIME_DIR": runtime.path])
  }

  @Test("The program finds the socket by a variable, and its output and its status are those of the command")
  func socket() throws {
    let (services, runtime) = (try ready(), TemporaryFolder())
    let outcome = try run(
      services, [],
      "curl -sS --unix-socket \"$TOKENTRY_GATE_SOCKET\" http://localhost/api/x; stat -c %a \"${TOKENTRY_GATE_SOCKET%/*}\"; exit 7",
      runtime)
    #expect(outcome.output == "GET 0 - -\n700\n" && outcome.status == 7, "\(outcome)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: runtime.path).isEmpty)
  }

  @Test("A sandbox without a network and without the account reaches the server by the folder of the socket")
  func sandbox() throws {
    let (services, runtime) = (try ready(), TemporaryFolder())
    let outcome = try run(
      services, [],
      #"""
      bwrap --unshare-all --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \
        --dev /dev --bind "${TOKENTRY_GATE_SOCKET%/*}" /gate --clearenv \
        /usr/bin/curl -sS --unix-socket /gate/gate.sock http://localhost/api/x
      """#, runtime)
    #expect(outcome.output == "GET 0 - -\n" && outcome.status == 0, "\(outcome)")
  }

  @Test("At a port, the bearer is in a file that only the user can read, and in no variable")
  func bearer() throws {
    let (services, runtime) = (try ready(), TemporaryFolder())
    let outcome = try run(
      services, ["--port", "0"],
      #"""
      bearer=$(cat "$TOKENTRY_GATE_BEARER_FILE")
      env | grep -cF -e "$bearer"; stat -c %a "$TOKENTRY_GATE_BEARER_FILE"
      curl -sS -H "Authorization: Bearer $bearer" "$TOKENTRY_GATE_URL/x"
      curl -sS -o /dev/null -w '%{http_code}\n' "$TOKENTRY_GATE_URL/x"
      """#, runtime)
    #expect(outcome.output == "0\n600\nGET 0 - -\n403\n", "\(outcome)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: runtime.path).isEmpty)
  }

  @Test("A program that cannot be started is an error, and the signals of others reach it")
  func signals() throws {
    let (services, runtime) = (try ready(), TemporaryFolder())
    let outcome = try run(
      services, [], "trap 'echo told; exit 3' TERM; kill -TERM $PPID; while :; do sleep 0.05; done", runtime)
    #expect(outcome.output == "told\n" && outcome.status == 3, "\(outcome)")
  }

  @Test("A gate ends with the reader of its answer", .timeLimit(.minutes(1)))
  func reader() throws {
    let (services, runtime) = (try ready(), TemporaryFolder())
    let outcome = try Command.run(
      [
        "/bin/sh", "-c", #"{ "$0" gate "$1" --silent; echo $? >&2; } | head -n 1"#, try Tokentry.path(),
        services.base + "/api",
      ],
      environment: Tokentry.environment.merging(services.environment) { $1 }
        .merging(["XDG_RUNTIME_DIR": runtime.path]) { $1 })
    #expect(outcome.output.hasPrefix(#"{"socket":"#) && outcome.messages == "0\n", "\(outcome)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: runtime.path).isEmpty)
  }
}
