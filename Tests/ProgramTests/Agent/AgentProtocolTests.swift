import Foundation
import TestSupport
import Testing

@Suite("The agent's protocol", .blocking)
struct AgentProtocolTests {
  private func withAgent(_ body: (Services, RunningAgent) throws -> Void) throws {
    let services = try Services()
    try services.writePreset()
    try services.logIn()
    try body(services, try RunningAgent(services.environment))
  }

  @Test("The agent greets, answers in order, and repeats the mark of a request")
  func order() throws {
    try withAgent { services, agent in
      let program = try agent.connection()
      let greeting = try #require(program.object())
      #expect(greeting["tokentry_agent"] as? Int == 1)
      #expect(
        greeting["can"] as? [String] == [
          "token", "accounts", "userinfo", "proof", "login", "open", "callback",
        ])
      try program.send(
        "{\"id\":\"a\",\"token\":{\"account\":\"work\"}}\r\n{\"accounts\":{},\"id\":7}\n{\"token\":{\"url\":\"\(services.base)/x\",\"account\":\"work\"}}\n"
      )
      let answers = [program.object(), program.object(), program.object()]
      #expect(answers.map { $0?["id"] as? String } == ["a", nil, nil])
      #expect(answers[1]?["id"] as? Int == 7 && answers[2]?["id"] == nil)
      let token = answers[0]?["ok"] as? [String: Any]
      #expect(token?["access_token"] as? String == "T1" && token?["account"] as? String == "work")
      #expect(token?["user"] as? String == "ann@mail.example")
      #expect(token?["refresh_token"] == nil)
      // An unfinished line is no request, and the end of the requests is not the end of the answers.
      try program.send("{\"accounts\":{}}\n{\"accounts\":{}}")
      program.finish()
      #expect(program.object()?["ok"] != nil && program.line() == nil)
    }
  }

  @Test("A request that does not keep to the protocol gets an error, and the connection goes on")
  func malformed() throws {
    try withAgent { services, agent in
      let program = try agent.connection()
      _ = program.line()
      let lines = [
        "", "[]", "nonsense", "{}", #"{"accounts":{},"token":{"account":"work"}}"#, #"{"accounts":[]}"#,
        #"{"accounts":{"x":1}}"#, #"{"sing":{}}"#, #"{"token":{}}"#, #"{"token":{"account":1}}"#,
        #"{"token":{"account":"work","account":"work"}}"#, #"{"token":{"account":"work","x":1}}"#,
        #"{"token":{"account":" work"}}"#, #"{"token":{"url":"h.example"}}"#,
        #"{"token":{"url":"https://h.example/%2e%2e/x"}}"#, #"{"token":{"account":"work","min_valid":-1}}"#,
        #"{"token":{"account":"work","min_valid":"60"}}"#, #"{"token":{"account":"work","silent":1}}"#,
        #"{"id":{},"accounts":{}}"#, #"{"userinfo":{}}"#, #"{"proof":{"account":"work","method":"GET"}}"#,
        #"{"proof":{"account":"work","method":"TRACE","url":"https://h.example/"}}"#,
        #"{"login":{"provider":"here"}}"#, #"{"login":{"account":"x","provider":"/etc/passwd"}}"#,
        #"{"login":{"account":"x","issuer":"ftp://x"}}"#, "{\"accounts\":{}} x",
      ]
      for line in lines { #expect(try program.error(line) == "invalid_option", "\(line)") }
      let answer = try program.ask(#"{"sing":{},"id":3}"#)
      #expect(answer["id"] as? Int == 3 && answer["error"] != nil)
      let error = try #require(answer["error"] as? [String: Any])
      #expect(error["origin"] as? String == "caller" && error["retryable"] as? Bool == false)
      #expect(try program.ok(#"{"accounts":{}}"#)["accounts"] != nil)
      #expect(services.provider.requests.count == 1)
    }
  }

  @Test("A token is for the account's addresses only, and an address without an account has none")
  func addresses() throws {
    try withAgent { services, agent in
      try services.logIn("other", ["--for", services.base, "--for", "https://o.example"])
      let program = try agent.connection()
      _ = program.line()
      let rows: [(String, String?)] = [
        (#""url":"https://o.example/a""#, nil), (#""url":"\#(services.base)/a""#, "invalid_configuration"),
        (#""url":"\#(services.base)/a","user":"other""#, nil),
        (#""url":"\#(services.base)/a","account":"work""#, nil),
        (#""url":"https://o.example/a","account":"work""#, "origin_not_allowed"),
        (#""url":"https://x.example/""#, "unknown_account"), (#""account":"x""#, "unknown_account"),
        (#""account":"work","helper":"later""#, nil),
      ]
      for (members, error) in rows {
        #expect(try program.error("{\"token\":{\(members)}}") == error, "\(members)")
      }
    }
  }

  @Test("A line that is too long ends the connection, and a program with much to say does not hold up others")
  func flood() throws {
    try withAgent { _, agent in
      let program = try agent.connection()
      _ = program.line()
      let longest = 256 * 1_024
      let request = #"{"accounts":{},"id":"#
      let padding = String(repeating: "x", count: longest - request.utf8.count - 3)
      #expect(try program.ask("\(request)\"\(padding)\"}")["ok"] != nil)
      try? program.send(String(repeating: "x", count: longest + 2))
      let other = try agent.connection()
      #expect(other.line() != nil)
      #expect(try other.ok(#"{"accounts":{}}"#)["accounts"] != nil)
      try? program.send("\n")
      #expect(program.line() == nil)
    }
  }

  @Test("A thousand requests on one connection leave no trace in the agent's memory or descriptors")
  func many() throws {
    try withAgent { _, agent in
      func size() -> (descriptors: Int, memory: Int) {
        let folder = "/proc/\(agent.identifier)"
        let count = try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count
        let text = (try? String(contentsOfFile: folder + "/statm", encoding: .utf8)) ?? ""
        return (count ?? 0, text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
      }
      let program = try agent.connection()
      _ = program.line()
      for _ in 0..<100 { _ = try program.ok(#"{"token":{"account":"work"}}"#) }
      let before = size()
      for _ in 0..<1_000 { _ = try program.ok(#"{"token":{"account":"work"}}"#) }
      let after = size()
      #expect(after.descriptors == before.descriptors)
      // Pages of 4 KiB.
      #expect(after.memory - before.memory < 256, "\(before) \(after)")
    }
  }

  @Test("What leaves the agent holds no refresh token, no key and no secret")
  func secrets() throws {
    let folder = TemporaryFolder()
    let provider = try StandInServer { request, _ in
      request.path == "/a"
        ? .redirect("https://app.example/done?code=C&state=\(request.query["state"] ?? "")")
        : .json(
          #"{"access_token":"T","token_type":"Bearer","expires_in":30,"refresh_token":"CANARY-1","user":{"refresh_token":"CANARY-2","name":"ann","list":[{"client_secret":"CANARY-3"}]}}"#
        )
    }
    let home = ["TOKENTRY_STORE": "file:\(folder.path)/s", "TOKENTRY_CLIENT_SECRET": "CANARY-4"]
    let login = try Tokentry.run(
      ["login"] + provider.endpoints("/a", "/t")
        + ["--redirect-uri", "https://app.example/done", "--headless-test", "--account", "work"],
      environment: home)
    try #require(login.status == 0, "\(login)")
    let agent = try RunningAgent(home, ["--ask", "never", "-v", "--headless-test"])
    let program = try agent.connection()
    _ = program.line()
    let token = try program.ok(#"{"token":{"account":"work"}}"#)
    #expect((token["user"] as? [String: Any])?["name"] == nil, "our own member wins")
    _ = try program.ask(#"{"token":{"account":"work","min_valid":60,"rejected":"T"}}"#)
    _ = try program.ask(#"{"accounts":{}}"#)
    _ = try program.ask(#"{"userinfo":{"account":"work"}}"#)
    _ = try program.ask(#"{"login":{"account":"work"}}"#)
    #expect(provider.requests.count > 3, "the token was refreshed, and the user signed in again")
    #expect(!String(decoding: program.said, as: UTF8.self).contains("CANARY"))
    #expect(!agent.messages.contains("CANARY") && agent.messages.contains("token work: given (work)"))
  }
}
