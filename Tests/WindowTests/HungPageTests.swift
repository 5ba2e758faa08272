import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("A page that answers to nothing any more")
  struct HungPageTests {
    @Test("A page that spins for ever delays neither the answer nor the end of all processes")
    func spinning() async throws {
      // What waits for the page does so each time; a busy machine is given more than one.
      var took: [Duration] = []
      while took.count < 3, took.last.map({ $0 >= .seconds(soon) }) ?? true {
        let desk = try await Desk()
        let login = try desk.login(at: "spin")
        try #require(await desk.showsPage(login))
        let window = try #require(Processes.window(of: login))
        try #require(await desk.spins())
        let started = ContinuousClock.now
        login.end(SIGTERM)
        #expect(await login.end() == 3, "\(login.errors)")
        #expect(await eventually { Processes.names(inGroup: window).isEmpty })
        took.append(ContinuousClock.now - started)
      }
      #expect(took.contains { $0 < .seconds(soon) }, "\(took)")
    }

    @Test(
      "Esc at a page that answers to nothing asks, and the user stays or leaves",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func leavesHung(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let login = try desk.login(
        "<p>Busy<script src=/hang></script><script>setTimeout(() => fetch('/hangs').finally(hang), 300)</script>",
        variables: reader.variables)
      try #require(await desk.showsPage(login))
      let window = try #require(Processes.window(of: login))
      try #require(await eventually { desk.requests.contains { $0.hasPrefix("GET /hangs ") } })
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      try #require(try await eventually { try reader.asksForSilentPage() }, "\(login.errors)")
      try desk.seat.press("Return")  // the button that stays has the focus
      try #require(try await eventually { try !reader.asksForSilentPage() })
      try desk.seat.press("Escape")
      try #require(try await eventually { try reader.asksForSilentPage() })
      #expect(login.status == nil, "\(login.errors)")
      try desk.seat.press("alt+l")
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(await eventually { Processes.names(inGroup: window).isEmpty })
    }

    @Test(
      "The key that loads a page again does so where the page answers to nothing any more",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func reloadsHung(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let window = try desk.show(
        "<script src=/hang></script><input \(Desk.autofocus) oninput='fetch(`/hangs`).finally(hang)'>",
        "https://oauth.vk.com/blank.html")
      let pages = { desk.requests.filter { $0.hasPrefix("GET /html ") }.count }
      try #require(await eventually { desk.isReady && desk.seat.shows("Sign in") })
      try await desk.seat.standsStill()
      try desk.seat.type("a")
      try #require(
        await eventually { desk.requests.contains { $0.hasPrefix("GET /hangs ") } }, "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.press("F5")
      #expect(await eventually { pages() == 2 }, "\(desk.requests)")
      #expect(!window.text.contains("page_error"), "\(window.text)")
    }

    @Test("Whoever goes back from a page that answers to nothing any more gets there")
    func goesBackFromHung() async throws {
      let desk = try await Desk()
      let window = try await hangsAfterForm(on: desk)
      try desk.seat.press("alt+Left")
      #expect(await eventually { pages(in: window) == 3 }, "\(window.text)")
      #expect(desk.posts == 1)
      // The first page is there: its button has the keyboard.
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      #expect(await eventually { desk.posts == 2 }, "\(window.text)")
    }

    /// A window with a page that was sent a form, and answers to nothing any more.
    private func hangsAfterForm(on desk: Desk, _ variables: [String: String] = [:]) async throws -> Program {
      let window = try desk.show(
        "<form method=post action=/posted><button \(Desk.autofocus)>Go on</button></form>",
        "https://oauth.vk.com/blank.html", variables: variables)
      try #require(await eventually { desk.isReady && desk.seat.shows("Sign in") })
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      try #require(await eventually { pages(in: window) == 2 }, "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.type("h")
      try await desk.seat.standsStill()
      return window
    }

    /// How many pages have come.
    private func pages(in window: Program) -> Int {
      window.text.components(separatedBy: "\"main_frame_loaded\":true").count - 1
    }

    @Test("A page that hangs before it is complete can be stopped, which ends with what it was")
    func stopsHung() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        """
        <p>Busy<img src=/slow><script src=/hang></script><script>fetch('/hangs').finally(hang)</script>
        """)
      try #require(await eventually { desk.requests.contains { $0.hasPrefix("GET /hangs ") } })
      try #require(await eventually { desk.seat.shows("Sign in") })
      try await desk.seat.standsStill()
      try desk.seat.press("F5")
      try #require(await desk.showsFailure(login, "it stopped responding"), "\(login.errors)")
      try await desk.seat.shoot("window-hung")
      try desk.seat.press("Escape")
      #expect(await login.end() == 7, "\(login.errors)")
    }

    @Test(
      "A form is not sent again before the user says so where its page hangs or has crashed, and is not left out"
    )
    func resendsLost() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try await hangsAfterForm(on: desk, reader.variables)
      let isShown = { (button: String) in
        try reader.readOurs().contains { $0.description == "push button '\(button)'" && $0.isShowing }
      }
      try desk.seat.press("F5")
      try #require(try await eventually { try isShown("Send again") }, "\(window.text)")
      try await desk.seat.shoot("window-resend-lost")
      // The button that does not send it has the focus.
      try desk.seat.press("Return")
      try #require(try await eventually { try isShown("Try again") }, "\(window.text)")
      #expect(window.text.contains(#""reason":"silence""#), "\(window.text)")
      try desk.seat.press("Return")
      try #require(try await eventually { try isShown("Send again") }, "\(window.text)")
      #expect(desk.posts == 1)
      try desk.seat.press("alt+s")
      try #require(await eventually { desk.posts == 2 }, "\(window.text)")

      try await desk.seat.standsStill()
      let page = try #require(
        Processes.all.first { $0.group == window.identifier && $0.name.hasPrefix("WebKitWeb") })
      kill(page.identifier, SIGKILL)
      try #require(try await eventually { try isShown("Try again") }, "\(window.text)")
      try desk.seat.press("Return")
      try #require(try await eventually { try isShown("Send again") }, "\(window.text)")
      // Whoever asks for the page again while asked is asked again.
      try desk.seat.press("F5")
      try await desk.seat.standsStill()
      #expect(desk.posts == 2)
      #expect(try isShown("Send again"))
      try desk.seat.press("alt+s")
      #expect(await eventually { desk.posts == 3 }, "\(window.text)")
      #expect(!desk.requests.contains { $0.hasPrefix("GET /posted ") }, "\(desk.requests)")
    }
  }
}

extension Desk {
  /// How often the form was sent.
  var posts: Int { requests.count { $0.hasPrefix("POST /posted ") } }

  /// Waits until the page that spins does so.
  func spins() async -> Bool { await eventually { self.requests.contains { $0.hasPrefix("GET /spins ") } } }
}
