import Foundation
@testable import TestSupport
import Testing

/// All of these have a display each, so that as many can go on at once as the machine can do.
@Suite("Logging in with the window", .blocking, .limited(toMinutes: 10))
struct WindowTests {}

/// The other half: the window itself, and what WebKit lets pages do in it.
@Suite("The window and its pages", .blocking, .limited(toMinutes: 10))
struct WindowPageTests {}

extension WindowTests {
  @Suite("How logins end")
  struct LoginTests {
    @Test("Typed into the page, a login ends with a token, and nothing is left: no window, process or file")
    func typed() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", "--title", "Mail")
      try #require(await desk.showsPage(login, titled: "Mail"), "\(login.text + login.errors)")
      let window = try #require(Processes.window(of: login))
      let variables = try systemText("/proc/\(window)/environ")
      #expect(!variables.contains("TOKENTRY_CLIENT_SECRET"))
      try await desk.screen.shoot("window-login")
      try desk.screen.signIn()
      #expect(await login.end() == 0, "\(login.errors)")
      let start = #/\{"access_token":"T","token_type":"Bearer","expires_in":(60|5[0-9]),/#
      #expect(login.text.prefixMatch(of: start) != nil, "\(login.text)")
      #expect(login.text.contains("\"state\":\"verified\""))
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
      #expect(!desk.screen.shows("Mail"))
      #expect(desk.filesAtHome == [])
      #expect(desk.requests.first == "GET /auth de-AT,de;q=0.90", "\(desk.requests)")
    }

    @Test("A denial is the provider's error")
    func denied() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth")
      try #require(await desk.showsPage(login))
      try desk.screen.type("eve")
      try desk.screen.press("Return")
      #expect(await login.end() == 1, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"access_denied\""))
    }

    @Test("A caller with a library of its own is told where the user arrived, and nothing is made of that")
    func navigated() async throws {
      let desk = try await Desk()
      let address = "\(desk.provider)/auth?redirect_uri=https%3A%2F%2Fapp.example%2Fdone&state=THEIRS"
      let visit = try Program(
        try Desk.program("tokentry"),
        [
          "navigate", "--trace", "--agent", "window", "--url", address, "--redirect-uri",
          "https://app.example/done",
        ],
        environment: desk.environment, errorPath: desk.folder + "/navigate")
      try #require(await desk.showsPage(visit), "\(visit.errors)")
      try desk.screen.signIn()
      #expect(await visit.end() == 0, "\(visit.errors)")
      #expect(visit.text.hasPrefix("{\"callback\":\"https://app.example/done#"), "\(visit.text)")
      #expect(visit.text.contains("state=THEIRS") && visit.text.hasSuffix("\"}\n"), "\(visit.text)")
    }

    @Test("A login that needs nobody ends without a window ever being seen")
    func unseen() async throws {
      let desk = try await Desk()
      let redirect = desk.provider + "/done"
      let windows = try await desk.screen.watchWindows()
      let seen = { windows.text.components(separatedBy: "MapNotify").count }
      // A page that takes longer than 800 ms is shown, and on a busy machine any may: one that does not has to do.
      var wasUnseen: [Bool] = []
      while wasUnseen.count < 5, !wasUnseen.contains(true) {
        let (before, start) = (seen(), ContinuousClock.now)
        let login = try desk.login(at: "good", redirect: redirect)
        #expect(await login.end() == 0, "\(login.errors)")
        let wasQuick = ContinuousClock.now - start < .milliseconds(1_200)
        if wasQuick || seen() == before { wasUnseen.append(seen() == before) } else { break }
      }
      #expect(wasUnseen.isEmpty || wasUnseen.contains(true), "\(windows.text)")
      #expect(
        Set(desk.requests.map { $0.prefix(9) }) == ["GET /good"], "the redirect URI itself is never asked for"
      )
    }

    @Test(
      "The title is the provider's name where the caller gives none",
      arguments: chosen(["Example", "Mail"], telling: "Example"))
    func title(_ title: String) async throws {
      let desk = try await Desk()
      let preset = desk.folder + "/preset.json"
      try "{\"name\":\"Example\"}".write(toFile: preset, atomically: true, encoding: .utf8)
      let windows = try await desk.screen.watchWindows()
      let login =
        title == "Mail"
        ? try desk.login(at: "auth", "--provider", preset, "--title", title)
        : try desk.login(at: "auth", "--provider", preset)
      try #require(await desk.showsPage(login, titled: title), "\(login.errors)")
      #expect(
        await eventually { windows.text.contains("MapNotify") }, "a window that is seen is noticed"
      )
    }

    @Test(
      "Esc and the window manager's close end a login as cancelled",
      arguments: chosen(["Escape", "close"], telling: "close"))
    func cancelled(_ how: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth")
      try #require(await desk.showsPage(login))
      if how == "close" { try desk.screen.close("Sign in") } else { try desk.screen.press(how) }
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"cancelled\""))
    }

    @Test(
      "With --no-close neither does, and the deadline still ends the login",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func noClose(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      try await beforeDeadline { deadline in
        let login = try desk.login(at: "auth", "--no-close", more: deadline)
        try await inTime(login) { desk.isShowingPage(login) }
        try desk.seat.press("Escape")
        try desk.seat.close("Sign in")
        #expect(await login.end() == 4, "\(login.errors)")
      }
    }

    @Test("A page that closes itself, or shows the provider's own error, is told")
    func errorPage() async throws {
      let desk = try await Desk()
      let preset = desk.folder + "/preset.json"
      try """
      {"authorization_endpoint":"\(desk.provider)/to-oops","redirect_uri":"https://oauth.vk.com/blank.html",
       "response_type":"token","error_pages":["\(desk.provider)/oops"]}
      """.write(toFile: preset, atomically: true, encoding: .utf8)
      let login = try desk.login(at: "to-oops", "--provider", preset)
      #expect(await login.end() == 1, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"invalid_client\",\"error_description\":\"No such client.\""))
      #expect(login.text.contains("\"uri\":\"\(desk.provider)/oops?err=2\""))
    }
  }
}
