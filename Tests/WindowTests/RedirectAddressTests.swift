import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  /// The addresses that WebKit reads as the redirect URI, and the ones that it does not.
  @Suite("Addresses that look like the redirect URI")
  struct RedirectAddressTests {
    private static let redirects = ["https://as.example/blank.html", "com.example.app:/done"]

    private static let same = [
      "https://as.example/blank.html", "https://as.example/x/../blank.html",
      "https://as.example/./blank.html",
      "https://as.example/%2e/blank.html", "https://as.example/x/%2e%2e/blank.html",
      "https://as.example:443/blank.html", "https://as.example:/blank.html",
      "https://as.example:00443/blank.html",
      "HTTPS://AS.EXAMPLE/blank.html", "https:\\\\as.example\\blank.html", "https:/as.example/blank.html",
      "https:as.example/blank.html", "https:///as.example/blank.html", "https://as.ex\tample/bl\tank.html",
      "COM.EXAMPLE.APP:/done", "com.example.app:/x/../done",
    ]

    /// Only in pages. In a redirect, WebKit reads the bytes in another encoding.
    private static let sameInPages = [
      "https://as\u{3002}example/blank.html", "https://\u{FF41}s.example/blank.html",
      "https://a\u{AD}s.example/blank.html", "https://a%73.example/blank.html",
    ]

    /// Only in redirects, of which WebKit drops the user.
    private static let sameInRedirects = [
      "https://user:pw@as.example/blank.html", "https://evil.example@as.example/blank.html",
    ]

    private static let others = [
      "https://as.example.evil.example/blank.html", "https://as.example/blank.html.evil",
      "https://as.example/blank.htmlx", "https://as.example//blank.html", "https://as.example/blank.html/",
      "https://as.example/blank.html;v=1", "https://as.example/BLANK.html",
      "https://as.example/blank.html/../evil", "https://as.example/%62lank.html",
      "https://as.example/blank%2ehtml", "https://as.example/blank.html%00",
      "https://as.example/blank.html%23",
      "https://as.example/blank.html%3Fcode=a", "https://as.example@evil.example/blank.html",
      "https://as.example:8443/blank.html", "http://as.example/blank.html", "https://as.example./blank.html",
      "https://evil.example\\@as.example/blank.html", "https://as.example\\@evil.example/blank.html",
      "https://\u{430}s.example/blank.html", "https://as\u{2024}example/blank.html",
      "https://as.example%40/blank.html",
      "com.example.app:/done/", "com.example.app:/DONE", "com.example.app:/%64one", "com.example.app:done",
      "com.example.app://done", "com.example.app:/donex", "com.example.app2:/done",
    ]

    @Test("Only addresses that WebKit reads as the redirect URI are callbacks", arguments: [false, true])
    func table(isRedirect: Bool) async throws {
      let same = Self.same + (isRedirect ? Self.sameInRedirects : Self.sameInPages)
      let others = Self.others + (isRedirect ? [] : Self.sameInRedirects)
      let desk = try await Desk()
      let list = String(decoding: try JSONEncoder().encode(same + others), as: UTF8.self)
      let window = try desk.window(
        showing: """
          <body><script>
          const list = \(list);
          const go = src => document.body.append(Object.assign(document.createElement('iframe'), { src }));
          list.forEach((address, i) => go(\(isRedirect ? "'/to?to=' + encodeURIComponent(address + '#' + i)" : "address + '#' + i")));
          setTimeout(() => go(list[0] + '#end'), 1500);
          </script>
          """, redirects: Self.redirects)
      #expect(await eventually { window.callbacks.contains { $0.uri.hasSuffix("#end") } }, "\(window.text)")
      #expect(await eventually { window.callbacks.count > same.count }, "\(window.callbacks)")
      for (number, address) in (same + others).enumerated() {
        let reported = window.callbacks.filter { $0.uri.hasSuffix("#\(number)") }.map(\.uri)
        let redirect = Self.redirects[address.lowercased().hasPrefix("com.") ? 1 : 0]
        #expect(reported == (number < same.count ? ["\(redirect)#\(number)"] : []), "\(address)")
      }
    }

    /// Paths that become `/done` when a library normalizes them.
    static let nearMisses = ["%64one", "d%6Fne", "d%6fne"]

    @Test(
      "An address with needless escapes is neither a callback nor requested",
      arguments: chosen(nearMisses, at: 1))
    func escapes(_ path: String) async throws {
      let desk = try await Desk()
      let near = "\(desk.provider)/\(path)?error=access_denied&state="
      let ways = [
        "location.href = near", "location.href = '/to?to=' + encodeURIComponent(near)",
        "document.body.append(Object.assign(document.createElement('iframe'), { src: near }))",
      ]
      for way in chosen(ways, at: 1) {
        let login = try desk.login(
          """
          <body><script>const near = '\(near)' + new URLSearchParams(answer.split('#')[1]).get('state');
          \(way); setTimeout(() => { location.href = answer }, 1000)</script>
          """, redirect: desk.provider + "/done")
        #expect(await login.end() == 0, "\(way): \(login.errors)")
      }
      #expect(!desk.requests.contains { $0.contains("one") }, "\(desk.requests)")
    }

    @Test(
      "A script that leads to almost the redirect URI gets a failure, and the address is not requested",
      arguments: chosen(
        [
          "/done/?code=1", "/done/#code=1", "/done/?code=1#x", "/done/?a=b&code=1", "/d%6Fne?code=1",
          "/Done#code=1",
          "u@/done/?code=1",
        ], at: 1, 4))
    func script(_ path: String) async throws {
      let desk = try await Desk()
      let user = path.hasPrefix("/") ? "" : "u@"
      let wrong = desk.provider.replacing("://", with: "://" + user) + path.dropFirst(user.count)
      let login = try desk.login(
        "<script>setTimeout(() => { location.href = '\(wrong)' }, 300)</script>",
        redirect: desk.provider + "/done")
      #expect(await desk.showsFailure(login, "which is not the redirect URI"), "\(login.errors)")
      #expect(!desk.requests.contains { $0.contains("/done") }, "\(desk.requests)")
    }

    @Test("A frame that goes to almost the redirect URI does not cover the page with a failure")
    func frame() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        """
        <iframe srcdoc="<script>location.href = 'https://app.example/done/?error=access_denied'</script>"></iframe>
        <script>setTimeout(() => { location.href = answer }, 2000)</script>
        """, redirect: "https://app.example/done")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(!login.errors.contains("which is not the redirect URI"), "\(login.errors)")
    }

    /// A redirect URI, the address to which the provider leads, and the part in which they differ. WrongAddressTests of
    /// WindowProtocolTests has the other parts.
    static let wrong = [
      (Desktop.wayland, "com.example.app:/done", "com.example.app2:/done", "scheme"),
      (.x11, "https://app.example/done", "https://app.example/done/", "slash"),
      (.x11, "http://127.0.0.1:30008/done", "http://localhost:30008/done", "host"),
    ]

    @Test(
      "A wrong address is shown next to the redirect URI, and not requested", arguments: chosen(wrong, at: 2))
    func address(_ desktop: Desktop, _ redirect: String, _ instead: String, _ difference: String) async throws
    {
      let desk = try await Desk(on: desktop)
      let login = try desk.login(at: "wrong-address?instead=" + instead.percentEncoded, redirect: redirect)
      try #require(
        await desk.showsFailure(login, "warning: the provider redirected to \(instead), "), "\(login.errors)")
      try await desk.seat.shoot("window-wrong-address-\(difference)-\(desktop)")
      #expect(!login.errors.contains("access_token"))
      try desk.seat.press("Escape")
      #expect(await login.end() == 5, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"redirect_mismatch\""), "\(login.text)")
      #expect(login.text.contains("\"origin\":\"caller\""), "\(login.text)")
      #expect(
        login.text.contains("\"received\":\"\(instead)\",\"redirect_uri\":\"\(redirect)\""), "\(login.text)")
      #expect(login.text.contains("\"differs\":[\"\(difference)\""), "\(login.text)")
      #expect(!login.text.contains("state="))
      #expect(login.errors.contains("hint: register exactly this redirect URI"), "\(login.errors)")
    }

    @Test(
      "A login that is cancelled or times out after going back from a wrong address reports the address",
      arguments: chosen([(.x11, 3), (.x11, 4), (.wayland, 3)] as [(Desktop, Int32)], at: 1, 2))
    func back(_ desktop: Desktop, _ status: Int32) async throws {
      let desk = try await Desk(on: desktop)
      let page = "<button autofocus onclick='location.href = \"com.other.app:/done?code=1\"'>Go on"
      try await beforeDeadline { deadline in
        let login = try desk.login(page, more: status == 4 ? deadline : [])
        try await inTime(login) { desk.isShowingPage(login) }
        try await desk.seat.standsStill()
        try desk.seat.press("Return")
        try await inTime(login) {
          desk.isShowingFailure(login, "the provider redirected to com.other.app:/done")
        }
        let pages = { login.errors.components(separatedBy: "info: page of").count }
        let before = pages()
        try desk.seat.press("alt+b")
        try await inTime(login) { pages() > before }
        try await desk.seat.standsStill()
        try await inTime(login)
        if status == 3 { _ = try await desk.leaves { login.status != nil } }
        #expect(await login.end() == status, "\(login.errors)")
        let error = status == 3 ? "cancelled" : "timeout"
        #expect(login.text.contains("\"error\":\"\(error)\""), "\(login.text)")
        #expect(login.text.contains("\"received\":\"com.other.app:/done\""), "\(login.text)")
      }
    }
  }
}
