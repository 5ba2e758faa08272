import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Nothing that was typed is lost by one key")
  struct LeavingTests {
    @Test(
      "Once something was typed Esc asks, and asked once more the user stays; Ctrl+W is meant",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func asks(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let login = try desk.login(at: "auth", variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      let isAsked = {
        try reader.readOurs().contains { $0.description == "push button 'Leave'" && $0.isShowing }
      }
      try await desk.seat.standsStill()
      try desk.seat.type("anna")
      try desk.seat.press("Escape")
      #expect(try await eventually { try isAsked() }, "\(login.errors)")
      try await desk.seat.shoot("window-leaving-\(desktop)")
      try desk.seat.press("Escape")
      #expect(try await eventually { try !isAsked() })
      try desk.seat.press("Escape")
      #expect(try await eventually { try isAsked() })
      // The button that stays has the focus.
      try desk.seat.press("Return")
      #expect(try await eventually { try !isAsked() })
      #expect(login.status == nil)
      try desk.seat.press("ctrl+w")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test(
      "Whoever leaves after the question has cancelled, and the close button does not ask",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func leaves(_ desktop: Desktop) async throws {
      for closes in [false, true] {
        let desk = try await Desk(on: desktop)
        let login = try desk.login(at: "auth")
        try #require(await desk.showsPage(login), "\(login.errors)")
        try await desk.seat.standsStill()
        try desk.seat.type("anna")
        if closes {
          try desk.seat.close("Sign in")
        } else {
          try desk.seat.press("Escape")
          try await desk.seat.standsStill()
          try desk.seat.press("alt+l")
        }
        #expect(await login.end() == 3, "\(login.errors)")
      }
    }

    @Test("What was typed before the page opened another one, which is gone again, is not lost either")
    func afterPopup() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.show(
        """
        <input \(Desk.autofocus)><script>onkeydown = event => {
        if (event.key !== 'b') return;
        const other = open('/other');
        setTimeout(() => { other.close(); setTimeout(() => fetch('/closed'), 500) }, 1000) }</script>
        """, "https://oauth.vk.com/blank.html", variables: reader.variables)
      try #require(await eventually { desk.isReady && desk.seat.shows("Sign in") })
      try await desk.seat.standsStill()
      try desk.seat.type("ab")
      try #require(
        await eventually { desk.requests.contains { $0.hasPrefix("GET /closed ") } }, "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      #expect(
        try await eventually {
          try reader.readOurs().contains { $0.description == "push button 'Leave'" && $0.isShowing }
        }, "\(window.text)")
    }

    /// What is put into a page without a letter typed, and with one in a frame.
    static let pieces = [
      ("<input value=anna \(Desk.autofocus)><input>", ["ctrl+a", "ctrl+c", "Tab", "shift+Insert"]),
      (
        "<iframe style='width:100%' srcdoc=\"<input autofocus onfocus='parent.fetch(`/ready`)'>\"></iframe>",
        ["a"]
      ),
    ]

    @Test("Esc asks whatever way something was put into the page", arguments: chosen(pieces, at: 0))
    func asksAfter(_ page: String, _ keys: [String]) async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let login = try desk.login(page, variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try #require(await eventually { desk.isReady })
      try await desk.seat.standsStill()
      for key in keys { try desk.seat.press(key) }
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      #expect(
        try await eventually {
          try reader.readOurs().contains { $0.description == "push button 'Leave'" && $0.isShowing }
        }, "\(login.errors)")
      #expect(login.status == nil, "\(login.errors)")
    }

    @Test("A question that is hidden by the one about leaving comes back for whoever stays")
    func returns() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.show(
        "<form method=post action=/posted><button \(Desk.autofocus)>Go on</button></form>",
        "https://oauth.vk.com/blank.html", variables: reader.variables)
      let isAsked = { (button: String) in
        try reader.readOurs().contains { $0.description == "push button '\(button)'" && $0.isShowing }
      }
      try #require(await eventually { desk.isReady && desk.seat.shows("Sign in") })
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      try #require(await eventually { desk.posts == 1 })
      try await desk.seat.standsStill()
      try desk.seat.type("anna")
      try desk.seat.press("ctrl+r")
      try #require(try await eventually { try isAsked("Send again") }, "\(window.text)")
      try desk.screen.click()
      try desk.seat.press("Escape")
      try #require(try await eventually { try isAsked("Leave") }, "\(window.text)")
      #expect(try !isAsked("Send again"))
      try desk.seat.press("Return")
      #expect(try await eventually { try isAsked("Send again") && !isAsked("Leave") })
      // It has the focus again, on the button that keeps the page.
      try desk.seat.press("Return")
      #expect(try await eventually { try !isAsked("Send again") })
      #expect(desk.posts == 1)
      #expect(window.status == nil, "\(window.text)")
    }

    @Test(
      "Esc is the input method's before it is anybody's",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func inputMethod(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let login = try desk.login("<input \(Desk.autofocus)>")
      try #require(await desk.showsPage(login), "\(login.errors)")
      try #require(await eventually { desk.isReady })
      try await desk.seat.standsStill()
      // GTK's own method takes the number of a character after this, and gives up with Esc.
      try desk.seat.press("ctrl+shift+u")
      try desk.seat.press("Escape")
      try await desk.seat.standsStill()
      #expect(login.status == nil, "\(login.errors)")
      try desk.seat.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    /// What pages do with the key: each asks for a file when it has.
    static let uses = [
      "<dialog>Yes?</dialog><script>const d = document.querySelector('dialog'); d.onclose = done; d.showModal()</script>",
      "<div popover>Menu</div><script>const p = document.querySelector('div'); p.showPopover(); p.ontoggle = done</script>",
      "<input autofocus><script>onkeydown = event => { if (event.key == 'Escape') { event.preventDefault(); done(); onkeydown = null } }</script>",
      "<div id=top>Yes?</div><script>onkeydown = event => { if (event.key == 'Escape' && window.top) { document.querySelector('#top').hidden = true; done(); onkeydown = null } }</script>",
    ]

    @Test("Esc is the page's first", arguments: chosen(Desktop.allCases, telling: .x11), uses)
    func pages(_ desktop: Desktop, _ use: String) async throws {
      let desk = try await Desk(on: desktop)
      let login = try desk.login(
        "<script>const done = () => fetch('/used')</script>\(use)<script>fetch('/ready')</script>")
      try #require(await desk.showsPage(login), "\(login.errors)")
      try #require(await eventually { desk.isReady })
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      #expect(await eventually { desk.requests.contains { $0.hasPrefix("GET /used ") } }, "\(login.errors)")
      #expect(login.status == nil, "\(login.errors)")
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test(
      "A page that does not respond to Esc has the user asked, until it does",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func silent(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      // The page is busy with the file that it asks for, and has a use for the key.
      let login = try desk.login(
        """
        <dialog>Yes?</dialog><script>const d = document.querySelector('dialog'); d.showModal()
        d.onclose = () => fetch('/used')
        const r = new XMLHttpRequest()
        setTimeout(() => { do { r.open('GET', '/held', false); r.send() } while (r.status != 200) }, 300)</script>
        """, variables: reader.variables)
      let isAsked = { try reader.asksForSilentPage() }
      try #require(await desk.showsPage(login), "\(login.errors)")
      try #require(await eventually { desk.requests.contains { $0.hasPrefix("GET /held ") } })
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      try #require(try await eventually { try isAsked() }, "\(login.errors)")
      try await desk.seat.shoot("window-silent-\(desktop)")
      #expect(login.status == nil, "\(login.errors)")
      try desk.letGo()
      #expect(await eventually { desk.requests.contains { $0.hasPrefix("GET /used ") } }, "\(login.errors)")
      #expect(try await eventually { try !isAsked() })
      #expect(login.status == nil, "\(login.errors)")
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }
  }
}

extension ScreenReader {
  /// Whether the user is asked in place of a page that does not respond.
  func asksForSilentPage() throws -> Bool {
    try readOurs().contains { $0.isShowing && $0.name == "The page is not responding. Leave the sign-in?" }
  }
}
