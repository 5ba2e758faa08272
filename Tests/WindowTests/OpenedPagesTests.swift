import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Pages that have opened others")
  struct OpenedPagesTests {
    @Test("What fails in a page while another one is in front of it is shown when that one has gone")
    func underneath() async throws {
      let desk = try await Desk()
      let window = try desk.show(
        """
        <button \(Desk.autofocus) onclick="const other = window.open('/other');
        setTimeout(() => { location.href = 'http://127.0.0.1:30009/' }, 500);
        setTimeout(() => { other.close() }, 1500)">Go on</button>
        """, "https://oauth.vk.com/blank.html")
      try #require(await eventually { desk.isReady && desk.seat.shows("Sign in") })
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      #expect(
        await eventually { window.text.contains("\"page_error\":{\"kind\":\"connection\"") }, "\(window.text)"
      )
    }

    @Test("A page that closes itself behind the one that it has opened does not come back")
    func closedUnderneath() async throws {
      let desk = try await Desk()
      let page = { (script: String, name: String) in
        "<button autofocus onfocus=\"fetch('/\(name)')\" onclick=\"\(script)\">Go on</button>"
      }
      let encoded = { (text: String) in
        "/html?body=" + (text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
      }
      let last = page("window.close()", "last")
      let middle = page("window.open('\(encoded(last))'); setTimeout(() => window.close(), 500)", "middle")
      let window = try desk.show(
        page("window.open('\(encoded(middle))')", "ready"), "https://oauth.vk.com/blank.html")
      try #require(await eventually { desk.isReady && desk.seat.shows("Sign in") })
      let count = { (name: String) in desk.requests.count { $0.hasPrefix("GET /\(name) ") } }
      for name in ["middle", "last"] {
        try await desk.seat.standsStill()
        try desk.seat.press("Return")
        try #require(await eventually { count(name) == 1 }, "\(desk.requests)\(window.text)")
      }
      // By now the one in the middle has closed itself.
      try await Task.sleep(for: .seconds(1))
      try desk.seat.press("Return")
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      #expect(await eventually { count("middle") == 2 }, "\(desk.requests)\(window.text)")
    }
  }
}
