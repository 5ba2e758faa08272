import Foundation
import TestSupport
import Testing

@Suite("The gate", .blocking)
struct GateTests {
  private func gate(_ services: Services, _ options: [String] = ["--silent"]) throws -> RunningGate {
    try RunningGate(to: services.base + "/api", options, environment: services.environment)
  }

  @Test("A request gets the token, and method, body and fields stay as they are", arguments: [nil, "0"])
  func passes(port: String?) throws {
    let services = try Services.withAccount()
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
    let services = try Services.withAccount()
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
    let services = try Services.withAccount(life: isExpired ? 30 : 3_600, prefix: "T")
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
    let services = try Services.withAccount()
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
    let services = try Services.withAccount()
    let gate = try gate(services)
    try services.accept("T2")
    services.refuseRefresh()
    let answer = try gate.client.ask("GET /api/x")
    #expect(answer.status == 403 && answer.json["error"] as? String == "login_required", "\(answer)")
    // The refused token is not sent again.
    let asked = services.log.count
    #expect(try gate.client.ask("GET /api/x").status == 403)
    #expect(services.log.count == asked)
    try services.accept("T101")
    let login = try services.run([
      "login", "--provider", "here", "--client-id", "me", "--account", "work", "--headless-test",
    ])
    #expect(login.status == 0, "\(login)")
    #expect(try gate.client.ask("GET /api/x").status == 200)
  }

  @Test("The user signs in once for all requests that wait, and the API is not asked in vain")
  func signsIn() async throws {
    let services = try Services.withAccount()
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
    let services = try Services.withAccount(life: 50)
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
    let services = try Services.withAccount()
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
