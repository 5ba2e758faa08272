import Foundation
import GLibSupport
import Language
import LoginCore
@testable import SignIn
@testable import TestSupport
import Testing
import WindowProtocol

extension WindowTests {
  @Suite("A window that shows a code or asks for an answer, without a web page")
  struct OwnPageTests {
    @Test(
      "Every element has a name and a role, and no control is only for web pages",
      arguments: [true, false])
    func names(isDevice: Bool) async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.ownWindow(isDevice ? "device" : "paste", reader.variables)
      let parts =
        ["dialog 'Mail'", "push button 'Cancel'", "push button 'Open in Browser'"]
        + (isDevice ? Self.deviceParts : Self.pasteParts)
      #expect(try await reader.missing(parts, withPage: true) == [], "\(window.text)")
      let shown = try reader.elements(withPage: true).filter(\.isShowing)
      let nameless = shown.filter { $0.name == "" && Self.namedRoles.contains($0.role) }
      #expect(nameless.isEmpty, "\(nameless)")
      let names = shown.map(\.name)
      #expect(!["Reload", "Stop", "Back", "Loading"].contains(where: names.contains), "\(names)")
      #expect(!shown.contains { $0.role == "scroll pane" && $0.states.contains("focusable") })
      if isDevice {
        let spoken = shown.first { $0.name == "Open in Browser" }?.details ?? ""
        #expect(spoken.hasSuffix("\(Desk.deviceAddress) WDJB-MJHT"), "\(spoken)")
      }
      try desk.seat.press("Escape")
      let loss = isDevice ? "The code will stop working." : "The browser's answer won't be taken."
      #expect(try await reader.isShown("Cancel signing in? \(loss)"), "\(window.text)")
      try desk.seat.press("Escape")
      for (question, parts) in [(Self.choice, Self.choiceParts), (Self.pin, Self.pinParts)] {
        try window.write(WindowCommand.ask(question).line)
        #expect(try await reader.missing(parts, withPage: true) == [], "\(window.text)")
      }
    }

    private static let choice = Question.choice(of: ["anna_1 (card)", "ben"], for: "as.example")
    private static let pin = Question.pin(
      of: "anna", for: "as.example", PINFlags(wasWrong: true, leavesFewTries: true, isLastTry: true))
    private static let choiceParts = [
      "heading 'Choose a certificate'", "push button 'anna_1 (card)'", "push button 'ben'",
      "push button 'Continue Without Certificate'",
    ]
    private static let pinParts = [
      "heading 'Enter your PIN'", "password text 'PIN'", "push button 'Continue'",
      "alert 'That PIN is wrong. This is the last try: another wrong PIN locks the card.'",
    ]
    private static let deviceParts = [
      "heading 'Sign in on another device'", "image 'QR code of the address'",
      "label '\(Desk.deviceAddress)'",
      "push button 'Copy Address'", "label 'WDJB-MJHT'", "push button 'Copy Code'",
      "label 'This code expires in 15 minutes.'",
    ]
    private static let pasteParts = [
      "heading 'Continue in your browser'", "password text 'Code or address'", "push button 'Continue'",
      "push button 'Copy Link'", "check box 'Show'",
    ]
    private static let namedRoles = [
      "dialog", "push button", "toggle button", "image", "heading", "password text",
    ]

    @Test(
      "The main control has the focus first, and the Tab key reaches the others",
      arguments: chosen([true, false], telling: false))
    func tab(isDevice: Bool) async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let focus = try await reader.watchFocus()
      let window = try desk.ownWindow(isDevice ? "device" : "paste", reader.variables)
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      let first = isDevice ? "push button 'Open in Browser'" : "password text 'Code or address'"
      // The first focus may come before the window knows of the listener, so the states are read.
      #expect(
        try await eventually {
          try reader.elements(withPage: true).filter { $0.states.contains("focused") }.map(\.description)
            == [first]
        }, "\(focus.text)")
      for _ in 1...6 {
        try desk.screen.press("Tab")
        try await Task.sleep(for: .milliseconds(100))
      }
      let order =
        isDevice
        ? ["Cancel", Desk.deviceAddress, "Copy Address", "WDJB-MJHT", "Copy Code", "Open in Browser"]
        : ["Continue", "Open in Browser", "Copy Link", "Cancel", "Code or address"]
      let names = {
        focus.text.split(separator: "\n").map { $0.split(separator: "|").last.map(String.init) ?? "" }
      }
      #expect(
        await eventually {
          var rest = order[...]
          for name in names() where name == rest.first { rest.removeFirst() }
          return rest.isEmpty
        }, "\(names())")
    }

    @Test("The window fits on a low screen", arguments: chosen(["device", "paste"], telling: "device"))
    func low(page: String) async throws {
      let desk = try await Desk(size: "800x480")
      let window = try desk.ownWindow(page)
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      try await desk.screen.shoot("window-own-low-\(page)")
      let place = try #require(desk.screen.place(of: "Mail"))
      #expect(place.height <= 480, "\(place)")
    }

    @Test("With large text on a narrow screen, the code breaks rather than the page be wider than the screen")
    func narrow() async throws {
      let desk = try await Desk(size: "360x640")
      let window = try desk.ownWindow("device", ["GDK_DPI_SCALE": "2"])
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      try await desk.seat.standsStill()
      try await desk.screen.shoot("window-own-narrow")
      let place = try #require(desk.screen.place(of: "Mail"))
      #expect(place.width <= 360, "\(place)")
    }

    @Test("A window without web pages has room for the lines into which large text wraps")
    func wrapped() async throws {
      let desk = try await Desk(size: "480x760")
      let reader = try await ScreenReader(desk)
      let window = try desk.window(reader.variables.merging(["GDK_DPI_SCALE": "2"]) { $1 })
      let question = Question(
        .warning, "The code has expired", "Get a new code to continue.",
        buttons: [Question.Button("again", "Get a _New Code")])
      let opening = WindowOpening(url: nil, redirectURIs: [])
      try window.write(WindowCommand.open(opening).line + WindowCommand.ask(question).line)
      let parts = ["label 'Get a new code to continue.'", "push button 'Get a New Code'"]
      try #require(try await reader.missing(parts, withPage: true) == [], "\(window.text)")
      try await desk.seat.standsStill()
      let elements = try reader.elements(withPage: true)
      let places = parts.compactMap { part in elements.first { $0.description == part }?.place }
      #expect(places.count == 2 && places[0][1] + places[0][3] <= places[1][1], "\(places)")
    }

    @Test("The address of a new code, which gets the keyboard for a moment, is not selected")
    func renewed() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.ownWindow("device", reader.variables)
      let code = "label 'WDJB-MJHT'"
      try #require(try await reader.isShown(code, withPage: true), "\(window.text)")
      let expired = Question("The code has expired")
      try window.write(WindowCommand.ask(expired).line)
      try #require(try await reader.isGone(code), "\(window.text)")
      try window.write(WindowCommand.ask(Desk.question("device")).line)
      try #require(try await reader.isShown(code, withPage: true), "\(window.text)")
      let selected = try reader.elements(withPage: true).filter { $0.states.contains("selected-text") }
      #expect(selected.isEmpty, "\(selected)")
    }

    @Test("Keys for web pages have no effect, and Ctrl+B opens the browser")
    func keys() async throws {
      let desk = try await Desk()
      let window = try desk.ownWindow("device")
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      for key in ["F5", "ctrl+r", "F10", "alt+Left", "ctrl+plus", "ctrl+b"] { try desk.screen.press(key) }
      #expect(
        await eventually { window.text.hasSuffix("{\"switch\":{\"to\":\"browser\"}}\n") }, "\(window.text)")
      #expect(window.text.split(separator: "\n").count == 2)
      #expect(Processes.names(inGroup: window.identifier) == ["tokentry-window"])
      // The code is shown, so the login is under way.
      #expect(try await desk.leaves { window.text.contains("{\"closed\":{\"by\":\"user\"}}") })
    }

    @Test("The window appears with the first code or question, and a second one replaces the first")
    func order() async throws {
      let desk = try await Desk()
      let window = try desk.window()
      try window.write("{\"open\":{\"redirect_uris\":[],\"title\":\"Mail\"}}\n{\"raise\":true}\n")
      try #require(await eventually { window.text.contains("ready") })
      #expect(!desk.screen.shows("Mail"))
      try window.write(WindowCommand.ask(Desk.question("device")).line)
      try #require(await eventually { desk.screen.shows("Mail") }, "\(window.text)")
      try window.write(WindowCommand.ask(Desk.question("paste")).line)
      try await desk.screen.shoot("window-own-after-another")
      let isAnswered = { (answer: Question.Answer) async in
        await eventually { window.text.hasSuffix(WindowEvent.answered(answer).line) }
      }
      try desk.screen.type("pasted")
      try desk.screen.press("Return")
      #expect(await isAnswered(Question.Answer(button: "continue", text: "pasted")), "\(window.text)")
      try window.write(WindowCommand.ask(Self.choice).line)
      try await desk.screen.shoot("window-own-choice")
      try desk.screen.press("Return")
      #expect(await isAnswered(Question.Answer(choice: 0)), "\(window.text)")
      // The question has its answer, so this must not answer the next one.
      try desk.screen.press("Return")
      try await desk.screen.standsStill()
      try window.write(WindowCommand.ask(Self.pin).line)
      try await desk.screen.shoot("window-own-pin")
      try desk.screen.press("Return")  // an empty PIN would only cost a try
      try desk.screen.type("1234")
      try desk.screen.press("Return")
      #expect(await isAnswered(Question.Answer(button: "continue", text: "1234")), "\(window.text)")
      try window.write(WindowCommand.ask(Self.pin).line)
      try await desk.screen.standsStill()
      try desk.screen.type("1234")
      try desk.screen.press("alt+w")
      #expect(await isAnswered(Question.Answer(button: "without")), "a PIN that was typed before is not used")
      #expect(window.text.components(separatedBy: "answered").count == 5, "\(window.text)")
      try window.write("{\"accept\":true}\n")
      #expect(await window.end() != nil)
    }
  }

  @Suite("A window that takes a pasted answer")
  struct PasteTests {
    @Test(
      "The browser opens, and the window takes the address of its last page, even after wrong texts",
      arguments: chosen(["browser", "paste"], telling: "paste"))
    func address(agent: String) async throws {
      let desk = try await Desk()
      let browser = try desk.browser("echo \"$1\" >\"$(dirname \"$0\")/opened\"")
      let login = try desk.login(
        at: "auth", "--way", agent, "--state", "S", "--browser", browser, more: optionsFile(["title": "Mail"])
      )
      try #require(await eventually { desk.screen.shows("Mail") }, "\(login.errors)")
      let window = try #require(Processes.window(of: login))
      #expect(
        await eventually { login.errors.contains("the page was sent to your browser") }, "\(login.errors)")
      let opened = try String(contentsOfFile: desk.folder + "/opened", encoding: .utf8)
      #expect(opened.hasPrefix("\(desk.provider)/auth?"))
      #expect(Processes.names(inGroup: window) == ["tokentry-window"])
      try await desk.screen.shoot("window-paste")
      for wrong in ["two words", "\(Desk.redirect)#access_token=OLD&state=old"] {
        try desk.screen.type(wrong)
        try desk.screen.press("Return")
        try await desk.screen.standsStill()
        #expect(login.status == nil)
      }
      try await desk.screen.shoot("window-paste-again")
      try desk.screen.type("\(Desk.redirect)#access_token=PASTED&token_type=Bearer&state=S")
      try desk.screen.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"access_token\":\"PASTED\""))
      #expect(await eventually(within: soon) { Processes.names(inGroup: window).isEmpty })
      #expect(await eventually { !desk.screen.shows("Mail") })
      #expect(desk.requests == [], "only the browser opens a page")
    }

    @Test("If the provider shows a code, the window takes the code")
    func code() async throws {
      let desk = try await Desk()
      let server = try StandInServer { _, _ in .json(#"{"access_token":"T","token_type":"Bearer"}"#) }
      let login = try desk.tokentry([
        "login", "--endpoint", "authorization=\(server.base)/auth", "--endpoint",
        "token=\(server.base)/token",
        "--client-id", "me", "--redirect-uri", "urn:ietf:wg:oauth:2.0:oob", "--browser", "true",
      ])
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(login.errors)")
      try desk.screen.type("4/abc-DEF")
      try desk.screen.press("Return")
      #expect(await login.end() == 0, "\(login.errors)")
      #expect(login.text.contains("\"access_token\":\"T\""))
      #expect(server.requests.last?.form["code"] == "4/abc-DEF")
    }

    @Test(
      "Esc after a question and the close button cancel the login, and the deadline ends it",
      arguments: chosen(["Escape", "close", ""], telling: "close"))
    func ended(how: String) async throws {
      let desk = try await Desk()
      try await beforeDeadline { deadline in
        let login = try desk.login(
          at: "auth", "--way", "browser", "--browser", "false", more: how.isEmpty ? deadline : [])
        try await inTime(login) {
          desk.screen.shows("Sign in") && login.errors.contains("open this page in a browser: ")
        }
        switch how {
        case "Escape": for key in ["Escape", "Tab", "Return"] { try desk.screen.press(key) }
        case "close": try desk.screen.close("Sign in")
        default: try await desk.screen.shoot("window-paste-no-browser")
        }
        #expect(await login.end() == (how.isEmpty ? 4 : 3), "\(login.errors)")
        if how.isEmpty { try desk.screen.close("Sign in") }  // the window that says why
        #expect(await eventually { !desk.screen.shows("Sign in") })
      }
    }

    @Test("The link can be copied for a browser elsewhere")
    func link() async throws {
      let desk = try await Desk()
      let login = try desk.login(at: "auth", "--way", "paste", "--state", "S", "--browser", "true")
      try #require(await eventually { desk.screen.shows("Sign in") }, "\(login.errors)")
      try desk.screen.press("alt+l")
      #expect(
        try await desk.screen.copies(
          "\(desk.provider)/auth?response_type=token&client_id=me"
            + "&redirect_uri=https%3A%2F%2Foauth.vk.com%2Fblank.html&state=S"))
      login.end(SIGTERM)
      #expect(await login.end() == 3, "\(login.errors)")
    }

    @Test("`tokentry explain` says that a window takes the answer or shows the code")
    func explained() async throws {
      let desk = try await Desk()
      for (options, reason) in [
        (["--way", "paste"], "it was requested, and the answer is pasted into a window"),
        (["--way", "browser"], "it was requested, and the answer is pasted into a window"),
        (["--grant", "device"], "the grant is device, and a window shows the code"),
        (["--way", "device"], "it was requested, and a window shows the code"),
      ] {
        let explain = try desk.tokentry(
          [
            "explain", "--endpoint", "authorization=https://as.example/a", "--endpoint",
            "token=https://as.example/t", "--endpoint", "device_authorization=https://as.example/d",
            "--client-id",
            "me", "--redirect-uri", Desk.redirect,
          ] + options)
        #expect(await explain.end() == 0, "\(explain.errors)")
        #expect(explain.text.contains("\"way_reason\":\"\(reason)\""), "\(explain.text)")
      }
    }
  }
}

extension Desk {
  static let deviceAddress = "https://as.example/device"

  /// Starts the window's program with a page of its own: `device` or `paste`.
  func ownWindow(_ page: String, _ variables: [String: String] = [:]) throws -> Program {
    let window = try window(variables)
    let opening =
      #"{"open":{"url":"https://as.example/auth","redirect_uris":[],"title":"Mail","ways":["browser"]}}"#
    try window.write("\(opening)\n" + WindowCommand.ask(Self.question(page)).line)
    return window
  }

  /// The question of a page: `device` or `paste`.
  static func question(_ page: String) -> Question {
    if page == "paste" {
      return .paste(true, comesBack: false, nil, showsPages: false, opensBrowser: true)
    }
    var instruction = DeviceInstruction(userCode: "WDJB-MJHT", verificationURI: deviceAddress)
    (instruction.secondsLeft, instruction.picture) = (898, CodePicture(qrCodeOf: deviceAddress))
    return .code(instruction, opensBrowser: true)
  }
}
