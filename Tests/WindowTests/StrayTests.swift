import Foundation
@testable import TestSupport
import Testing

extension WindowPageTests {
  /// Callbacks that are not the answer of the page that the user sees.
  @Suite("Callbacks of frames, of windows that pages open, and of many megabytes")
  struct StrayTests {
    /// What a frame does that the user clicks: `denial` is a redirect URI with an error and no state.
    static let clicks = [
      "open(denial)", "open('').location = denial", "open('/to?to=' + encodeURIComponent(denial))",
      "const a = document.createElement('a'); a.href = denial; a.target = '_blank'; document.body.append(a); a.click()",
      "const f = document.createElement('form'); f.action = target; f.target = '_blank'; f.innerHTML = '<input name=error value=access_denied>'; document.body.append(f); f.submit()",
      "location.href = denial",
    ]

    @Test(
      "A frame that the user clicks cannot end a login, whatever it opens",
      arguments: chosen(clicks, at: 4),
      chosen(["https://oauth.vk.com/blank.html", "com.example.app:/done"], at: 1))
    func clickedFrame(_ click: String, _ redirect: String) async throws {
      let desk = try await Desk()
      let frame = """
        <body style='margin:0'><button style='width:100vw;height:100vh'>Go on</button><script>
        const target = '\(redirect)', denial = target + '?error=access_denied';
        document.querySelector('button').onclick = () => { \(click); parent.postMessage(1, '*') }</script>
        """
      let login = try desk.login(
        """
        <iframe style='position:fixed;inset:0;width:100%;height:100%;border:0'
          sandbox='allow-scripts allow-popups allow-forms' srcdoc="\(frame)"></iframe>
        <script>onmessage = () => setTimeout(() => { location.href = answer }, 1500)</script>
        """, redirect: redirect)
      try #require(await desk.showsPage(login), "\(login.errors)")
      try desk.screen.click()
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.errors.contains("a callback of another request was ignored"), "\(login.errors)")
    }

    @Test("An answer of many megabytes is refused", arguments: chosen([1, 20], telling: 20))
    func oversized(_ megabytes: Int) async throws {
      let desk = try await Desk()
      let login = try desk.login(
        "<script>location.href = answer + '&x=' + 'A'.repeat(\(megabytes)e6)</script>",
        redirect: "https://oauth.vk.com/blank.html")
      #expect(await login.end() == 6, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"malformed_callback\""), "\(login.text)")
    }

    @Test(
      "Of two script redirects one after the other the first one wins",
      arguments: chosen([0, 1, 10, 30], telling: 1))
    func first(_ milliseconds: Int) async throws {
      let desk = try await Desk()
      for redirect in chosen(["https://oauth.vk.com/blank.html", "com.example.app:/done"], at: 0) {
        let login = try desk.login(
          """
          <script>location.href = answer;
          setTimeout(() => { location.href = answer.replace('=T&', '=T2&') }, \(milliseconds))</script>
          """, redirect: redirect)
        #expect(await login.end() == 0, "\(login.errors)")
        #expect(login.text.hasPrefix("{\"access_token\":\"T\","), "\(login.text)")
      }
    }

    /// Where a frame goes that is all but the redirect URI.
    static let wrongs = ["https://app.example/done/", "https://app.example/d%6Fne", "com.example.app2:/done"]

    @Test("A frame that goes to a wrong address does not cover the page", arguments: chosen(wrongs, at: 0))
    func wrongAddressOfFrame(_ wrong: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(
        """
        <iframe srcdoc="<script>location.href = '\(wrong)?error=access_denied'</script>"></iframe>
        <script>setTimeout(() => { location.href = answer }, 2000)</script>
        """, redirect: "https://app.example/done")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(!login.errors.contains("which is not the redirect URI"), "\(login.errors)")
    }

    @Test(
      "A wrong address to which a script goes is never asked for, whatever is behind it",
      arguments: chosen(
        [
          "/done/?code=1", "/done/#code=1", "/done/?code=1#x", "/done/?a=b&code=1", "/d%6Fne?code=1",
          "/Done#code=1",
          "u@/done/?code=1",
        ], at: 1, 4))
    func wrongAddressOfScript(_ path: String) async throws {
      let desk = try await Desk()
      let user = path.hasPrefix("/") ? "" : "u@"
      let wrong = desk.provider.replacing("://", with: "://" + user) + path.dropFirst(user.count)
      let login = try desk.login(
        "<script>setTimeout(() => { location.href = '\(wrong)' }, 300)</script>",
        redirect: desk.provider + "/done")
      #expect(await desk.showsFailure(login, "which is not the redirect URI"), "\(login.errors)")
      #expect(!desk.requests.contains { $0.contains("/done") }, "\(desk.requests)")
    }

    @Test(
      "Of a wrong address to which the page itself goes the user is told", arguments: chosen(wrongs, at: 1))
    func wrongAddressOfPage(_ wrong: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(
        "<script>setTimeout(() => { location.href = '\(wrong)?error=access_denied' }, 300)</script>",
        redirect: "https://app.example/done")
      #expect(
        await desk.showsFailure(login, "the provider leads to \(wrong), which is not the redirect URI"),
        "\(login.errors)")
    }

    /// Addresses that become the redirect URI when what carries requests writes them in its own way.
    static let nearMisses = ["%64one", "d%6Fne", "d%6fne"]

    @Test(
      "What is almost the redirect URI is neither an answer nor asked for",
      arguments: chosen(nearMisses, at: 1))
    func almost(_ path: String) async throws {
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
  }
}
