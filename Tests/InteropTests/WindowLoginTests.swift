import Foundation
import Testing

@testable import TestSupport

extension InteropTests {
  @Suite("Logins in the window, with typed keys")
  struct WindowLoginTests {
    @Test("A login at oidc-provider-mock")
    func mock() async throws {
      let desk = try await Desk()
      let login = try Login.mock().window(on: desk)
      try #require(await desk.showsPage(login), "\(login.text + login.errors)")
      try desk.screen.type("anna")
      try desk.screen.press("Return")
      let token = try await Answer(of: login)
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == checks)
      #expect(token.claims["sub"] as? String == "anna")
    }

    /// An issuer and the expected result. With `tls`, it has a self-signed certificate.
    struct Row: Sendable {
      let issuer: String
      var tls = false
      var algorithm = "RS256"
      var namesItself = true
      var life = 3600
    }

    static let rows = [
      Row(issuer: "oidc"), Row(issuer: "oidc", tls: true), Row(issuer: "es", algorithm: "ES256"),
      Row(issuer: "ps", algorithm: "PS256"), Row(issuer: "strict"),
      Row(issuer: "short", namesItself: false, life: 3),
    ]

    @Test("A login at each issuer of glewlwyd, whose page is a script", arguments: chosen(rows, at: 1))
    func glewlwyd(_ row: Row) async throws {
      let servers = try Servers.running()
      let server = row.tls ? servers.secureGlewlwyd : servers.glewlwyd
      let trust = row.tls ? ["--trust", "localhost=\(server["certificate"])"] : []
      let desk = try await Desk()
      let login = try Login.glewlwyd(row.issuer, at: server).with(trust).window(on: desk)
      try #require(await desk.showsPage(login), "\(login.text + login.errors)")
      try #require(await desk.sees { $0.has(.blue) }, "the login form with its button")
      if row.issuer == "oidc" { try await desk.screen.shoot("interop-glewlwyd\(row.tls ? "-tls" : "")") }
      try desk.screen.type(row.issuer)  // the user with this name has not granted any scope yet
      try desk.screen.press("Tab")
      try desk.screen.type("Pass-word1")
      try desk.screen.press("Return")
      try #require(await desk.sees { $0.has(.grey) && !$0.has(.blue) }, "the scopes to grant")
      for key in ["Tab", "space", "Tab", "Return"] { try desk.screen.press(key) }
      try #require(await desk.sees { $0.has(.green) && !$0.has(.blue) }, "the button to continue")
      for key in ["Tab", "Return"] { try desk.screen.press(key) }
      let token = try await Answer(of: login)
      #expect(token.status == 0, "\(token.errors)")
      #expect(token.checks == (row.namesItself ? checksWithIssuer : checks))
      #expect(try token.algorithm() == row.algorithm)
      #expect(token.lasted(row.life), "\(token.text)")
      #expect(token["scope"] == "openid profile")
    }
  }
}

/// The colours on a screen.
struct Picture {
  /// The colours of buttons and badges, which differ between glewlwyd's pages, and of the edges of our own entries: one
  /// with the keyboard, and one whose text was wrong.
  enum Colour: String {
    case focus = "#3584E4"
    case wrong = "#CC0000"
    case blue = "#007BFF"
    case green = "#28A745"
    case grey = "#6C757D"
  }

  /// One line for each colour; it begins with the number of pixels.
  let histogram: String

  /// True if there is more of a colour than at the edges of letters.
  func has(_ colour: Colour) -> Bool {
    let line = histogram.split(separator: "\n").first { $0.contains(colour.rawValue) }
    return line?.split(separator: ":").first.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
      > 300
  }
}

/// glewlwyd's page is a script and changes without a navigation, so only the screen shows its state.
extension Desk {
  private func picture() async throws -> Picture {
    try await screen.standsStill()
    let path = folder + "/seen.png"
    try screen.capture(path)
    return Picture(
      histogram: try Screen.run(["convert", path, "-depth", "8", "-format", "%c", "histogram:info:-"], [:]))
  }

  /// Waits until the screen is painted and fulfils a condition.
  func sees(_ isRight: (Picture) -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(patience)
    while ContinuousClock.now < deadline {
      if isRight(try await picture()) { return true }
    }
    return false
  }
}
