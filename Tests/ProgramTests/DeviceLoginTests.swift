import Foundation
import Testing

@testable import TestSupport

@Suite("Login with a code on another device", .blocking)
struct DeviceLoginTests {
  private static let token = StandInServer.Answer.json(#"{"access_token":"T","token_type":"Bearer"}"#)

  private static func refusal(_ code: String) -> StandInServer.Answer {
    .json(#"{"error":"\#(code)"}"#, status: 400)
  }

  private func options(_ server: StandInServer, grant: [String] = ["--grant", "device"]) -> [String] {
    server.deviceOptions + grant
  }

  @Test(
    "The code and the page are printed, and the token comes after the user has signed in there",
    arguments: [["--grant", "device"], ["--way", "device"], ["--grant", "device", "--headless-test"]])
  func login(grant: [String]) throws {
    let server = try StandInServer.givingCodes([Self.refusal("authorization_pending"), Self.token])
    let outcome = try Tokentry.run(options(server, grant: grant))
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == #"{"access_token":"T","token_type":"Bearer","checks":{}}"# + "\n")
    #expect(
      outcome.messages
        == "tokentry: info: to sign in, open \(server.base)/device and enter the code WDJB-MJHT\n",
      "without a terminal there is no picture")
    #expect(server.requests.map(\.path) == ["/codes", "/token", "/token"])
    #expect(server.requests[0].form == ["client_id": "me", "scope": "mail"])
    #expect(
      server.requests[2].form == [
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "D", "client_id": "me",
      ])
  }

  @Test("The user is reminded of the code before it expires")
  func reminded() throws {
    let bus = try PrivateBus(.none)
    let desktop = try Notifications(bus.environment)
    let server = try StandInServer.givingCodes(life: 4, [Self.refusal("authorization_pending")])
    let outcome = try Tokentry.run(options(server), environment: bus.environment)
    #expect(outcome.error == "expired_token")
    #expect(desktop.first() == "org.tokentry.Tokentry: A sign-in is still waiting for you")
  }

  @Test("The deadline and a signal end the wait", arguments: [4, 3] as [Int32])
  func ended(status: Int32) async throws {
    let server = try StandInServer.givingCodes([Self.refusal("authorization_pending")])
    let folder = TemporaryFolder()
    let program = try Program(
      try Tokentry.path(), options(server) + ["--timeout", status == 4 ? "2" : "0"],
      environment: Tokentry.environment, errorPath: folder.path + "/errors")
    #expect(await eventually { program.errors.contains("WDJB-MJHT") }, "\(program.errors)")
    if status == 3 { program.end(SIGTERM) }
    #expect(await program.end() == status)
    #expect(program.text.contains(status == 3 ? "\"cancelled\"" : "\"timeout\""))
  }

  @Test("Options that contradict each other are refused before anything is sent")
  func contradictions() throws {
    let server = try StandInServer.givingCodes([Self.token])
    for more in [
      ["--silent"], ["--way", "browser"], ["--way", "paste"], ["--form", "a=b", "--headless-test"],
      optionsFile(["response_type": "token"]), ["--navigations", "-", "--headless-test"],
    ] {
      let outcome = try Tokentry.run(options(server) + more)
      #expect(outcome.status == 2, "\(more): \(outcome.output)")
      #expect(outcome.error == "invalid_configuration")
    }
    let window = try Tokentry.run(options(server) + ["--way", "window"])
    #expect(window.status == 7)
    #expect(window.error == "no_display")
    let explained = try Tokentry.run(["explain"] + options(server).dropFirst() + ["--way", "window"])
    #expect(
      explained["way_reason"] as? String == "the grant is device, but there is no display for its window")
    let endpoint = try Tokentry.run([
      "login", "--grant", "device", "--endpoint", "token=\(server.base)", "--client-id", "me",
    ])
    #expect(endpoint.status == 2)
    #expect(endpoint.messages.contains("--endpoint device_authorization=URL"))
    #expect(server.requests.isEmpty)
  }

  @Test("Over SSH a device login is the default, and explain says so")
  func overSSH() throws {
    let server = try StandInServer.givingCodes([Self.token])
    let arguments =
      Array(options(server, grant: []).dropFirst()) + ["--endpoint", "authorization=\(server.base)/auth"]
    let environment = ["SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"]
    let explained = try Tokentry.run(["explain"] + arguments, environment: environment)
    #expect(explained["way"] as? String == "device", "\(explained.output)")
    #expect(explained["url"] as? String == server.base + "/codes")
    #expect((explained["parameters"] as? [String: String]) == ["scope": "mail", "client_id": "me"])
    #expect(server.requests.isEmpty)
    let outcome = try Tokentry.run(["login"] + arguments, environment: environment)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(server.hits("/codes") == 1)
  }

  @Test("At a terminal the address with the code is also shown as a QR code")
  func picture() throws {
    let server = try StandInServer.givingCodes(
      life: 600, more: #","verification_uri_complete":"BASE/device?user_code=WDJB-MJHT""#, [Self.token])
    let run = try Command.run(
      ["/usr/bin/python3", Command.script("at-terminal.py"), Tokentry.path()] + options(server), input: "[]",
      environment: Tokentry.environment)
    let screen = try #require(run["screen"] as? String)
    #expect(run["status"] as? Int == 0, "\(screen)")
    let text = """
      tokentry: info: to sign in, open \(server.base)/device and enter the code WDJB-MJHT\r
      tokentry: info: waiting for up to 10 minutes; Ctrl+C cancels\r\n
      """
    #expect(screen.hasSuffix(text), "the text stays in view below the picture: \(screen)")
    // 29 or 33 modules and four of margin on every side, two in each line.
    #expect(screen.split(separator: "\r\n").count { $0.hasPrefix("\u{1B}[30;107m") } > 15)
  }

  @Test("A code is awaited until it expires, and for a shorter time only if the caller wants it")
  func patience() throws {
    for (options, time) in [
      ([], "15 minutes"), (["--timeout", "120"], "2 minutes"), (["--timeout", "0"], "15 minutes"),
    ] {
      let server = try StandInServer.givingCodes(life: 900, [Self.token])
      let outcome = try Tokentry.run(self.options(server) + options + ["-v"])
      #expect(outcome.messages.contains("waiting for up to \(time); Ctrl+C cancels"), "\(outcome.messages)")
    }
  }

  @Test("The window counts the time of the code down, or a shorter one of the caller")
  func countdown() throws {
    let script = "while read -r line; do echo \"$line\" >>\"${0%/*}/told\"; done"
    for (options, page, deadline) in [
      ([], #""expires_in":(900|8\d\d)"#, #""seconds_left":1\d{3},"warn_at":60,"extendable":true"#),
      (["--timeout", "120"], #""expires_in":1[12]\d,"ends_sign_in":true"#, #""extendable":false"#),
    ] {
      let server = try StandInServer.givingCodes(life: 900, [Self.token])
      let run = try Tokentry.run(self.options(server) + options + ["--way", "window"], window: script)
      #expect(run.outcome.status == 0, "\(run.outcome.messages)")
      for pattern in [page, deadline] {
        #expect(try run.told.contains(Regex(pattern)), "\(pattern): \(run.told)")
      }
    }
  }

  @Test("The demo provider signs a user in with a code, and the id_token is verified")
  func demo() throws {
    let login = try RunningTokentry(["demo", "--way", "device"])
    #expect(waitUntil { login.messages.contains("enter the code") || !login.isRunning })
    let said = login.messages
    let words = said.split(whereSeparator: \.isWhitespace)
    let page = try #require(words.first { $0.hasPrefix("http://") })
    let code = try #require(words.last)
    let visit = try Tokentry.run(
      ["navigate", "--url", String(page), "--redirect-uri", "https://app.example/none"],
      environment: [
        "TOKENTRY_HEADLESS_TEST": "1",
        "TOKENTRY_FORM": "user_code=\(code)\nusername=ada\npassword=demo\ndecision=allow\n",
      ])
    #expect(visit.status == 8, "the last page has no form and no redirect: \(visit.output)\(visit.messages)")
    let token = login.outcome()
    #expect(token.status == 0)
    #expect(token["access_token"] is String)
    #expect(token.checks == ["id_token": "verified"])
    #expect(((token["claims"] as? [String: Any])?["sub"] as? String)?.hasPrefix("user-") == true)
  }
}
