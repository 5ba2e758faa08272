import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Features that pages have, and features that they lack")
  struct PageFeatureTests {
    @Test("A page goes on when the features of a browser that it asks for are denied")
    func denials() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        """
        <script>
        const tell = (what, answer) => fetch(`/${what}-${answer}`);
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
      for path in [
        "/open-null", "/credentials-undefinedundefined", "/place-denied",
        "/clipboard-denied", "/notification-denied",
      ] {
        #expect(desk.hits(path) > 0, "\(path): \(desk.requests)")
      }
      #expect(desk.hits("/other") == 0)
    }

    @Test("Messages, questions and wishes of a page are shown above it, and the page waits for the answer")
    func messages() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.window(
        showing: """
          <input type=file id=file><input \(Desk.autofocus)><script>
          const tell = (what, answer) => fetch(`/${what}-${answer}`), ask = {
          F2() { tell('said', alert('Wrong\\n<b>password</b>')); tell('said', confirm('Sure?')); tell('said', confirm('Sure?'));
            tell('said', prompt('Code?', '12')); tell('said', prompt('Code?')) },
          F3() { print() }, F4() { file.click() }, F7() { for (;;) alert('again') } }
          onkeydown = event => ask[event.key]?.()</script>
          """, variables: reader.variables)
      try #require(await desk.takesKeys(), "\(window.text)")
      for (key, text) in [
        ("F3", "This window can't print."), ("F4", "This window can't upload files."),
      ] {
        try desk.seat.press(key)
        #expect(try await reader.isShown(text), "\(window.text)")
      }
      let host = desk.provider.replacing("http://", with: "")
      try desk.seat.press("F2")
      for (text, keys, answer) in [
        ("Wrong <b>password</b>", ["Return"], "undefined"), ("Sure?", ["Return"], "true"),
        ("Sure?", ["Escape"], "false"), ("Code?", ["3", "Return"], "3"), ("Code?", ["Escape"], "null"),
      ] {
        try #require(try await reader.isShown("\(host) says: \(text)"), "\(text): \(window.text)")
        try await desk.seat.shoot("window-said-\(answer)")
        for key in keys { try desk.seat.press(key) }
        #expect(await desk.isHit("/said-\(answer)"), "\(desk.requests)")
      }
      try desk.seat.press("F7")
      try #require(try await reader.isShown("push button 'Block More Messages'"), "\(window.text)")
      #expect(
        try await desk.leaves(by: "ctrl+w") { window.text.contains("\"closed\":{\"by\":\"user\"}") },
        "\(window.text)")
    }

    @Test("A message of the window does not move the page, which the user may be about to click")
    func standsStill() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.window(
        showing: "<input \(Desk.autofocus)><button>Go on</button><script>onkeydown = () => print()</script>",
        variables: reader.variables)
      try #require(await desk.takesKeys(), "\(window.text)")
      let place = {
        try reader.elements(withPage: true).first { $0.description == "push button 'Go on'" }?.place
      }
      let before = try #require(try place())
      try desk.seat.type("a")
      #expect(try await reader.isShown("This window can't print."), "\(window.text)")
      #expect(try place() == before)
    }

    @Test(
      "A page that speaks without end can be silenced, and downloads and navigations to files have no effect")
    func hostile() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "hostile")
      try #require(await desk.showsPage(login), "\(login.errors)")
      // The first message has one button. The second one has a button against more of them.
      for key in ["Return", "alt+m"] {
        try await desk.seat.standsStill()
        try desk.seat.press(key)
      }
      #expect(await desk.isHit("/attachment"))
      try desk.letGo()
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(desk.filesAtHome == [])
    }

    @Test(
      "A download is refused aloud, also one that a script makes or that a closed page has begun",
      arguments: [true, false])
    func downloads(offersBrowser: Bool) async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let page = """
        <h1>Recovery codes</h1><p>1: K7QX-2MPA<p>2: 9TRE-LL0C<p><input \(Desk.autofocus)><script>
        const click = (href, download) => {
          const link = Object.assign(document.createElement('a'), {href});
          if (download) link.download = download;
          document.body.append(link);
          link.click();
          link.remove();
        }, ask = {
          F1() { click('data:text/plain;charset=utf-8,1', 'codes.txt') },
          F2() { click(URL.createObjectURL(new Blob(['1'], {type: 'text/plain'})), 'codes.txt') },
          F3() { click('/html?body=1', 'codes.html') }, F4() { click('/attachment', 'codes.bin') },
          F6() { const frame = document.createElement('iframe'); frame.src = '/attachment'; document.body.append(frame) },
          F7() { const popup = window.open(); popup.document.write('<p>1'); popup.document.close(); popup.print(); popup.close() } }
        onkeydown = event => { if (event.key === 'F9') location.reload(); else ask[event.key]?.() }</script>
        """
      let window = try desk.window(
        at: "html?body=" + page.percentEncoded, offersBrowser ? ["ways": ["browser"]] : [:],
        variables: reader.variables)
      let save =
        offersBrowser
        ? "This window can't save files. Copy what you need, or open the page in your browser."
        : "This window can't save files. Copy what you need."
      let keys = ["F1", "F2", "F3", "F4", "F6", "F7"]
      for (count, key) in (offersBrowser ? keys : ["F1"]).enumerated() {
        try #require(await eventually { desk.hits("/ready") > count && desk.seat.shows("Sign in") })
        try await desk.seat.standsStill()
        try desk.seat.press(key)
        let text = key == "F7" ? "This window can't print." : save
        #expect(try await reader.isShown(text), "\(key): \(window.text)")
        #expect(try reader.shows("push button 'Open in Browser'") == offersBrowser)
        if key == "F1" { try await desk.seat.shoot("window-download-\(offersBrowser ? "browser" : "only")") }
        try desk.seat.press("F9")
        #expect(
          try await eventually {
            // The page that closes may still have got the key.
            if key == "F7" { try desk.seat.press("F9") }
            return try !reader.shows(text)
          })
      }
      #expect(desk.filesAtHome == [])
    }

    @Test("A link to a mail or telephone program leaves the page in place, without a warning")
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
      "A page may open another one, which ends the login or sends the first page a message",
      arguments: chosen(["popup", "popup-closes"], telling: "popup-closes"))
    func opens(_ page: String) async throws {
      let desk = try await Desk()
      let login = try desk.login(at: page)
      try #require(await desk.showsPage(login))
      try desk.screen.click()
      #expect(await login.end() == 0, "\(login.errors)")
    }

    @Test("A failure of a page behind another one is shown once the other one is closed")
    func underneath() async throws {
      let desk = try await Desk()
      let window = try desk.window(
        showing: """
          <button \(Desk.autofocus) onclick="const other = window.open('/other');
          setTimeout(() => { location.href = 'http://127.0.0.1:30009/' }, 500);
          setTimeout(() => { other.close() }, 1500)">Go on</button>
          """)
      try #require(await desk.takesKeys())
      try desk.seat.press("Return")
      let failure = "\"page_error\":{\"kind\":\"connection\""
      #expect(await eventually { window.text.contains(failure) }, "\(window.text)")
    }

    @Test("A page that closes itself behind the page that it opened does not come back")
    func closedUnderneath() async throws {
      let desk = try await Desk()
      let page = { (script: String, name: String) in
        "<button autofocus onfocus=\"fetch('/\(name)')\" onclick=\"\(script)\">Go on</button>"
      }
      let open = { (page: String) in "window.open('/html?body=\(page.percentEncoded)')" }
      let last = page("window.close()", "last")
      let middle = page(open(last) + "; setTimeout(() => window.close(), 500)", "middle")
      let window = try desk.window(showing: page(open(middle), "ready"))
      try #require(await eventually { desk.hits("/ready") > 0 && desk.seat.shows("Sign in") })
      for name in ["/middle", "/last"] {
        try await desk.seat.standsStill()
        try desk.seat.press("Return")
        try #require(await eventually { desk.hits(name) == 1 }, "\(desk.requests)\(window.text)")
      }
      // By now the page in the middle has closed itself.
      try await Task.sleep(for: .seconds(1))
      try desk.seat.press("Return")
      try await desk.seat.standsStill()
      try desk.seat.press("Return")
      #expect(await eventually { desk.hits("/middle") == 2 }, "\(desk.requests)\(window.text)")
    }
  }
}
