import Foundation
@testable import TestSupport
import Testing

@Suite("The desktop's portal", .blocking)
struct DesktopPortalTests {
  /// The one of a real desktop, which knows the browser; Tokentry itself is not told of it.
  @Test("xdg-desktop-portal opens the page for a process that cannot be debugged")
  func realPortal() async throws {
    let screen = try await Screen()
    let bus = try PrivateBus(.none)
    let browser = try Browser()
    let desktop = try browser.asDesktopsOwn().merging(["DISPLAY": screen.name, "XDG_DATA_DIRS": "/usr/share"])
    { $1 }
    for (daemon, name) in [
      ("xdg-permission-store", "org.freedesktop.impl.portal.PermissionStore"),
      ("xdg-desktop-portal-gtk", "org.freedesktop.impl.portal.desktop.gtk"),
      ("xdg-desktop-portal", "org.freedesktop.portal.Desktop"),
    ] {
      try bus.start("/usr/libexec/" + daemon, variables: desktop)
      try bus.waitForOwner(of: name)
    }
    let provider = try CodeProvider()
    let environment = bus.environment.merging(["DISPLAY": screen.name]) { $1 }
    // Whether it is told that the page is open depends on who is first: the portal with its answer, or the browser.
    let outcome = try provider.login(["--timeout", "60"], environment: environment)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(browser.page().contains("You can close this tab"))
  }
}
