import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("A second window")
  struct SecondWindowTests {
    /// A page that reports what is typed into it.
    private static func page(_ name: String) -> String {
      "<input \(Desk.autofocus) oninput='fetch(`/\(name)-${value}`)'>"
    }

    @Test(
      "What is typed into a window does not go into one that opens meanwhile, and that one lies beside it",
      arguments: Desktop.allCases)
    func typing(desktop: Desktop) async throws {
      let desk = try await Desk(on: desktop, size: "900x900")
      let first = try desk.window(showing: Self.page("first"))
      defer { withExtendedLifetime(first) {} }
      try #require(await desk.takesKeys())
      let place = desk.seat.place(of: "Sign in")
      let second = try desk.window(
        at: "html?body=" + Self.page("second").percentEncoded, ["title": "Second"])
      var typed = ""
      for letter in "my-secret-password-1234-and-more" {
        try desk.seat.type(String(letter))
        typed.append(letter)
        try await Task.sleep(for: .milliseconds(120))
      }
      try #require(await desk.shows(second, titled: "Second"))
      let wrong = desk.requests.filter { $0.contains("/second-") }
      #expect(wrong.isEmpty, "\(wrong)")
      try await desk.seat.standsStill()
      if desktop == .x11 {
        #expect(await eventually { desk.hits("/first-\(typed)") == 1 }, "\(desk.requests)")
        #expect(desk.seat.place(of: "Second") != place)
        try await desk.seat.shoot("window-second")
        // A user who wants it clicks on it.
        try desk.screen.focus("Second")
      }
      try await Task.sleep(for: .milliseconds(700))
      try desk.seat.type("x")
      #expect(await eventually { desk.requests.contains { $0.contains("/second-x") } }, "\(desk.requests)")
    }
  }
}
