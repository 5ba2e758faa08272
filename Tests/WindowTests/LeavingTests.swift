import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("The Esc key")
  struct LeavingTests {
    static let leave = "push button 'Cancel Sign-In'"
    private static let reload = "push button 'Reload'"

    /// A page that requests `/has-TEXT` for its text, `/next` when Tab reaches the second field, and `/back` when the user
    /// comes back to it.
    private static let fields = """
      <input \(Desk.autofocus) oninput="fetch('/has-' + value)"><input onfocus="fetch('/next')">
      <script>onkeydown = event => { if (event.key == 'F2') location.href = '/other' }
      onpageshow = event => { if (event.persisted) fetch('/back') }</script>
      """

    @Test(
      "After typing, Esc and Ctrl+W ask before they leave, a second press stays, and F5 asks before it empties fields",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func asks(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let login = try desk.login(Self.fields, variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try #require(await desk.takesKeys())
      try desk.seat.type("anna")
      try desk.seat.press("Escape")
      #expect(try await reader.isShown(Self.leave), "\(login.errors)")
      try await desk.seat.shoot("window-leaving-\(desktop)")
      // A screen reader reads the question with the bar, and again with the button that has the focus.
      let shown = try reader.elements().filter(\.isShowing)
      let question = try #require(shown.first { $0.role == "info bar" }).name
      #expect(shown.contains { $0.description == "label '\(question)'" })
      #expect(shown.first { $0.states.contains("focused") }?.details == question)
      try desk.seat.press("Escape")
      #expect(try await reader.isGone(Self.leave))
      // The keyboard belongs to the page again.
      try desk.seat.type("b")
      #expect(await desk.isHit("/has-annab"), "\(desk.requests)")
      try desk.seat.press("Escape")
      #expect(try await reader.isShown(Self.leave))
      try desk.seat.press("Return")  // the button that stays has the focus
      #expect(try await reader.isGone(Self.leave))
      try desk.seat.press("F5")
      #expect(try await reader.isShown(Self.reload), "\(login.errors)")
      try await desk.seat.shoot("window-reloading-\(desktop)")
      try desk.seat.press("F5")
      #expect(try await reader.isGone(Self.reload))
      try desk.seat.press("Tab")
      #expect(await desk.isHit("/next"), "\(desk.requests)")
      // The next page of the login does not have the text, and would be lost all the same.
      try desk.seat.press("F2")
      #expect(await desk.isHit("/other"), "\(login.errors)")
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      #expect(try await reader.isShown(Self.leave))
      try desk.seat.press("Escape")
      #expect(try await reader.isGone(Self.leave))
      try desk.seat.press("alt+Left")
      #expect(await desk.isHit("/back"), "\(login.errors)")
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      #expect(try await reader.isShown(Self.leave))
      #expect(try await reader.isShown(Self.leave))
      try desk.seat.press("Escape")
      #expect(try await reader.isGone(Self.leave))
      try desk.seat.press("ctrl+w")
      #expect(try await reader.isShown(Self.leave))
      #expect(login.status == nil)
      try desk.seat.press("alt+n")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    /// Every key by itself, and the combinations that the window or GTK has a use for. The first keys make
    /// the window ask, stay, and press the button that cancels, which asks as well.
    private static let keys =
      [
        "Escape", "Escape", "Return", "Tab", "space", "KP_Enter", "Tab", "Tab", "BackSpace", "Delete",
        "Insert", "Home",
        "End", "Prior", "Next", "Menu",
      ]
      + ["Up", "Down", "Left", "Right", "minus", "plus", "period", "slash"]
      + (1...12).map { "F\($0)" } + "abcdefghijklmnopqrstuvwxyz0123456789".map(String.init)
      + "abcdefghijklmopqrstuvwxyz".flatMap { ["ctrl+\($0)", "alt+\($0)"] } + ["ctrl+n", "alt+Left"]

    @Test(
      "After the first click, key or own page, no key ends the login without a question",
      arguments: chosen(["page", "click", "device"], at: 0))
    func everyKey(start: String) async throws {
      let desk = try await Desk()
      let window =
        start == "device"
        ? try desk.ownWindow("device") : try desk.window(showing: "<input \(Desk.autofocus)>")
      if start == "device" {
        try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
        try await desk.screen.standsStill()
      } else {
        try #require(await desk.takesKeys())
        if start == "click" { try desk.screen.click() } else { try desk.seat.type("a") }
      }
      // On the device page, Return and the letters press its buttons.
      for key in Self.keys where start != "device" || !key.hasPrefix("alt+") && key != "Return" {
        try desk.seat.press(key)
        #expect(!window.text.contains("closed") && window.status == nil, "\(key)")
        if window.status != nil || window.text.contains("closed") { return }
      }
    }

    @Test("Esc in a page that another one has opened goes back to that")
    func popup() async throws {
      let desk = try await Desk()
      let window = try desk.window(
        showing: """
          <input \(Desk.autofocus) oninput="fetch('/has-' + value)"><script>onkeydown = event => {
          if (event.key === 'b') open('/other') }</script>
          """)
      try #require(await desk.takesKeys())
      try desk.seat.press("b")
      try #require(await desk.isHit("/other"), "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      try await desk.seat.standsStill()
      try desk.seat.type("c")
      #expect(await desk.isHit("/has-bc"), "\(desk.requests)")
      #expect(!window.text.contains("closed"), "\(window.text)")
    }

    @Test(
      "Leaving after the question cancels the login, and the close button does not ask",
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
          _ = try await desk.leaves { login.status != nil }
        }
        #expect(await login.end() == 3, "\(login.errors)")
      }
    }

    @Test("Esc still asks after the page has opened and closed another one")
    func afterPopup() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.window(
        showing: """
          <input \(Desk.autofocus)><script>onkeydown = event => {
          if (event.key !== 'b') return;
          const other = open('/other');
          setTimeout(() => { other.close(); setTimeout(() => fetch('/closed'), 500) }, 1000) }</script>
          """, variables: reader.variables)
      try #require(await desk.takesKeys())
      try desk.seat.type("ab")
      try #require(await desk.isHit("/closed"), "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      #expect(try await reader.isShown(Self.leave), "\(window.text)")
    }

    /// Ways to change a page: pasting without typing a letter, and typing in a frame.
    static let changes = [
      ("<input value=anna \(Desk.autofocus)><input>", ["ctrl+a", "ctrl+c", "Tab", "shift+Insert"]),
      (
        "<iframe style='width:100%' srcdoc=\"<input autofocus onfocus='parent.fetch(`/ready`)'>\"></iframe>",
        ["a"]
      ),
    ]

    @Test("Esc asks after pasting, and after typing in a frame", arguments: chosen(changes, at: 0))
    func asksAfter(_ page: String, _ keys: [String]) async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let login = try desk.login(page, variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try #require(await desk.takesKeys())
      for key in keys { try desk.seat.press(key) }
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      #expect(try await reader.isShown(Self.leave), "\(login.errors)")
      #expect(login.status == nil, "\(login.errors)")
    }

    @Test("A question that the one about leaving replaces comes back if the user stays")
    func returns() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.window(
        showing: "<form method=post action=/posted><button \(Desk.autofocus)>Go on</button></form>",
        variables: reader.variables)
      let sendAgain = "push button 'Submit Again'"
      try #require(await desk.takesKeys())
      try desk.seat.press("Return")
      try #require(await eventually { desk.posts == 1 })
      try await desk.seat.standsStill()
      try desk.seat.type("anna")
      for key in ["ctrl+r", "alt+r"] { try desk.seat.press(key) }  // asks about the text first
      try #require(try await reader.isShown(sendAgain), "\(window.text)")
      try desk.screen.click()
      try desk.seat.press("Escape")
      try #require(try await reader.isShown(Self.leave), "\(window.text)")
      #expect(try !reader.shows(sendAgain))
      try desk.seat.press("Return")
      #expect(try await reader.isShown(sendAgain))
      #expect(try await reader.isGone(Self.leave))
      // The button that keeps the page has the focus again.
      try desk.seat.press("Return")
      #expect(try await reader.isGone(sendAgain))
      #expect(desk.posts == 1)
      #expect(window.status == nil, "\(window.text)")
    }

    @Test("Esc goes to the input method first", arguments: chosen(Desktop.allCases, telling: .wayland))
    func inputMethod(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let login = try desk.login("<input \(Desk.autofocus)>")
      try #require(await desk.showsPage(login), "\(login.errors)")
      try #require(await desk.takesKeys())
      // GTK's input method takes the number of a character after this key, until Esc.
      try desk.seat.press("ctrl+shift+u")
      try desk.seat.press("Escape")
      try await desk.seat.standsStill()
      #expect(login.status == nil, "\(login.errors)")
      try desk.seat.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    /// Uses of the key in pages. Each page requests `/used` when it has used the key.
    static let uses = [
      "<dialog>Yes?</dialog><script>const d = document.querySelector('dialog'); d.onclose = done; d.showModal()</script>",
      "<div popover>Menu</div><script>const p = document.querySelector('div'); p.showPopover(); p.ontoggle = done</script>",
      "<input autofocus><script>onkeydown = event => { if (event.key == 'Escape') { event.preventDefault(); done(); onkeydown = null } }</script>",
      "<div id=top>Yes?</div><script>onkeydown = event => { if (event.key == 'Escape' && window.top) { document.querySelector('#top').hidden = true; done(); onkeydown = null } }</script>",
    ]

    @Test("The page gets Esc before the window", arguments: chosen(Desktop.allCases, telling: .x11), uses)
    func pages(_ desktop: Desktop, _ use: String) async throws {
      let desk = try await Desk(on: desktop)
      let login = try desk.login(
        "<script>const done = () => fetch('/used')</script>\(use)<script>fetch('/ready')</script>")
      try #require(await desk.showsPage(login), "\(login.errors)")
      try #require(await desk.takesKeys())
      try desk.seat.press("Escape")
      #expect(await desk.isHit("/used"), "\(login.errors)")
      #expect(login.status == nil, "\(login.errors)")
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test(
      "If the page does not respond to Esc, the window asks, and the page still gets the key",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func silent(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      // The page waits for a file, and has a dialog that Esc closes.
      let login = try desk.login(
        """
        <dialog>Yes?</dialog><script>const d = document.querySelector('dialog'); d.showModal()
        d.onclose = () => fetch('/used')
        const r = new XMLHttpRequest()
        setTimeout(() => { do { r.open('GET', '/held', false); r.send() } while (r.status != 200) }, 300)</script>
        """, variables: reader.variables)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try #require(await desk.isHit("/held"))
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      try #require(try await reader.isShown(Self.leave), "\(login.errors)")
      try await desk.seat.shoot("window-silent-\(desktop)")
      #expect(login.status == nil, "\(login.errors)")
      try desk.letGo()
      #expect(await desk.isHit("/used"), "\(login.errors)")
      #expect(login.status == nil, "\(login.errors)")
      try desk.seat.press("Escape")
      #expect(try await reader.isGone(Self.leave))
      try await desk.seat.standsStill()
      try desk.seat.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }
  }
}
