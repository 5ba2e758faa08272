import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Nothing ends without a word")
  struct PatienceTests {
    @Test(
      "The last seconds are counted, and where the user has more of them whatever is pressed says so",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func deadline(_ desktop: Desktop) async throws {
      for isExtendable in [true, false] {
        let desk = try await Desk(on: desktop)
        let reader = try await ScreenReader(desk)
        let window = try desk.show("auth", reader.variables)
        try #require(await desk.shows(window), "\(window.text)")
        let bar = {
          try reader.readOurs().first { $0.role == "info bar" && $0.isShowing && $0.name.contains("ends in") }
        }
        #expect(try bar() == nil)
        try desk.seat.type("a")
        #expect(!window.text.contains("active"), "nobody has told it of a deadline")
        try window.write(
          "{\"deadline\":{\"seconds_left\":90,\"warn_at\":90,\"extendable\":\(isExtendable)}}\n")
        #expect(try await eventually { try bar() != nil }, "\(window.text)")
        #expect(try bar()?.name.contains("Are you still there?") == isExtendable)
        try await desk.seat.shoot("window-deadline-\(isExtendable)-\(desktop)")
        try desk.seat.type("b")
        if isExtendable {
          #expect(await eventually { window.text.contains("{\"active\":{}}") }, "\(window.text)")
          try window.write("{\"deadline\":{\"seconds_left\":300,\"warn_at\":60,\"extendable\":true}}\n")
          #expect(try await eventually { try bar() == nil })
        } else {
          try desk.seat.press("ctrl+r")
          #expect(await eventually { desk.requests.filter { $0.hasPrefix("GET /auth ") }.count == 2 })
          #expect(!window.text.contains("active"), "\(window.text)")
        }
      }
    }

    @Test(
      "A server that does not answer is named after a while, to the user and to the caller",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func silent(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let login = try desk.login(at: "silent", variables: reader.variables)
      let host = try #require(desk.provider.split(separator: "/").last)
      #expect(
        try await eventually {
          try reader.readOurs().contains { $0.isShowing && $0.name == "\(host) has not answered yet." }
        },
        "\(login.errors)")
      #expect(
        await eventually { login.errors.contains("info: \(host) has not answered yet") }, "\(login.errors)")
      try await desk.seat.shoot("window-slow-\(desktop)")
      // Whoever does not want to wait any longer asks again.
      try desk.seat.press("F5")
      #expect(
        await eventually { desk.requests.filter { $0.hasPrefix("GET /silent") }.count == 2 },
        "\(login.errors)")
      try desk.seat.press("ctrl+w")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test(
      "Of a page that does not end in a window that nobody sees the caller is told that somebody has to sign in"
    )
    func endlessUnseen() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "endless", "--silent")
      #expect(await login.end() == 8, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"login_required\""), "\(login.text)")
    }

    @Test("A page that does not end says that it has not")
    func endless() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.show("endless", reader.variables)
      #expect(
        try await eventually {
          try reader.readOurs().contains {
            $0.isShowing && $0.name == "Still waiting for the rest of this page."
          }
        }, "\(window.text)")
      // It had not before the page was there, which may have taken a busy machine as long.
      let sinceThen = window.text.components(separatedBy: "main_frame_loaded").last ?? ""
      #expect(!sinceThen.contains("waiting"), "the server has begun: \(window.text)")
    }

    @Test(
      "A form is not sent twice before the user says so",
      arguments: chosen(Desktop.allCases, telling: .wayland))
    func resends(_ desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop)
      let reader = try await ScreenReader(desk)
      let window = try desk.show(
        "<form method=post action=/posted><button autofocus>Go on</button></form>",
        "https://oauth.vk.com/blank.html", variables: reader.variables)
      let isAsked = {
        try reader.readOurs().contains { $0.description == "push button 'Send again'" && $0.isShowing }
      }
      try #require(
        await eventually {
          window.text.contains("\"main_frame_loaded\":true") && desk.seat.shows("Sign in")
        })
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      try #require(await eventually { desk.posts == 1 }, "\(window.text)")
      try await desk.seat.standsStill()
      try desk.seat.press("ctrl+r")
      #expect(try await eventually { try isAsked() }, "\(window.text)")
      try await desk.seat.shoot("window-resend-\(desktop)")
      // The button that keeps the page has the focus.
      try desk.seat.press("Return")
      #expect(try await eventually { try !isAsked() })
      try desk.seat.press("F5")
      #expect(try await eventually { try isAsked() })
      #expect(desk.posts == 1)
      try desk.seat.press("alt+s")
      #expect(await eventually { desk.posts == 2 }, "\(window.text)")
      #expect(try await eventually { try !isAsked() })
    }
  }
}
