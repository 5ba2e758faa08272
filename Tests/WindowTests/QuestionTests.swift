import Foundation
@testable import TestSupport
import Testing
import WindowProtocol

extension WindowTests {
  @Suite("A window that asks for permission")
  struct QuestionTests {
    private static let words = [
      "A program on \u{2068}build.example\u{2069}, over ssh, wants to use your account \"\u{2068}work\u{2069}\" "
        + "at \u{2068}https://api.example\u{2069}.",
      "While you are connected, others with your login on \u{2068}build.example\u{2069} can do this, too.",
    ]

    /// Starts the window's program with a question.
    private func ask(
      _ desk: Desk, offersHour: Bool = false, _ variables: [String: String] = [:]
    ) throws -> Program {
      let window = try desk.window(variables)
      var question = Question("Allow access?")
      question.paragraphs = Self.words
      (question.icon, question.isGuarded) = (.password, true)
      question.buttons = [("refuse", "_Don't Allow"), ("once", "Allow _Once")].map(Question.Button.init)
      if offersHour { question.buttons.append(Question.Button("hour", "Allow for 1 _Hour")) }
      var opening = WindowOpening(url: nil, redirectURIs: [])
      opening.options.title = "Tokentry"
      try window.write(WindowCommand.open(opening).line + WindowCommand.ask(question).line)
      return window
    }

    /// Waits until the window says that the question can be answered.
    private func takesAnswers(_ window: Program) async -> Bool {
      await eventually { window.text.contains("{\"painted\":{}}\n") }
    }

    /// Without an answer the user closes the window.
    private func answers(_ window: Program, _ answer: String?) async -> Bool {
      let event = answer.map { WindowEvent.answered(Question.Answer(button: $0)) }
      let line = (event ?? .closed(by: .user, fault: nil)).line
      return await eventually { window.text.hasSuffix(line) && (answer != nil || window.status != nil) }
    }

    @Test("A key of the first half second does not answer")
    func early() async throws {
      let desk = try await Desk()
      let window = try ask(desk)
      try #require(await eventually { desk.screen.shows("Tokentry") }, "\(window.text)")
      // The program gets this key late, as on a busy machine, unless the question could be answered before.
      kill(window.identifier, SIGSTOP)
      try await Task.sleep(for: .milliseconds(200))
      if !window.text.contains("painted") { try desk.screen.press("space") }
      try await Task.sleep(for: .milliseconds(300))
      kill(window.identifier, SIGCONT)
      try #require(await takesAnswers(window), "\(window.text)")
      try desk.screen.press("alt+o")
      #expect(await answers(window, "once"), "\(window.text)")
    }

    @Test(
      "The refusal has the keyboard, and a user may leave, without a process for web pages",
      arguments: chosen(
        [
          ("Return", "refuse"), ("space", "refuse"), ("alt+h", "hour"), ("Escape", nil), ("ctrl+w", nil),
          ("", nil),
        ] as [(String, String?)], at: 0, 3))
    func answered(key: String, answer: String?) async throws {
      let desk = try await Desk()
      let window = try ask(desk, offersHour: true)
      var hidden = ContinuousClock.now
      _ = await eventually {
        let now = ContinuousClock.now
        if desk.screen.shows("Tokentry") { return true }
        hidden = now
        return false
      }
      try #require(await takesAnswers(window), "\(window.text)")
      #expect(ContinuousClock.now - hidden >= .milliseconds(500))
      #expect(Processes.names(inGroup: window.identifier) == ["tokentry-window"])
      if key.isEmpty { try desk.screen.close("Tokentry") } else { try desk.screen.press(key) }
      #expect(await answers(window, answer), "\(window.text)")
    }

    @Test("A screen reader reads all of it, even while a key is held down that was meant for another window")
    func names() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      // X11 repeats it when the question already takes keys.
      try desk.screen.run("xdotool", "keydown", "Return")
      let window = try ask(desk, reader.variables)
      #expect(
        try await reader.missing(["dialog 'Tokentry'", "push button 'Don't Allow'"], withPage: true) == [])
      let shown = try reader.elements(withPage: true).filter(\.isShowing)
      let words = """
        A program on build.example, over ssh, wants to use your account "work" at https://api.example. While you are \
        connected, others with your login on build.example can do this, too.
        """
      #expect(shown.first { $0.description == "alert 'Allow access?'" }?.details == words)
      #expect(shown.first { $0.states.contains("focused") }?.name == "Don't Allow")
      #expect(shown.first { $0.name == "Don't Allow" }?.details == words)
      #expect(!shown.contains { $0.name == "Allow for 1 Hour" })
      #expect(!shown.contains { $0.name == "Cancel" }, "there is one way to say no")
      try await desk.screen.shoot("window-question")
      #expect(window.text.hasPrefix("{\"ready\":{\"protocol\":1}}\n") && !window.text.contains("answered"))
      try desk.screen.run("xdotool", "keyup", "Return")
      try #require(await takesAnswers(window), "\(window.text)")
      try window.write("{\"cancel\":true}\n")
      #expect(
        await eventually { window.text.hasSuffix("{\"closed\":{\"by\":\"caller\"}}\n") }, "\(window.text)")
    }

    @Test("An agent asks before it gives a token; a question whose program has gone closes; a refusal holds")
    func agent() async throws {
      let desk = try await Desk()
      let store = ["--store", "file:\(desk.folder)/accounts"]
      let login = try desk.login(
        at: "x", "--headless-test", "--navigations", "-", "--state", "S", "--account", "work", more: store)
      try login.write("\(Desk.redirect)#access_token=T&token_type=bearer&state=S\n")
      try login.closeInput()
      #expect(await login.end() == 0, "\(login.errors)")
      let agent = try desk.tokentry(["agent"] + store)
      try #require(await eventually { agent.text.contains("socket") }, "\(agent.errors)")
      let token = ["token", "--account", "work", "--store", "agent:"]
      func ask() async throws -> Program {
        let program = try desk.tokentry(token)
        try #require(await eventually { desk.screen.shows(#"Allow access\?"#) }, "\(program.errors)")
        return program
      }
      // A key counts only after half a second without one.
      func answer(_ program: Program, _ key: String) async throws -> Int32? {
        while program.status == nil {
          try await Task.sleep(for: .milliseconds(600))
          if program.status == nil { try desk.screen.press(key) }
        }
        return await program.end()
      }
      let gone = try await ask()
      gone.end(SIGTERM)
      #expect(await eventually { !desk.screen.shows(#"Allow access\?"#) })
      let allowed = try await ask()
      #expect(try await answer(allowed, "alt+h") == 0, "\(allowed.errors)")
      #expect(try await desk.run(token).contains("\"access_token\":\"T\""), "no new question")
      agent.end(SIGHUP)
      let refused = try await ask()
      #expect(try await answer(refused, "Escape") == 3 && refused.text.contains("\"cancelled\""))
      #expect(try await desk.run(token).contains("\"cancelled\""), "no new question")
      #expect(!desk.screen.shows(#"Allow access\?"#))
      agent.end(SIGTERM)
      #expect(await agent.end() == 0)
    }

    @Test("Two programs elsewhere sign in at one port through windows, and a cut connection is explained")
    func carried() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let program = try StandInServer { _, _ in StandInServer.Answer(200, [], "taken") }
      let identity = try TestAuthority().identity("accounts", for: "DNS:accounts.test")
      let provider = try StandInServer(identity: identity) { request, _ in
        let state = request.query["state"] ?? ""
        if request.path == "/ok" { return .redirect("\(program.base)/done?code=C&state=\(state)") }
        let page = "<button \(Desk.autofocus) onclick='location.href = `/ok?state=\(state)`'>Go</button>"
        return StandInServer.Answer(200, ["Content-Type: text/html"], page)
      }
      let hosts = desk.folder + "/hosts"
      try "127.0.0.1 localhost accounts.test\n".write(toFile: hosts, atomically: true, encoding: .utf8)
      let agent = try desk.tokentry(
        [
          "agent", "--way", "window", "--trust", "accounts.test=\(identity.certificate)", "--store",
          "file:\(desk.folder)/accounts",
        ], variables: reader.variables, inside: Namespace.mounts("mount --bind \(hosts) /etc/hosts"))
      try #require(await eventually { agent.text.contains("socket") }, "\(agent.errors)")
      // Returns the process that waits for the answer.
      @discardableResult
      func open(_ state: String, _ key: String = "alt+o", status: Int32 = 0) async throws -> pid_t? {
        let port = provider.base.split(separator: ":").last ?? ""
        let redirect = "\(program.base)/done".percentEncoded
        let page = "https://accounts.test:\(port)/?state=\(state)&redirect_uri=\(redirect)"
        let command = try desk.tokentry(["open", page, "--store", "agent:"])
        try #require(await eventually { desk.screen.shows(#"Allow this sign-in\?"#) }, "\(command.errors)")
        let waiting = Processes.all.first { $0.parent == command.identifier }
        while command.status == nil {
          // A key counts only after half a second without one.
          try await Task.sleep(for: .milliseconds(600))
          if command.status == nil { try desk.screen.press(key) }
        }
        #expect(await command.end() == status, "\(command.errors)\(agent.errors)")
        #expect(command.text.isEmpty)
        return waiting?.identifier
      }
      try await open("S1")
      try await open("S2")
      try #require(
        await eventually { provider.requests.count { $0.target == "/ready" } >= 2 }, "\(desk.screen.state)")
      // The first window gets the keyboard when the second has closed.
      for _ in 0..<60 where program.requests.count < 2 {
        try await Task.sleep(for: .milliseconds(500))
        try desk.screen.press("Return")
      }
      #expect(program.requests.map(\.target).sorted() == ["1", "2"].map { "/done?code=C&state=S\($0)" })
      kill(try #require(await open("S3")), SIGTERM)
      #expect(try await reader.isShown("alert 'Sign-in failed'"), "\(desk.screen.state)")
      try await desk.seat.shoot("window-carried-cut")
      // The program hears of a refusal, even if it does not look at the status.
      try await open("S4", "Escape", status: 3)
      let refusal = "/done?error=access_denied&error_description="
      #expect(await eventually { program.requests.last?.target.hasPrefix(refusal) == true })
      agent.end(SIGTERM)
      #expect(await agent.end() == 0)
    }
  }
}
