import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Where a page leads nowhere")
  struct RefusalTests {
    /// Where it is shown, the redirect URI that the application names, the one that the provider knows, and what is said
    /// to differ.
    static let addresses = [
      (Desktop.x11, "com.example.app:/done", "com.example.app2:/done", "scheme"),
      (.wayland, "com.example.app:/done", "com.example.app2:/done", "scheme"),
      (.x11, "com.example.app:/done", "com.example.app:/Done", "capitals"),
      (.x11, "com.example.app:/done", "com.example.app:/done/", "slash"),
      (.x11, "https://app.example/done", "https://app.example/done/", "slash"),
      (.x11, "https://app.example/done", "http://app.example/done", "scheme"),
      (.x11, "https://app.example/done", "https://app.example:8443/done", "port"),
      (.x11, "https://app.example/done", "https://app.example/d%6Fne", "escapes"),
      (.x11, "http://127.0.0.1:30008/done", "http://localhost:30008/done", "host"),
    ]

    @Test(
      "A wrong address is shown beside the right one, and never asked for",
      arguments: chosen(addresses, at: 8))
    func address(_ desktop: Desktop, _ redirect: String, _ instead: String, _ difference: String) async throws
    {
      let desk = try await Desk(on: desktop)
      let login = try desk.login(
        at:
          "wrong-address?instead=\(instead.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")",
        redirect: redirect)
      try #require(
        await desk.showsFailure(login, "warning: the provider leads to \(instead), "), "\(login.errors)")
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
      "Whoever goes back from there and gives up, or waits, is told of it all the same",
      arguments: chosen([(.x11, 3), (.x11, 4), (.wayland, 3)] as [(Desktop, Int32)], at: 1, 2))
    func back(_ desktop: Desktop, _ status: Int32) async throws {
      let desk = try await Desk(on: desktop)
      let page =
        "<button autofocus onclick='location.href = \"com.other.app:/done?code=1\"'>Go on"
      try await beforeDeadline { deadline in
        let login = try desk.login(
          at: "html?body=" + (page.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""),
          more: status == 4 ? deadline : [])
        try await inTime(login) { desk.isShowingPage(login) }
        try await desk.seat.standsStill()
        try desk.seat.press("Return")
        try await inTime(login) {
          desk.isShowingFailure(login, "the provider leads to com.other.app:/done")
        }
        let pages = { login.errors.components(separatedBy: "info: page of").count }
        let before = pages()
        try desk.seat.press("alt+b")
        try await inTime(login) { pages() > before }
        try await desk.seat.standsStill()
        try await inTime(login)
        if status == 3 { try desk.seat.press("Escape") }
        #expect(await login.end() == status, "\(login.errors)")
        #expect(
          login.text.contains(status == 3 ? "\"error\":\"cancelled\"" : "\"error\":\"timeout\""),
          "\(login.text)")
        #expect(login.text.contains("\"received\":\"com.other.app:/done\""), "\(login.text)")
      }
    }

    /// Where it is shown, a page, what is said of it, and a member of the details.
    static let answers = [
      (Desktop.x11, "unauthorized", "asks for a password", "\"host\":\"127.0.0.1"),
      (.x11, "attachment", "sends a file (application/x-thing)", "\"type\":\"application/x-thing\""),
      (.x11, "status?status=204", "answers with HTTP 204 and no page", "\"status\":204"),
      (.x11, "status?status=404", "answers with HTTP 404 and no page", "\"status\":404"),
      (.x11, "status?status=503", "answers with HTTP 503", "\"status\":503"),
      (.x11, "status?status=503&body=Down", "answers with HTTP 503", "\"status\":503"),
      (.wayland, "unauthorized", "asks for a password", "\"host\":\"127.0.0.1"),
      (.wayland, "attachment", "sends a file (application/x-thing)", "\"type\":\"application/x-thing\""),
      (.wayland, "status?status=503", "answers with HTTP 503", "\"status\":503"),
    ]

    @Test(
      "What is no page is said to be none, and closing the window ends with that",
      arguments: chosen(answers, at: 0, 8))
    func answer(_ desktop: Desktop, _ page: String, _ words: String, _ member: String) async throws {
      let desk = try await Desk(on: desktop)
      let login = try desk.login(at: page)
      try #require(await desk.showsFailure(login, words), "\(login.errors)")
      try await desk.seat.shoot("window-no-page-\(page.replacing("?", with: "-"))-\(desktop)")
      #expect(!login.errors.contains("info: page of \n"))
      #expect(!login.errors.contains("blank"))
      try desk.seat.press("Escape")
      #expect(await login.end() == 5, "\(login.errors)")
      #expect(login.text.contains("\"error\":\"bad_provider_response\""), "\(login.text)")
      #expect(login.text.contains("\"origin\":\"provider\"") && login.text.contains(member), "\(login.text)")
    }

    @Test(
      "A password is said to be wanted, whichever of WebKit's processes is heard later",
      arguments: chosen([1, 3], telling: 3))
    func late(process: Int) async throws {
      let desk = try await Desk()
      let note = desk.folder + "/late"
      let library = try desk.preload("late.c", "-DNUMBER=\(process)", "-DNOTE=\"\(note)\"")
      let login = try desk.login(at: "unauthorized", variables: library)
      try #require(await desk.showsFailure(login, "asks for a password"), "\(login.errors)")
      #expect(FileManager.default.fileExists(atPath: note), "nothing was heard later")
      try desk.seat.press("Escape")
      #expect(await login.end() == 5, "\(login.errors)")
    }

    @Test("That a picture wants a password is not said of its page, which the user stops")
    func picture() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let page = "<h1>Hello</h1><img src=/unauthorized onerror=\"fetch('/refused')\"><img src=/silent>"
      let login = try desk.login(page, variables: reader.variables)
      try #require(
        await eventually {
          ["refused", "silent"].allSatisfy { path in desk.requests.contains { $0.hasPrefix("GET /\(path) ") }
          }
        }, "\(desk.requests)")
      let shows = { (button: String) in
        try reader.readOurs().contains { $0.isShowing && $0.description == "push button '\(button)'" }
      }
      try #require(try await eventually { try shows("Stop") }, "\(login.errors)")
      try desk.seat.press("ctrl+r")
      try #require(try await eventually { try shows("Reload") }, "\(login.errors)")
      #expect(!login.errors.contains("asks for a password"), "\(login.errors)")
      try desk.seat.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test(
      "Whoever closes a server's failure has not turned the login away, and is asked again at once",
      arguments: chosen(Desktop.allCases, telling: .x11), ["status?status=503&body=Down", "auth"])
    func backOff(_ desktop: Desktop, _ page: String) async throws {
      let desk = try await Desk(on: desktop)
      let store = desk.folder + "/store"
      let login = try desk.login(at: page, "--account", "work", "--store", "file:\(store)")
      let isFailure = page.hasPrefix("status")
      try #require(
        isFailure ? await desk.showsFailure(login, "answers with HTTP 503") : await desk.showsPage(login),
        "\(login.errors)")
      try desk.seat.press("Escape")
      #expect(await login.end() == (isFailure ? 5 : 3), "\(login.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: store)
      let texts = names.compactMap { try? String(contentsOfFile: "\(store)/\($0)", encoding: .utf8) }
      #expect(!texts.joined().isEmpty, "\(names)")
      #expect(texts.joined().contains("\"refused\"") == !isFailure, "\(texts)")
    }

    /// Sizes of screens, and how large texts and windows are there.
    static let low: [(String, [String: String])] = [
      ("800x480", [:]), ("640x480", ["GDK_DPI_SCALE": "2"]), ("1280x800", ["GDK_SCALE": "2"]),
    ]

    @Test(
      "On a low screen every button of such a page can be reached, and the window is no larger than that",
      arguments: chosen(Desktop.allCases, telling: .x11))
    func low(_ desktop: Desktop) async throws {
      // How large windows are is the compositor's word, on Wayland.
      for (size, variables) in Self.low where desktop == .x11 || variables["GDK_SCALE"] == nil {
        // As a tile it begins where the screen does, and has no shadow, so that its own places are the screen's.
        let desk = try await Desk(on: desktop, size: size, layout: .tiles)
        let reader = try await ScreenReader(desk)
        let login = try desk.login(
          at: "wrong-address?instead=com.other%3A%2Fdone",
          variables: reader.variables.merging(variables) { $1 })
        try #require(await desk.showsFailure(login, "the provider leads to"), "\(login.errors)")
        let numbers = size.split(separator: "x").compactMap { Int($0) }
        let cancel = {
          try reader.readOurs().filter { $0.description == "push button 'Cancel'" }.last?.place ?? []
        }
        let isInside = { (place: [Int]) in
          place.count == 4 && place[0] >= 0 && place[1] >= 0 && place[2] > 0
            && (place[0] + place[2]) <= numbers[0] && (place[1] + place[3]) <= numbers[1]
        }
        let frame = try #require(try reader.readOurs().first { $0.role == "frame" })
        #expect(isInside(frame.place), "\(size): \(frame.place)")
        // The focus is on the first button, and what has the focus is scrolled to.
        for _ in 1...2 { try desk.seat.press("Tab") }
        #expect(try await eventually { isInside(try cancel()) }, "\(size)")
        try await desk.seat.shoot("window-low-failure-\(size)-\(desktop)")
        try desk.seat.press("Return")
        #expect(await login.end() == 5, "\(login.errors)")
      }
    }

    @Test("A page that comes after a failure of the server's is a page like others")
    func recovers() async throws {
      let desk = try await Desk()
      let login = try desk.login(
        "<script>location.href = '/status?status=500&body=' + encodeURIComponent("
          + "`<script>setTimeout(() => { location.href = '/auth' }, 300)</scr` + `ipt>`)</script>")
      try #require(
        await eventually { desk.requests.contains { $0.hasPrefix("GET /auth") } }, "\(login.errors)")
      try #require(await desk.showsPage(login))
      try await desk.screen.standsStill()
      try desk.screen.press("Escape")
      #expect(await login.end() == 3, "\(login.errors)")
    }
  }
}
