import Foundation
import Synchronization
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("On Wayland")
  struct WaylandTests {
    @Test(
      "A window is shown, and a login that nobody has to type for ends with a token",
      arguments: chosen(Compositor.Kind.allCases, telling: .weston))
    func shown(_ kind: Compositor.Kind) async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(kind, folder: desk.folder)
      let login = try desk.login(at: "later", variables: compositor.variables)
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"access_token\":\"T\""))
    }

    @Test(
      "A code for another device is shown, and is gone when the token has come",
      arguments: chosen(Compositor.Kind.allCases, telling: .weston))
    func device(_ kind: Compositor.Kind) async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(kind, folder: desk.folder)
      // Nobody but sway tells what is shown.
      let isSeen = SharedFlag(kind != .sway)
      let server = try StandInServer.givingCodes { question in
        question < 3 || !isSeen.value
          ? .json(#"{"error":"authorization_pending"}"#, status: 400)
          : .json(#"{"access_token":"T","token_type":"Bearer"}"#)
      }
      let login = try Program(
        Desk.program("tokentry"), server.deviceOptions + ["--agent", "device", "--title", "Mail"],
        environment: desk.environment.merging(compositor.variables) { $1 }, errorPath: desk.folder + "/login")
      if kind == .sway {
        try #require(await eventually { compositor.shows("Mail") }, "\(login.errors)")
        try await compositor.shoot("window-wayland-device")
        isSeen.value = true
      }
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"access_token\":\"T\""))
      #expect(!login.errors.contains("warning"), "\(login.errors)")
    }

    @Test("A window is shown once its page is there, and typed into it a login ends with a token")
    func typed() async throws {
      let desk = try await Desk()
      let compositor = try await Compositor(.sway, folder: desk.folder)
      let login = try desk.login(at: "auth", "--title", "Mail", variables: compositor.variables)
      try #require(
        await eventually { login.errors.contains("info: page of") && compositor.shows("Mail") },
        "\(login.errors)")
      #expect(compositor.property("app_id", of: "Mail") == "org.tokentry.Tokentry")
      try await compositor.shoot("window-wayland")
      try compositor.type("anna")
      try compositor.press("Tab")
      try compositor.type("secret")
      try compositor.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(!compositor.shows("Mail"))
    }
  }
}

/// What a test says and a server hears.
private final class SharedFlag: Sendable {
  private let flag: Mutex<Bool>
  init(_ value: Bool) { flag = Mutex(value) }
  var value: Bool {
    get { flag.withLock(\.self) }
    set { flag.withLock { $0 = newValue } }
  }
}
