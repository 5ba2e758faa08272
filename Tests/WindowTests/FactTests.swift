import Foundation
@testable import TestSupport
import Testing

extension WindowPageTests {
  /// More facts about WebKit that the window leans on: these fail when WebKit changes them.
  @Suite("What pages can do, and cannot")
  struct FactTests {
    @Test(
      "However a page goes to the redirect URI, it is a callback and the address is never asked for",
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
    func ways(_ body: String) async throws {
      let desk = try await Desk()
      // Characters that mean something to WebKit's filters.
      let login = try desk.login(body, redirect: desk.provider + "/done.(a+b)*$")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.split(separator: "\n").count == 1)
      #expect(!desk.requests.contains { $0.contains("/done") }, "\(desk.requests)")
    }

    @Test("A second answer that comes late is none")
    func late() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        """
        <script>location.href = answer;
        for (let i = 10; i < 40; i++) setTimeout(() => { location.href = answer.replace('=T&', '=T2&') }, 20 * i)</script>
        """)
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.hasPrefix("{\"access_token\":\"T\","), "\(login.text)")
      #expect(login.text.split(separator: "\n").count == 1)
    }

    @Test(
      "Whether it is the page or a frame that goes there is told, and the page stays where it is"
    )
    func frames() async throws {
      let desk = try await Desk()
      let web = "https://as.example/done"
      let own = "com.example.app:/done"
      let window = try desk.show(
        """
        <body><script>
        const frame = src => document.body.append(Object.assign(document.createElement('iframe'), { src }));
        const page = url => { location.href = url };
        const actions = [];
        for (const redirect of ['\(web)', '\(own)'])
          for (const go of [page, frame])
            for (const prefix of ['/to?to=', '']) {
              const number = actions.length;
              actions.push(() => go(prefix + redirect + (prefix ? '%23' : '#') + number));
            }
        const timer = setInterval(() => {
          if (actions.length) return actions.shift()();
          clearInterval(timer);
          setTimeout(() => fetch(`/history-${history.length}-${location.pathname.slice(1)}`), 800);
        }, 250)</script>
        """, web, own)
      #expect(
        await eventually { desk.requests.contains { $0.hasPrefix("GET /history-1-html ") } },
        "\(desk.requests)")
      // On a busy machine WebKit may take so long with the page's own that it is taken for a frame's at first.
      let inOrder = {
        let all = window.callbacks
        return all.sorted { $0.uri.last ?? "0" < $1.uri.last ?? "0" }.filter { callback in
          callback.mainFrame == true || !all.contains { $0.uri == callback.uri && $0.mainFrame == true }
        }
      }
      _ = await eventually { inOrder().count == 8 }
      let told = inOrder()
      #expect(told.map(\.uri) == (0...3).map { "\(web)#\($0)" } + (4...7).map { "\(own)#\($0)" })
      #expect(told.map(\.mainFrame) == [true, true, false, false, true, true, false, false])
      #expect(!window.text.contains("page_error"), "\(window.text)")
    }

    @Test("A page that another has opened goes to the redirect URI no more than the first")
    func popup() async throws {
      let desk = try await Desk()
      let redirect = desk.provider + "/done"
      let window = try desk.show(
        """
        <body style="margin:0"><button style="width:100vw;height:100vh">Go on</button><script>
        const opened = '<script>setTimeout(() => { location.href = "\(redirect)?state=S" }, 200)<\\/script>';
        document.querySelector('button').onclick = () => window.open('/html?body=' + encodeURIComponent(opened));
        </script>
        """, redirect)
      try #require(
        await eventually {
          window.text.contains("\"main_frame_loaded\":true") && desk.screen.shows("Sign in")
        }, "\(window.text)")
      try desk.screen.click()
      try #require(await eventually { !window.callbacks.isEmpty }, "\(window.text)")
      #expect(window.callbacks.map(\.uri) == [redirect + "?state=S"])
      #expect(window.callbacks.map(\.mainFrame) == [false])
      #expect(!desk.requests.contains { $0.contains("/done") }, "\(desk.requests)")
    }

    @Test("A wrong state ends the login as untrusted if it is the page's own")
    func wrongState() async throws {
      let desk = try await Desk()
      let login = try desk.login("<script>location.href = answer.replace(/state=.*/, 'state=other')</script>")
      #expect(await login.end() == 6, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"state_mismatch\""))
    }

    @Test("What a page may ask of a browser it does not get, and it goes on")
    func denials() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        """
        <script>
        const tell = (what, answer) => fetch(`/${what}-${answer}`);
        tell('confirm', confirm('?')); tell('prompt', prompt('?'));
        tell('open', window.open('/other'));
        tell('credentials', typeof navigator.credentials + typeof window.PublicKeyCredential);
        tell('media', typeof navigator.mediaDevices);
        navigator.geolocation?.getCurrentPosition(() => tell('place', 'known'), () => tell('place', 'denied'));
        navigator.clipboard?.readText().then(() => tell('clipboard', 'known'), () => tell('clipboard', 'denied'));
        window.Notification?.requestPermission().then(answer => tell('notification', answer));
        for (const url of ['mailto:a@b.example', 'tel:1', 'intent:x', 'view-source:https://as.example/', 'resource:///x',
            'inspector://127.0.0.1:1/', 'data:text/html,x', 'blob:x', 'ftp://as.example/', 'about:config', 'webkit://gpu'])
          document.write(`<iframe src="${url}"></iframe>`);
        let urls = ['mailto:a@b.example', 'tel:1', 'intent:x', 'view-source:https://as.example/', 'webkit://gpu', 'javascript:1'];
        const timer = setInterval(() => {
          if (urls.length) return location.href = urls.pop();
          clearInterval(timer);
          tell('end', document.readyState);
          setTimeout(() => { location.href = answer }, 500);
        }, 50)</script>
        """)
      #expect(await login.end() == 0, "\(login.errors)")
      let paths = desk.requests.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
      for path in [
        "/confirm-false", "/prompt-null", "/open-null", "/credentials-undefinedundefined", "/place-denied",
        "/clipboard-denied", "/notification-denied",
      ] {
        #expect(paths.contains(path), "\(path): \(paths)")
      }
      #expect(!paths.contains("/other"))
    }

    @Test("A link to a program for mail or for calls is nobody's mistake, and the page stays")
    func otherPrograms() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        """
        <script>
        setTimeout(() => { location.href = 'mailto:a@b.example' }, 100);
        setTimeout(() => { location.href = 'tel:1' }, 400);
        setTimeout(() => { location.href = answer }, 1000)</script>
        """)
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(!login.errors.contains("which is not the redirect URI"), "\(login.errors)")
    }

    @Test(
      "A redirect without a fragment inherits the one of the page before it, so that channels are never merged"
    )
    func fragment() async throws {
      let desk = try await Desk()
      let window = try desk.show(
        "<script>setTimeout(() => { location.href = '/to?to=https://as.example/done%3Fcode=C#inherited' }, 100)</script>",
        "https://as.example/done")
      #expect(
        await eventually {
          window.callbacks.map(\.uri) == ["https://as.example/done?code=C#inherited"]
        }, "\(window.text)")
    }
  }
}

extension Desk {
  /// A login at a page of the test's own.
  func login(_ body: String, redirect: String) throws -> Program {
    try login(at: "html?body=" + Self.encoded(body), redirect: redirect)
  }

  /// A login at a page of the test's own.
  func login(
    _ body: String, more: [String] = [], variables: [String: String] = [:]
  ) throws -> Program {
    try login(at: "html?body=" + Self.encoded(body), more: more, variables: variables)
  }

  /// What a page has a button or field with that takes the keyboard and tells that it has: what is pressed before goes
  /// nowhere.
  static let autofocus = "autofocus onfocus='fetch(`/ready`)'"

  /// Whether a page has told that it has the keyboard, or is ready for it.
  var isReady: Bool { requests.contains { $0.hasPrefix("GET /ready ") } }

  /// The window's own program with a page of the test's own.
  func show(_ body: String, _ redirects: String..., variables: [String: String] = [:]) throws -> Program {
    let window = try window(variables)
    let list = redirects.map { "\"\($0)\"" }.joined(separator: ",")
    try window.write(
      "{\"open\":{\"url\":\"\(provider)/html?body=\(Self.encoded(body))\",\"redirect_uris\":[\(list)]}}\n")
    return window
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}

extension Program {
  /// The callbacks that the window's own program has told of.
  var callbacks: [(uri: String, mainFrame: Bool?)] {
    text.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Any]]
      guard let callback = object?["callback"], let uri = callback["uri"] as? String else { return nil }
      return (uri, callback["main_frame"] as? Bool)
    }
  }
}
