import Foundation
@testable import TestSupport
import Testing

@Suite("Logins of programs elsewhere", .blocking)
struct CarriedLoginTests {
  /// A browser at home whose user signs in. `first` runs before the answer is brought, which `more` is added to.
  private static func browser(_ first: String = "", more: String = "") throws -> Browser {
    try Browser(
      """
      import time, urllib.parse
      \(first)
      query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
      if "redirect_uri" not in query: sys.exit()
      answer = urllib.parse.urlencode({"code": "C1", "state": query.get("state", "")}) + r"\(more)"
      address = query["redirect_uri"] + "&" + answer
      if "response_mode" in query: address = urllib.request.Request(query["redirect_uri"], answer.encode())
      """)
  }

  /// Makes the browser wait until there is a file `go` in this folder.
  private static func wait(for folder: TemporaryFolder) -> String {
    "while not os.path.exists(\"\(folder.path)/go\"): time.sleep(0.02)"
  }

  /// An agent that opens pages in this browser without a question.
  private func agent(_ browser: Browser, _ options: [String] = ["--open"]) throws -> RunningAgent {
    let folder = TemporaryFolder()
    return try RunningAgent(
      ["TOKENTRY_STORE": "file:\(folder.path)/accounts"],
      ["--ask", "never", "-v", "--way", "browser", "--browser", browser.command] + options)
  }

  /// The command of a program with ports of its own, as on another machine.
  private func far(_ agent: RunningAgent, _ options: [String], more: String = "") throws -> (
    words: [String], environment: [String: String]
  ) {
    let words = [
      "/usr/bin/bwrap", "--dev-bind", "/", "/", "--proc", "/proc", "--unshare-net", "--unshare-pid",
      "--die-with-parent",
      Command.script("Agent/far-login.py"),
    ]
    let environment = agent.environment.merging(["BROWSER": "\(try Tokentry.path()) open\(more) %s"]) { $1 }
    return (words + options, environment.merging(Tokentry.environment) { $1 })
  }

  private func run(_ agent: RunningAgent, _ options: [String], more: String = "") throws -> Outcome {
    let far = try far(agent, options, more: more)
    return try Command.run(far.words, environment: far.environment)
  }

  @Test(
    "The answer comes back to the program, whose own redirects are followed there",
    arguments: [
      ([], ["GET /done?own=1&code=C1&state=S%2B1", "GET /success"]),
      (["own"], ["GET /begin", "GET /done?own=1&code=C1&state=S%2B1", "GET /success"]),
      (["post"], ["POST /done?own=1 code=C1&state=S%2B1"]),
    ])
  func answer(options: [String], requests: [String]) throws {
    let port = try freePort()
    let browser = try Self.browser()
    let agent = try agent(browser)
    let outcome = try run(agent, [port] + options)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { !$0.hasPrefix("opened") } == requests + ["done True"], "\(outcome)\(agent.messages)")
    #expect(lines.contains("opened True"), "\(outcome)")
    #expect(browser.argument?.hasPrefix("https://accounts.example/authorize?") == true)
    #expect(browser.page().contains("Your answer has arrived"))
    #expect(agent.messages.contains("open accounts.example: given"), "\(agent.messages)")
    #expect(!agent.messages.contains("C1"), "\(agent.messages)")
  }

  @Test(
    "Characters that browsers send as they are reach the program escaped",
    arguments: [
      ([], "GET /done?own=1&code=C1&state=S%2B1&x=a%7Cb%7Bc%7D%5Ed%5Ce%60f"),
      (["post"], "POST /done?own=1 code=C1&state=S%2B1&x=a%7Cb%7Bc%7D%5Ed%5Ce%60f"),
    ])
  func bareCharacters(options: [String], request: String) throws {
    let port = try freePort()
    let browser = try Self.browser(more: "&x=a|b{c}^d\\e`f")
    let agent = try agent(browser)
    let outcome = try run(agent, [port] + options)
    #expect(outcome.output.contains(request + "\n"), "\(outcome)\(agent.messages)")
  }

  @Test(
    "The browser says so if the answer could not be taken to the program, and waits for no program that says nothing",
    arguments: [true, false])
  func lostAnswer(isLost: Bool) throws {
    let browser = try Self.browser()
    let agent = try agent(browser)
    let program = try agent.connection()
    _ = program.line()
    let redirect = "http%3A%2F%2Flocalhost%3A\(try freePort())%2F%3Fown%3D1"
    _ = try program.ok("{\"open\":{\"url\":\"https://a.example/?state=S&redirect_uri=\(redirect)\"}}")
    _ = try program.ok(#"{"callback":{}}"#)
    if isLost { _ = try program.ok(#"{"callback":{"lost":true}}"#) }
    #expect(browser.page().contains(isLost ? "could not be taken" : "Your answer has arrived"))
  }

  @Test("The address of a sign-in is in no command line while the program waits")
  func commandLine() throws {
    let (folder, port) = (TemporaryFolder(), try freePort())
    let browser = try Self.browser(Self.wait(for: folder))
    let agent = try agent(browser)
    let far = try far(agent, [port])
    let program = Command.process(far.words, environment: far.environment)
    program.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "output")))
    try program.run()
    #expect(waitUntil { folder.text(of: "output").contains("opened True\n") })
    let lines = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { process in
      try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
    }
    let waiting = lines.filter { $0.contains("sign-in-for-helper:") }
    #expect(!waiting.isEmpty && !waiting.contains { $0.contains("accounts.example") }, "\(waiting)")
    try folder.write("", to: "go")
    program.waitUntilExit()
    #expect(folder.text(of: "output").contains("GET /done?own=1&code=C1&state=S%2B1\n"))
  }

  @Test("A program that starts xdg-open finds it in a link, and hears nothing on its standard output")
  func link() throws {
    let browser = try Self.browser()
    let agent = try agent(browser)
    let folder = TemporaryFolder()
    let link = folder.path + "/xdg-open"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: try Tokentry.path())
    let url = "https://github.example/login/device"
    let outcome = try Tokentry.run([url], environment: agent.environment, link: link)
    #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.messages.isEmpty, "\(outcome)")
    #expect(waitUntil { browser.argument == url })
  }

  @Test("The doctor says how pages open at the agent's, and that BROWSER=true opens none")
  func doctor() throws {
    let folder = TemporaryFolder()
    let agent = try RunningAgent(["TOKENTRY_STORE": "file:\(folder.path)/accounts"])
    for (variables, words) in [([:], "open no page"), (["BROWSER": "/bin/true"], #"BROWSER is \"true\""#)] {
      let outcome = try agent.run(["doctor"], variables)
      #expect(
        outcome.output.contains(words) && outcome.output.contains("set BROWSER to the link"), "\(outcome)")
    }
  }

  @Test(
    "A page that is not opened is a failure of the browser's command, and no browser starts",
    arguments: [
      (["--open"], "https://a.example/?redirect_uri=http%3A%2F%2Flocalhost%3A80%2F", 2, "a port below 1024"),
      (["--open"], "https://a.example/?redirect_uri=app%3Adone", 2, "an address of a program"),
      (
        ["--open"], "https://a.example/?redirect_uri=https%3A%2F%2Flocalhost%3A4000%2F", 2,
        "not an address at"
      ),
      (["--open"], "file:///etc/passwd", 2, "the address of the page is"),
      (["--open"], "http://127.0.0.1:1999/", 5, "127.0.0.1"),
      ([], "https://a.example/", 7, "it asks no questions"),
    ])
  func refused(options: [String], url: String, status: Int32, words: String) throws {
    let browser = try Self.browser()
    let agent = try agent(browser, options)
    let outcome = try agent.run(["open", url])
    #expect(
      outcome.status == status && outcome.output.isEmpty && outcome.messages.contains(words), "\(outcome)")
    #expect(browser.runs[0] == 0)
  }

  @Test("The window of a program that has ended closes, even if the user has seen no page in it")
  func window() async throws {
    let (screen, folder) = (try await Screen(), TemporaryFolder())
    let agent = try RunningAgent(
      ["TOKENTRY_STORE": "file:\(folder.path)/accounts", "DISPLAY": screen.name],
      ["--ask", "never", "--open", "--way", "window"])
    let children = {
      let path = "/proc/\(agent.identifier)/task/\(agent.identifier)/children"
      return (try? String(contentsOfFile: path, encoding: .utf8)) ?? "?"
    }
    var program: AgentConversation? = try agent.connection()
    _ = program?.line()
    let redirect = "http%3A%2F%2Flocalhost%3A4000%2F"
    _ = try program?.ok("{\"open\":{\"url\":\"https://a.invalid/?state=S&redirect_uri=\(redirect)\"}}")
    #expect(!children().isEmpty)
    program = nil
    #expect(waitUntil { children().isEmpty })
  }

  @Test(
    "No page opens if another user's program could get the answer, and one that could not has no say",
    .enabled(if: geteuid() == 0), arguments: ["127.0.0.1", "127.0.0.2"])
  func otherUser(address: String) throws {
    let (browser, port) = (try Self.browser(), try freePort())
    let agent = try agent(browser)
    let script = """
      import os, socket, sys
      os.setuid(65534)
      server = socket.create_server(("\(address)", \(port)))
      print(flush=True)
      sys.stdin.read()
      """
    let other = Command.process(["/usr/bin/python3", "-IS", "-c", script])
    let (input, output) = (Pipe(), Pipe())
    (other.standardInput, other.standardOutput) = (input, output)
    try other.run()
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    let outcome = try agent.run([
      "open", "https://a.example/?redirect_uri=http%3A%2F%2Flocalhost%3A\(port)%2F%3Fown%3D1",
    ])
    if address == "127.0.0.1" {
      #expect(outcome.status == 7 && outcome.messages.contains("in use by another program"), "\(outcome)")
      #expect(browser.runs[0] == 0)
    } else {
      #expect(outcome.status == 0 && outcome.messages.isEmpty, "\(outcome)")
      #expect(browser.page().contains("Your answer has arrived"))
    }
    try input.fileHandleForWriting.close()
    other.waitUntilExit()
  }

  @Test("If no browser can be opened at home, the program hears it")
  func noBrowser() throws {
    let folder = TemporaryFolder()
    for options in [["--browser", "/bin/false"], []] {
      let agent = try RunningAgent(
        ["TOKENTRY_STORE": "file:\(folder.path)/accounts"],
        ["--ask", "never", "--open", "--way", "browser"] + options)
      for more in ["", "?redirect_uri=http%3A%2F%2Flocalhost%3A\(try freePort())%2F"] {
        let outcome = try agent.run(["open", "https://a.example/\(more)"])
        #expect(outcome.status == 7 && outcome.messages.contains("could not be opened"), "\(outcome)")
      }
    }
  }

  @Test("The agent opens no page of its own machine, and one page for a connection")
  func protocols() throws {
    let port = try freePort()
    let browser = try Self.browser()
    let agent = try agent(browser)
    let program = try agent.connection()
    _ = program.line()
    for host in ["127.0.0.1", "localhost:8080", "[::1]", "cups.localhost"] {
      let scheme = host == "cups.localhost" ? "https" : "http"
      #expect(try program.error("{\"open\":{\"url\":\"\(scheme)://\(host)/\"}}") == "invalid_configuration")
    }
    #expect(try program.error(#"{"callback":{}}"#) == "invalid_option")
    let redirect = "http%3A%2F%2F127.0.0.1%3A\(port)%2F%3Fown%3D1"
    let page = "{\"open\":{\"url\":\"https://a.example/?state=S&redirect_uri=\(redirect)\"}}"
    _ = try program.ok(page)
    #expect(try program.error(page) == "invalid_option")
    #expect(
      try program.ok(#"{"callback":{}}"#)["url"] as? String
        == "http://127.0.0.1:\(port)/?own=1&code=C1&state=S")
  }

  @Test("In a headless test the provider may be on the agent's machine; a fragment stays there")
  func headless() throws {
    let provider = try StandInServer { request, _ in
      .redirect("\(request.query["redirect_uri"] ?? "")?code=H&state=S#access_token=T")
    }
    let folder = TemporaryFolder()
    let agent = try RunningAgent(
      ["TOKENTRY_STORE": "file:\(folder.path)/accounts"], ["--ask", "never", "--open", "--headless-test"])
    let program = try agent.connection()
    _ = program.line()
    let page = "\(provider.base)/?state=S&redirect_uri=http%3A%2F%2Flocalhost%3A4000%2F"
    _ = try program.ok("{\"open\":{\"url\":\"\(page)\"}}")
    #expect(try program.ok(#"{"callback":{}}"#)["url"] as? String == "http://localhost:4000/?code=H&state=S")
  }

  @Test("The browser says so if the program has ended", arguments: ["gone", "again"])
  func lost(option: String) throws {
    let port = try freePort()
    let folder = TemporaryFolder()
    let browser = try Self.browser(Self.wait(for: folder))
    let agent = try agent(browser)
    let far = try far(agent, [port, option])
    let program = Command.process(far.words, environment: far.environment)
    program.standardOutput = FileHandle.nullDevice
    try program.run()
    // The process that waits for the answer ends as soon as the program no longer does.
    #expect(waitUntil { agent.messages.contains("callback: the program has ended") })
    try folder.write("", to: "go")
    #expect(browser.page().contains("has ended"))
    kill(program.processIdentifier, SIGKILL)
    program.waitUntilExit()
  }

  @Test(
    "A user who does not come back and an agent that ends are a refusal for the program",
    arguments: [true, false])
  func noAnswer(isLate: Bool) throws {
    let port = try freePort()
    let folder = TemporaryFolder()
    let browser = try Self.browser(Self.wait(for: folder))
    let agent = try agent(browser)
    let far = try far(agent, [port], more: isLate ? " --timeout 3" : "")
    let program = Command.process(far.words, environment: far.environment)
    program.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "output")))
    try program.run()
    #expect(waitUntil { folder.text(of: "output").contains("opened True\n") })
    if !isLate { agent.signal(SIGKILL) }
    program.waitUntilExit()
    let text = folder.text(of: "output")
    let sentence = isLate ? "user did not sign in at home in time" : "agent has closed the connection"
    let description = "the \(sentence)".replacingOccurrences(of: " ", with: "%20")
    #expect(
      text.contains("GET /done?own=1&error=access_denied&error_description=\(description)&state=S%2B1\n"),
      "\(text)")
    try folder.write("", to: "go")
    if isLate { #expect(browser.page().contains("has ended")) }
  }

  @Test("A second login at the same port of the browser begins after the first, and says that it waits")
  func samePort() throws {
    let port = try freePort()
    let folder = TemporaryFolder()
    let browser = try Self.browser(Self.wait(for: folder))
    let agent = try agent(browser)
    let programs = try (0..<2).map { _ in
      let far = try far(agent, [port])
      let program = Command.process(far.words, environment: far.environment)
      let (output, messages) = (Pipe(), Pipe())
      (program.standardOutput, program.standardError) = (output, messages)
      try program.run()
      return (program, output, messages)
    }
    var waiting = Data()
    #expect(waitUntil { agent.messages.contains("another sign-in waits") }, "\(agent.messages)")
    try folder.write("", to: "go")
    for (program, output, messages) in programs {
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      #expect(
        text.contains("GET /done?own=1&code=C1") && text.contains("done True"), "\(text)\(agent.messages)")
      waiting += messages.fileHandleForReading.readDataToEndOfFile()
      program.waitUntilExit()
    }
    let words = "another sign-in waits for its answer at port \(port); this one begins when that one is over"
    #expect(String(decoding: waiting, as: UTF8.self).components(separatedBy: words).count == 2)
    #expect(browser.runs[0] == 2)
  }

  @Test("The agent waits for the browsers of few programs that have ended")
  func manyAbandoned() throws {
    let folder = TemporaryFolder()
    let agent = try RunningAgent(
      ["TOKENTRY_STORE": "file:\(folder.path)/accounts"],
      ["--ask", "never", "--open", "--way", "browser", "--browser", "/bin/true"])
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent.identifier)/fd").count
    }
    let before = try descriptors()
    var programs: [AgentConversation] = []
    for _ in 1...45 {
      let program = try agent.connection()
      _ = program.line()
      let redirect = "http%3A%2F%2F127.0.0.1%3A\(try freePort())%2F"
      _ = try program.ok("{\"open\":{\"url\":\"https://a.example/?state=S&redirect_uri=\(redirect)\"}}")
      programs.append(program)
    }
    let open = try descriptors()
    programs = []
    #expect(waitUntil { (try? descriptors() - before < (open - before) / 2) ?? false }, "\(before) \(open)")
  }

  @Test(
    "A login without a state takes no answer without a parameter that it knows, as another page could bring")
  func unknownAnswer() throws {
    let port = try freePort()
    let browser = try Self.browser(
      """
      own = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))["redirect_uri"]
      for wrong in ["", "&x=1"]:
        try: urllib.request.urlopen(own + wrong)
        except urllib.error.HTTPError: pass
      """)
    let agent = try agent(browser)
    let program = try agent.connection()
    _ = program.line()
    let redirect = "http%3A%2F%2F127.0.0.1%3A\(port)%2F%3Fown%3D1"
    _ = try program.ok("{\"open\":{\"url\":\"https://a.example/?client_id=c&redirect_uri=\(redirect)\"}}")
    #expect(
      try program.ok(#"{"callback":{}}"#)["url"] as? String
        == "http://127.0.0.1:\(port)/?own=1&code=C1&state=")
  }

  @Test("A program that sends no more while its page is being opened has given it up")
  func givenUp() throws {
    let folder = TemporaryFolder()
    // The agent waits a second for a browser that goes on.
    let browser = try Self.browser(Self.wait(for: folder))
    let agent = try agent(browser)
    let program = try agent.connection()
    _ = program.line()
    let redirect = "http%3A%2F%2Flocalhost%3A\(try freePort())%2F%3Fown%3D1"
    try program.send("{\"open\":{\"url\":\"https://a.example/?state=T&redirect_uri=\(redirect)\"}}\n")
    program.finish()
    #expect(program.line() == nil)
    try folder.write("", to: "go")
  }

  @Test(
    "A login whose connection has ended gives way at its port, but not to one that would take its answer",
    arguments: [true, false])
  func abandoned(hasState: Bool) throws {
    let (folder, port) = (TemporaryFolder(), try freePort())
    let browser = try Self.browser(Self.wait(for: folder))
    let agent = try agent(browser)
    let redirect = "http%3A%2F%2Flocalhost%3A\(port)%2F%3Fown%3D1"
    let page = "{\"open\":{\"url\":\"https://a.example/?redirect_uri=\(redirect)"
    var program: AgentConversation? = try agent.connection()
    _ = program?.line()
    _ = try program?.ok(page + "&state=T\"}}")
    try program?.send("{\"callback\":{}}\n")
    program = nil
    #expect(waitUntil { agent.messages.contains("callback: the program has ended") })
    let other = try agent.connection()
    _ = other.line()
    if !hasState {
      #expect(try other.error(page + "\"}}") == "already_in_progress")
      try folder.write("", to: "go")
      return #expect(browser.page().contains("has ended"))
    }
    _ = try other.ok(page + "&state=U\"}}")
    try folder.write("", to: "go")
    #expect(
      try other.ok(#"{"callback":{}}"#)["url"] as? String == "http://localhost:\(port)/?own=1&code=C1&state=U"
    )
  }
}
