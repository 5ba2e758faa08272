import Foundation
@testable import TestSupport
import Testing

extension WindowPageTests {
  /// Which of the addresses that look like a redirect URI WebKit reports as one.
  @Suite("Addresses that look like the redirect URI")
  struct AddressTests {
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

    /// In a page; in a redirect its bytes are read as those of another alphabet.
    private static let sameInPages = [
      "https://as\u{3002}example/blank.html", "https://\u{FF41}s.example/blank.html",
      "https://a\u{AD}s.example/blank.html", "https://a%73.example/blank.html",
    ]

    /// In a redirect, of which WebKit drops the user; in a page it is kept.
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

    @Test("Those that WebKit reads as the redirect URI are one, and no others", arguments: [false, true])
    func table(_ redirected: Bool) async throws {
      let same = Self.same + (redirected ? Self.sameInRedirects : Self.sameInPages)
      let others = Self.others + (redirected ? [] : Self.sameInRedirects)
      let desk = try await Desk()
      let list = String(decoding: try JSONEncoder().encode(same + others), as: UTF8.self)
      let window = try desk.show(
        """
        <body><script>
        const list = \(list);
        const go = src => document.body.append(Object.assign(document.createElement('iframe'), { src }));
        list.forEach((address, i) => go(\(redirected) ? '/to?to=' + encodeURIComponent(address + '#' + i) : address + '#' + i));
        setTimeout(() => go(list[0] + '#end'), 1500);
        </script>
        """, Self.redirects[0], Self.redirects[1])
      #expect(
        await eventually { window.callbacks.contains { $0.uri.hasSuffix("#end") } },
        "\(window.text)")
      #expect(
        await eventually { window.callbacks.count > same.count }, "\(window.callbacks)")
      for (number, address) in (same + others).enumerated() {
        let told = window.callbacks.filter { $0.uri.hasSuffix("#\(number)") }.map(\.uri)
        let isOwn = address.lowercased().hasPrefix("com.")
        let expected = number < same.count ? ["\(Self.redirects[isOwn ? 1 : 0])#\(number)"] : []
        #expect(told == expected, "\(address)")
      }
    }
  }
}
