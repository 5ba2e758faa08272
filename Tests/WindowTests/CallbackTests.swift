import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  /// Facts about WebKit that the window relies on. A test fails if WebKit changes one. Rules about the answer itself are
  /// tested in LoginCoreTests.
  @Suite("Navigations that end a login")
  struct CallbackTests {
    private static let schemes = [Desk.redirect, "com.example.app:/done"]

    @Test(
      "A redirect or a script that leads to a web address or a private scheme ends the login",
      arguments: chosen(["good", "script"], telling: "script"), schemes)
    func ways(_ page: String, _ redirect: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: page, redirect: redirect)
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test(
      "Every way to navigate is a callback, and the redirect URI is never requested",
      arguments: chosen(
        [
          "<script>location.replace(answer)</script>",
          "<script>document.write(`<meta http-equiv=refresh content='0;url=${answer}'>`)</script>",
          "<a id=a></a><script>a.href = answer; a.click()</script>",
          "<form id=f method=post></form><script>f.action = answer; f.submit()</script>",
          "<form id=f target=_self></form><script>f.action = answer; f.submit()</script>",
          "<body><script>document.body.append(Object.assign(document.createElement('iframe'), { src: answer }))</script>",
          // Three at once: the first one counts.
          "<script>for (const t of ['', '2', '3']) location.href = '/to?to=' + encodeURIComponent(answer.replace('=T&', `=T${t}&`))</script>",
        ], at: 3, 6))
    func navigations(_ body: String) async throws {
      let desk = try await Desk()
      // These characters have a meaning in WebKit's filters.
      let login = try desk.login(body, redirect: desk.provider + "/done.(a+b)*$")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.split(separator: "\n").count == 1)
      #expect(!desk.requests.contains { $0.contains("/done") }, "\(desk.requests)")
    }

    @Test("A redirect that the page's security policy blocks ends the login")
    func formAction() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "csp")
      try #require(await desk.showsPage(login))
      try desk.screen.signIn()
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test("A wrong state in the page itself ends the login as untrusted")
    func wrongState() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "wrong-state")
      #expect(await login.end() == 6, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"state_mismatch\""))
    }

    @Test(
      "The first of several answers counts, however late the others come",
      arguments: chosen([0, 1, 10, 30, 200], telling: 1, 200))
    func first(_ milliseconds: Int) async throws {
      let desk = try await Desk()
      for redirect in chosen(Self.schemes, at: 0) {
        let login = try desk.login(
          """
          <script>location.href = answer;
          for (let i = 0; i < 30; i++)
            setTimeout(() => { location.href = answer.replace('=T&', '=T2&') }, \(milliseconds) + 20 * i)</script>
          """, redirect: redirect)
        #expect(await login.end() == 0, "\(login.errors)")
        #expect(login.text.hasPrefix("{\"access_token\":\"T\","), "\(login.text)")
        #expect(login.text.split(separator: "\n").count == 1)
      }
    }

    @Test("An answer of 20 megabytes is refused")
    func oversized() async throws {
      let desk = try await Desk()
      let login = try desk.login("<script>location.href = answer + '&x=' + 'A'.repeat(20e6)</script>")
      #expect(await login.end() == 6, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"malformed_callback\""), "\(login.text)")
    }

    @Test("Frames with a wrong state do not end a login", arguments: chosen(schemes, at: 0))
    func frames(_ redirect: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "frames", redirect: redirect)
      let ignored = "ignored a callback of another request"
      #expect(
        await eventually { login.errors.components(separatedBy: ignored).count == 3 }, "\(login.errors)")
      #expect(login.status == nil)
      try desk.letGo()
      #expect(await login.end() == 0, "\(login.errors)")
    }

    /// Actions of a frame that the user clicks. `denial` is the redirect URI with an error and no state.
    static let clicks = [
      "open(denial)", "open('').location = denial", "open('/to?to=' + encodeURIComponent(denial))",
      "const a = document.createElement('a'); a.href = denial; a.target = '_blank'; document.body.append(a); a.click()",
      "const f = document.createElement('form'); f.action = target; f.target = '_blank'; f.innerHTML = '<input name=error value=access_denied>'; document.body.append(f); f.submit()",
      "location.href = denial",
    ]

    @Test(
      "A frame that the user clicks does not end a login, nor does a page that it opens",
      arguments: chosen(clicks, at: 4), chosen(schemes, at: 1))
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
      #expect(login.errors.contains("ignored a callback of another request"), "\(login.errors)")
    }

    @Test("The window tells callbacks of the page from those of a frame, and the page stays where it is")
    func mainFrame() async throws {
      let desk = try await Desk()
      let web = "https://as.example/done"
      let own = "com.example.app:/done"
      let window = try desk.window(
        showing: """
          <body><script>
          const frame = src =>
            document.body.append(Object.assign(document.createElement('iframe'), { src, hidden: true }));
          const page = url => { location.href = url };
          const actions = [];
          for (const redirect of ['\(web)', '\(own)'])
            for (const go of [page, frame])
              for (const prefix of ['/to?to=', '']) {
                const number = actions.length;
                actions.push(() => go(prefix + redirect + (prefix ? '%23' : '#') + number));
              }
          actions.push(() => fetch(`/history-${history.length}-${location.pathname.slice(1)}`));
          document.onclick = () => actions.shift()()</script>
          """, redirects: [web, own])
      try #require(await desk.shows(window), "\(window.text)")
      try await desk.screen.standsStill()
      // WebKit would give up a navigation for the next.
      for number in 0...7 {
        try desk.screen.click()
        let isReported = await eventually { window.callbacks.contains { $0.uri.hasSuffix("#\(number)") } }
        try #require(isReported, "\(number): \(window.text)")
      }
      try desk.screen.click()
      #expect(await desk.isHit("/history-1-html"), "\(desk.requests)")
      // On a busy machine WebKit may first report a navigation of the page as one of a frame.
      let inOrder = {
        let all = window.callbacks
        return all.sorted { $0.uri.last ?? "0" < $1.uri.last ?? "0" }.filter { callback in
          callback.mainFrame == true || !all.contains { $0.uri == callback.uri && $0.mainFrame == true }
        }
      }
      let arePages = [true, true, false, false, true, true, false, false]
      _ = await eventually { inOrder().map(\.mainFrame) == arePages }
      let callbacks = inOrder()
      #expect(callbacks.map(\.uri) == (0...3).map { "\(web)#\($0)" } + (4...7).map { "\(own)#\($0)" })
      #expect(callbacks.map(\.mainFrame) == arePages)
      #expect(!window.text.contains("page_error"), "\(window.text)")
    }

    @Test("A callback of a page that another page has opened is not the main frame's")
    func popup() async throws {
      let desk = try await Desk()
      let redirect = desk.provider + "/done"
      let window = try desk.window(
        showing: """
          <body style="margin:0"><button style="width:100vw;height:100vh">Go on</button><script>
          const opened = '<script>setTimeout(() => { location.href = "\(redirect)?state=S" }, 200)<\\/script>';
          document.querySelector('button').onclick = () => window.open('/html?body=' + encodeURIComponent(opened));
          </script>
          """, redirects: [redirect])
      try #require(await desk.shows(window), "\(window.text)")
      try desk.screen.click()
      try #require(await eventually { !window.callbacks.isEmpty }, "\(window.text)")
      #expect(window.callbacks.map(\.uri) == [redirect + "?state=S"])
      #expect(window.callbacks.map(\.mainFrame) == [false])
      #expect(!desk.requests.contains { $0.contains("/done") }, "\(desk.requests)")
    }

    @Test("A redirect without a fragment inherits the fragment of the page before it, next to its query")
    func fragment() async throws {
      let desk = try await Desk()
      let target = "/to?to=https://as.example/done%3Fcode=C#inherited"
      let window = try desk.window(
        showing: "<script>setTimeout(() => { location.href = '\(target)' }, 100)</script>",
        redirects: ["https://as.example/done"])
      let expected = ["https://as.example/done?code=C#inherited"]
      #expect(await eventually { window.callbacks.map(\.uri) == expected }, "\(window.text)")
    }

    @Test("A page that gives itself the address and title of the redirect URI does not end a login")
    func imitation() async throws {
      let desk = try await Desk()
      try await beforeDeadline { deadline in
        let login = try desk.login(at: "imitation", redirect: desk.provider + "/blank", more: deadline)
        try await inTime(login) { login.errors.contains("info: page of") }
        #expect(await login.end() == 4, "\(login.errors)")
      }
    }
  }
}
