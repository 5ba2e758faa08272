import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("An answer that is pasted into a window")
  struct PasteTests {
    private static let done = "https://oauth.vk.com/blank.html"

    @Test(
      "The browser opens, and a small window takes the address of its last page, after what is none",
      arguments: chosen(["browser", "paste"], telling: "paste"))
    func address(agent: String) async throws {
      let desk = try await Desk()
      let browser = try desk.browser("echo \"$1\" >\"$(dirname \"$0\")/opened\"")
      let login = try desk.login(
        at: "auth", "--agent", agent, "--state", "S", "--title", "Mail", "--browser", browser)
      try #require(await eventually { desk.screen.shows("Mail") }, "\(login.errors)")
      let window = try #require(Processes.window(of: login))
      #expect(
        await eventually { login.errors.contains("the page is open in your browser") },
        "\(login.errors)")
      #expect(
        try String(contentsOfFile: desk.folder + "/opened", encoding: .utf8).hasPrefix(
          "\(desk.provider)/auth?"))
      #expect(Processes.names(inGroup: window) == ["tokentry-window"])
      try await desk.screen.shoot("window-paste")
      for wrong in ["two words", "\(Self.done)#access_token=OLD&state=old"] {
        try desk.screen.type(wrong)
        try desk.screen.press("Return")
        try await desk.screen.standsStill()
        #expect(login.status == nil)
      }
      try await desk.screen.shoot("window-paste-again")
      try desk.screen.type("\(Self.done)#access_token=PASTED&token_type=Bearer&state=S")
      try desk.screen.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"access_token\":\"PASTED\""))
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
      #expect(await eventually { !desk.screen.shows("Mail") })
      #expect(desk.requests == [], "no page was opened here")
    }

    @Test("Where the provider shows a code, that is enough")
    func code() async throws {
      let desk = try await Desk()
      let server = try StandInServer { _, _ in .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
      let login = try Program(
        Desk.program("tokentry"),
        [
          "login", "--authorization-endpoint", server.base + "/auth", "--token-endpoint",
          server.base + "/token",
          "--client-id", "me", "--redirect-uri", "urn:ietf:wg:oauth:2.0:oob", "--browser", "true",
        ],
        environment: desk.environment, errorPath: desk.folder + "/login")
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(login.errors)")
      try desk.screen.type("4/abc-DEF")
      try desk.screen.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"access_token\":\"T\""))
      #expect(server.requests.last?.form["code"] == "4/abc-DEF")
    }

    @Test(
      "Esc and closing the window cancel the login, and the deadline ends it",
      arguments: chosen(["Escape", "close", ""], telling: "close"))
    func ended(how: String) async throws {
      let desk = try await Desk()
      try await beforeDeadline { deadline in
        let login = try desk.login(
          at: "auth", "--agent", "browser", "--browser", "false", more: how.isEmpty ? deadline : [])
        try await inTime(login) {
          desk.screen.shows("Sign in") && login.errors.contains("open this page in a browser: ")
        }
        switch how {
        case "Escape": try desk.screen.press("Escape")
        case "close": try desk.screen.close("Sign in")
        default: try await desk.screen.shoot("window-paste-no-browser")
        }
        #expect(await login.end() == (how.isEmpty ? 4 : 3), "\(login.errors)")
        #expect(await eventually { !desk.screen.shows("Sign in") })
      }
    }

    @Test("The link is copied for a browser elsewhere")
    func link() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", "--agent", "paste", "--state", "S", "--browser", "true")
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(login.errors)")
      try desk.screen.press("alt+l")
      #expect(
        try await desk.screen.copies(
          "\(desk.provider)/auth?response_type=token&client_id=me"
            + "&redirect_uri=https%3A%2F%2Foauth.vk.com%2Fblank.html&state=S"))
      login.end(SIGTERM)
      #expect(await login.end() == 3)
    }

    @Test("explain says so")
    func explained() async throws {
      let desk = try await Desk()
      for (options, reason) in [
        (["--agent", "paste"], "it was asked for, and the answer is pasted into a window"),
        (["--agent", "browser"], "it was asked for, and the answer is pasted into a window"),
        (["--grant", "device"], "the grant is device, and a window shows the code"),
        (["--agent", "device"], "it was asked for, and a window shows the code"),
      ] {
        let explain = try Program(
          Desk.program("tokentry"),
          [
            "explain", "--authorization-endpoint", "https://as.example/a", "--token-endpoint",
            "https://as.example/t", "--device-authorization-endpoint", "https://as.example/d", "--client-id",
            "me",
            "--redirect-uri", Self.done,
          ] + options,
          environment: desk.environment, errorPath: desk.folder + "/explain")
        #expect(await explain.end() == 0, "\(explain.errors)")
        #expect(explain.text.contains("\"agent_reason\":\"\(reason)\""), "\(explain.text)")
      }
    }
  }
}
