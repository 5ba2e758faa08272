import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Slow servers and deadlines")
  struct SlowPageTests {
    @Test(
      "A bar counts the last seconds. Keys and its button report an active user, unless the caller set the time",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func deadline(_ desktop: Desktop) async throws {
      for isExtendable in [true, false] {
        let desk = try await Desk(on: desktop)
        let reader = try await ScreenReader(desk)
        let window = try desk.mailWindow(at: "auth", reader.variables)
        try #require(await desk.shows(window, titled: "Mail"), "\(window.text)")
        let bar = {
          try reader.elements().first { bar in
            bar.role == "info bar" && bar.isShowing && bar.name.contains("This sign-in ends")
          }
        }
        #expect(try bar() == nil)
        try desk.seat.type("a")
        #expect(!window.text.contains("active"), "there is no deadline yet")
        try window.write(
          "{\"deadline\":{\"seconds_left\":90,\"warn_at\":90,\"extendable\":\(isExtendable)}}\n")
        #expect(try await eventually { try bar() != nil }, "\(window.text)")
        #expect(try bar()?.name.contains("Still there?") == isExtendable)
        try await desk.seat.shoot("window-deadline-\(isExtendable)-\(desktop)")
        #expect(try reader.shows("push button 'I'm Still Here'") == isExtendable)
        for key in ["b", "alt+h"] {
          let before = window.text.count
          try await Task.sleep(for: .seconds(1.1))  // the window does not report more often
          try desk.seat.press(key)
          let isTold = await eventually(within: isExtendable ? patience : 1) {
            window.text.dropFirst(before).contains("{\"active\":{}}")
          }
          #expect(isTold == isExtendable, "\(key): \(window.text)")
        }
        try window.write(
          "{\"deadline\":{\"seconds_left\":300,\"warn_at\":60,\"extendable\":\(isExtendable)}}\n")
        #expect(try await eventually { try bar() == nil })
      }
    }

    @Test(
      "A server that does not answer is named in the window and in a message, and can be asked again",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func silent(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let login = try desk.login(
        at: "silent", redirect: "com.example.app:/done", variables: reader.variables)
      let host = try #require(desk.provider.split(separator: "/").last)
      #expect(try await reader.isShown("\(host) hasn't answered yet."), "\(login.errors)")
      #expect(
        await eventually { login.errors.contains("info: \(host) has not answered yet") }, "\(login.errors)")
      try await desk.seat.shoot("window-slow-\(desktop)")
      #expect(try reader.shows("push button 'Close'"))
      // No browser can go on, so the bar offers to try again.
      try desk.seat.press("alt+t")
      #expect(await eventually { desk.hits("/silent") == 2 }, "\(login.errors)")
      try desk.seat.press("ctrl+w")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test("A page that never ends says that the window still waits for it")
    func endless() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.mailWindow(at: "endless", reader.variables)
      #expect(try await reader.isShown("The rest of this page is still loading."), "\(window.text)")
      // A busy machine may have waited for the start of the page before.
      let sinceThen = window.text.components(separatedBy: "main_frame_loaded").last ?? ""
      #expect(!sinceThen.contains("waiting"), "the server has begun to answer: \(window.text)")
    }

    @Test("With --silent, a page that never ends requires the user")
    func endlessUnseen() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "endless", "--silent")
      #expect(await login.end() == 8, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"login_required\""), "\(login.text)")
    }

    @Test(
      "Reloading the answer to a form asks the user before it sends the form again",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func resends(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let window = try desk.window(
        showing: "<form method=post action=/posted><button autofocus>Go on</button></form>",
        variables: reader.variables)
      try #require(await desk.shows(window))
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      try #require(await eventually { desk.posts == 1 }, "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.press("ctrl+r")
      let question = "push button 'Submit Again'"
      #expect(try await reader.isShown(question), "\(window.text)")
      try await desk.seat.shoot("window-resend-\(desktop)")
      try desk.seat.press("Return")  // the button that keeps the page has the focus
      #expect(try await reader.isGone(question))
      try desk.seat.press("F5")
      #expect(try await reader.isShown(question))
      #expect(desk.posts == 1)
      try desk.seat.press("alt+s")
      #expect(await eventually { desk.posts == 2 }, "\(window.text)")
      #expect(try await reader.isGone(question))
    }
  }

  @Suite("Pages that hang")
  struct HungPageTests {
    @Test("A page that spins forever delays neither the answer nor the end of the processes")
    func spinning() async throws {
      // A program that waits for the page is slow every time; a busy machine is not.
      var took: [Duration] = []
      while took.count < 3, took.last.map({ $0 >= .seconds(soon) }) ?? true {
        let desk = try await Desk()
        let login = try desk.login(at: "spin")
        try #require(await desk.showsPage(login))
        let window = try #require(Processes.window(of: login))
        try #require(await desk.isHit("/spins"))
        let started = ContinuousClock.now
        login.end(SIGTERM)
        #expect(await login.end() == 3, "\(login.errors)")
        #expect(await eventually { Processes.names(inGroup: window).isEmpty })
        took.append(ContinuousClock.now - started)
      }
      #expect(took.contains { $0 < .seconds(soon) }, "\(took)")
    }

    @Test("A page that spins is said not to respond, and can be reloaded")
    func saysSo() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      // No browser can take over this login, so the bar offers to reload.
      let login = try desk.login(
        at: "spin", redirect: "com.example.app:/done", variables: reader.variables)
      try #require(await desk.showsPage(login))
      #expect(try await reader.isShown("This page isn't responding."), "\(login.errors)")
      let reload = try #require(
        try reader.elements().first { $0.isShowing && $0.description == "push button 'Reload'" })
      try desk.screen.click(on: reload.place)
      #expect(await eventually { desk.hits("/spin") == 2 }, "\(desk.requests)")
      #expect(try await reader.isGone("This page isn't responding."))
    }

    @Test("Ctrl+W cancels a login whose page spins")
    func closes() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "spin")
      try #require(await desk.showsPage(login))
      try #require(await desk.isHit("/spins"))
      try desk.screen.press("ctrl+w")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test(
      "Esc on a page that hangs asks whether to leave, and the user stays or leaves",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func leaves(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let login = try desk.login(
        "<p>Busy<script src=/hang></script><script>setTimeout(() => fetch('/hangs').finally(hang), 300)</script>",
        variables: reader.variables)
      try #require(await desk.showsPage(login))
      let window = try #require(Processes.window(of: login))
      try #require(await desk.isHit("/hangs"))
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      try #require(try await reader.isShown(LeavingTests.leave), "\(login.errors)")
      try desk.seat.press("Return")  // the button that stays has the focus
      try #require(try await reader.isGone(LeavingTests.leave))
      try desk.seat.press("Escape")
      try #require(try await reader.isShown(LeavingTests.leave))
      #expect(login.status == nil, "\(login.errors)")
      try desk.seat.press("alt+n")
      #expect(await login.end() == 3, "\(login.errors)")
      #expect(await eventually { Processes.names(inGroup: window).isEmpty })
    }

    @Test("F5 reloads a page that hangs", arguments: chosen(Desktop.allCases, telling: .x11))
    func reloads(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let window = try desk.window(
        showing:
          "<script src=/hang></script><input \(Desk.autofocus) oninput='fetch(`/hangs`).finally(hang)'>")
      try #require(await desk.takesKeys())
      try desk.seat.type("a")
      try #require(await desk.isHit("/hangs"), "\(window.text)")
      try await desk.seat.standsStill()
      for key in ["F5", "alt+r"] { try desk.seat.press(key) }  // asks, since the field has a text
      #expect(await eventually { desk.hits("/html") == 2 }, "\(desk.requests)")
      #expect(!window.text.contains("page_error"), "\(window.text)")
    }

    @Test("Alt+Left goes back from a page that hangs")
    func goesBack() async throws {
      let desk = try await Desk()
      let window = try await hangsAfterForm(on: desk)
      try desk.seat.press("alt+Left")
      #expect(await eventually { window.pagesLoaded == 3 }, "\(window.text)")
      #expect(desk.posts == 1)
      // The button of the first page has the focus again.
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      #expect(await eventually { desk.posts == 2 }, "\(window.text)")
    }

    /// Opens a window, sends its form, and makes the answer hang.
    private func hangsAfterForm(on desk: Desk, _ variables: [String: String] = [:]) async throws -> Program {
      let window = try desk.window(
        showing: "<form method=post action=/posted><button \(Desk.autofocus)>Go on</button></form>",
        variables: variables)
      try #require(await desk.takesKeys())
      try desk.seat.press("Return")
      try #require(await eventually { window.pagesLoaded == 2 }, "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.type("h")
      try await desk.seat.standsStill()
      return window
    }

    @Test("F5 stops a page that hangs before it is complete, and the failure says why")
    func stops() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        "<p>Busy<img src=/slow><script src=/hang></script><script>fetch('/hangs').finally(hang)</script>")
      try #require(await desk.isHit("/hangs"))
      try #require(await eventually { desk.seat.shows("Sign in") })
      try await desk.seat.standsStill()
      try desk.seat.press("F5")
      try #require(await desk.showsFailure(login, "it stopped responding"), "\(login.errors)")
      try await desk.seat.shoot("window-hung")
      try desk.seat.press("Escape")
      #expect(await login.end() == 7, "\(login.errors)")
    }

    @Test("If the answer to a form hangs or crashes, the user is asked before the form is sent again")
    func resendsLost() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try await hangsAfterForm(on: desk, reader.variables)
      let (sendAgain, tryAgain) = ("push button 'Submit Again'", "push button 'Try Again'")
      for key in ["F5", "alt+r"] { try desk.seat.press(key) }
      try #require(try await reader.isShown(sendAgain), "\(window.text)")
      try await desk.seat.shoot("window-resend-lost")
      try desk.seat.press("Return")  // the button that does not send it has the focus
      try #require(try await reader.isShown(tryAgain), "\(window.text)")
      #expect(window.text.contains(#""reason":"silence""#), "\(window.text)")
      try desk.seat.press("Return")
      try #require(try await reader.isShown(sendAgain), "\(window.text)")
      #expect(desk.posts == 1)
      try desk.seat.press("alt+s")
      try #require(await eventually { desk.posts == 2 }, "\(window.text)")

      try await desk.seat.standsStill()
      kill(try #require(Processes.first("WebKitWeb", inGroup: window.identifier)), SIGKILL)
      try #require(try await reader.isShown(tryAgain), "\(window.text)")
      try desk.seat.press("Return")
      try #require(try await reader.isShown(sendAgain), "\(window.text)")
      // F5 at the question asks again.
      try desk.seat.press("F5")
      try await desk.seat.standsStill()
      #expect(desk.posts == 2)
      #expect(try reader.shows(sendAgain))
      try desk.seat.press("alt+s")
      #expect(await eventually { desk.posts == 3 }, "\(window.text)")
      #expect(desk.hits("/posted") == 0, "\(desk.requests)")
    }
  }
}
