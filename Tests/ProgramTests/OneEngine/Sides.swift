import Foundation
import TestSupport
import Testing

/// One run of a row: the wishes, a provider, and an empty folder for accounts.
struct Attempt {
  let wishes: Wishes
  let provider: RecordingProvider
  let variables: [String: String]
  private let folder = TemporaryFolder()
  private let browser: Browser

  init(_ wishes: Wishes, display: String?) throws {
    (self.wishes, provider) = (wishes, try RecordingProvider(wishes.provider))
    browser = try Browser()
    var variables = Tokentry.environment.merging(["HOME": folder.path]) { $1 }
    variables["DISPLAY"] = display
    switch wishes.browser {
    case .none: break
    case .works: variables["BROWSER"] = browser.command
    case .fails, .losesPage: variables["BROWSER"] = wishes.browser.rawValue
    }
    if wishes.hasNoDesktopBrowser {
      // Programs find their settings and icons, but no other programs.
      try FileManager.default.createDirectory(
        atPath: folder.path + "/data", withIntermediateDirectories: true)
      for name in ["glib-2.0", "icons", "mime", "fonts"] {
        symlink("/usr/share/" + name, "\(folder.path)/data/\(name)")
      }
      (variables["XDG_DATA_DIRS"], variables["PATH"]) = (folder.path + "/data", "/nowhere")
    }
    self.variables = variables.merging(wishes.variables) { $1 }
  }

  var base: String { provider.server.base }
  var store: String { folder.path + "/accounts" }

  var redirect: String? { wishes.redirect?.replacing("BASE", with: base) }

  /// The file of the preset.
  func preset() throws -> String? {
    try wishes.preset.map { members in
      let text = """
        {"authorization_endpoint":"BASE/authorize","token_endpoint":"BASE/token"\(members)}
        """
      return try folder.write(text.replacing("BASE", with: base), to: "preset.json")
    }
  }

  /// Runs a program where the row wants it, and returns the lines of its output and of its messages.
  func run(_ words: [String], _ more: [String: String] = [:]) throws -> (
    output: String, messages: String, status: Int32
  ) {
    let variables = variables.merging(more) { $1 }
    guard let typed = wishes.typed else {
      let outcome = try Command.run(words, input: "", environment: variables)
      return (outcome.output, outcome.messages, outcome.status)
    }
    let script = try JSONSerialization.data(withJSONObject: typed.map { ["of the last page", $0 + "\r"] })
    let run = try Command.run(
      ["/usr/bin/python3", Command.script("at-terminal.py")] + words,
      input: String(decoding: script, as: UTF8.self),
      environment: variables)
    return (
      run["output"] as? String ?? "", run["screen"] as? String ?? "", Int32(run["status"] as? Int ?? -1)
    )
  }

  /// The requests that the provider has seen: a line each for the method and the path, for every parameter and for every
  /// header field.
  var requests: [String] {
    provider.server.requests.flatMap { request in
      let name = "\(request.method) \(request.path)"
      var fields = (request.queryItems).map { "?\($0.name)=\($0.value ?? "")" }
      if request.body.hasPrefix("{"),
        let members = try? JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
      {
        fields += members.map { "\($0.key)=\($0.value)" }
      } else {
        fields += request.formItems.map { "\($0.name)=\($0.value ?? "")" }
      }
      fields += request.headers.filter { !Self.carriage.contains($0.key) }.map { "\($0.key): \($0.value)" }
      return [name] + fields.sorted().map { "\(name) \($0)" }
    }.map(normalised)
  }

  /// The header fields of the connection.
  private static let carriage = ["host", "connection", "content-length", "accept-encoding"]

  /// Replaces random values and the addresses of this run.
  func normalised(_ text: String) -> String {
    var text = text.replacing(base, with: "BASE").replacing(folder.path, with: "FOLDER")
    text.replace(/(?<host>127\.0\.0\.1|localhost):\d+/) { "\($0.host):PORT" }
    text.replace(/(?<host>127\.0\.0\.1)%3A\d+/) { "\($0.host)%3APORT" }
    text.replace(/PORT\/[A-Za-z0-9_-]{43}/) { _ in "PORT/ONCE" }
    text.replace(/-L \d+:localhost:PORT/) { _ in "-L PORT:localhost:PORT" }
    text.replace(/\b(?<name>state|nonce|code_challenge|code_verifier|dpop_jkt)=[A-Za-z0-9_-]+/) {
      "\($0.name)=RANDOM"
    }
    text.replace(/\bdpop: .*/) { _ in "dpop: PROOF" }
    text.replace(/the port \d+/) { _ in "the port PORT" }
    return text
  }
}

/// The requests, events and results of a side.
struct Trace {
  let requests: [String]
  let events: [String]
  let results: [String]

  var lines: [String] { requests + events + results }
}

/// The command, at home or over an agent.
struct CommandSide {
  let attempt: Attempt
  /// True if an agent has the account. It tells the program elsewhere no events.
  var isOverAgent = false
  private var wishes: Wishes { attempt.wishes }

  func trace() throws -> Trace {
    let agent =
      isOverAgent
      ? try RunningAgent(attempt.variables.merging(secrets) { $1 }, ["--ask", "never"] + way) : nil
    let environment = agent?.environment ?? secrets
    var (events, results): ([String], [String]) = ([], [])
    for (number, call) in wishes.calls.enumerated() {
      let done = try attempt.run([try Tokentry.path()] + arguments(call, isFirst: number == 0), environment)
      let lines = done.messages.split(whereSeparator: \.isNewline).map(String.init)
        .compactMap { $0.split(separator: "tokentry: ", maxSplits: 1).last.map(String.init) }
      events += lines.compactMap(event)
      let object = try? JSONSerialization.jsonObject(with: Data(done.output.utf8)) as? [String: Any]
      results.append("\(call): " + result(call, object ?? [:], done.output, lines, done.status))
    }
    return Trace(
      requests: attempt.requests, events: events.map(attempt.normalised),
      results: results.map(attempt.normalised))
  }

  private var secrets: [String: String] {
    ["TOKENTRY_STORE": "file:\(attempt.store)"].merging(
      [("TOKENTRY_CLIENT_SECRET", wishes.secret), ("TOKENTRY_PASSWORD", wishes.user?.password)]
        .compactMap { name, value in value.map { (name, $0) } }
    ) { $1 }
  }

  private func arguments(_ call: String, isFirst: Bool) throws -> [String] {
    let account = ["--account", "work"]
    let mayAsk = wishes.signingIn || isFirst && call == "login"
    let asking = !mayAsk ? ["--silent"] : isOverAgent ? [] : way
    let limit = wishes.deadline.map { ["--timeout", "\($0)"] } ?? []
    return switch call {
    case "login": ["login", "-v"] + account + ["--for", attempt.base] + (try asked) + asking + limit
    case "token": ["token", "-v"] + account + asking
    case "request": ["request", "-v"] + account + asking + [attempt.base + "/api"]
    case "logout": ["logout", "-v"] + account
    case "forget client": ["logout", "-v", "--issuer", attempt.base]
    default: []
    }
  }

  private var way: [String] {
    switch wishes.way {
    case nil: []
    case "headless": ["--headless-test", "--form", "username=ada"]
    case let way?: ["--way", way]
    }
  }

  /// The options of the request.
  private var asked: [String] {
    get throws {
      let given: [(String, String?)] = [
        ("--client-id", wishes.client), ("--scope", wishes.scope),
        ("--grant", wishes.grant), ("--redirect-uri", attempt.redirect), ("--login-hint", wishes.user?.name),
        ("--provider", try attempt.preset()), ("--issuer", wishes.preset == nil ? attempt.base : nil),
      ]
      var words = given.flatMap { name, value in value.map { [name, $0] } ?? [] }
      words += wishes.parameters.flatMap { ["--param", "\($0.key)=\($0.value)"] }
      if wishes.bindsTokens { words.append("--dpop") }
      if let type = wishes.responseType { words += optionsFile(["response_type": type]) }
      return words
    }
  }

  /// The event of the library that a message belongs to.
  private func event(_ line: String) -> String? {
    if let found = line.wholeMatch(of: /info: Ctrl\+C cancels; if nothing opened, visit (.*)/) {
      return "opening: if nothing opened, visit \(found.1)"
    }
    for (start, name) in Self.messages where line.hasPrefix("info: " + start) {
      return "\(name): \(line.dropFirst("info: ".count))"
    }
    return line.hasPrefix("warning: ") ? "trouble: \(line.dropFirst("warning: ".count))" : nil
  }

  /// The starts of messages, with the library's events. A warning is always an event `trouble`.
  private static let messages = [
    "the page was sent to your browser": "opened", "open this page in a browser: ": "address",
    "if that browser runs on another machine": "forward", "the browser has not come back yet": "late",
    "to sign in, open ": "code", "no browser could be opened": "trouble",
  ]

  private func result(
    _ call: String, _ object: [String: Any], _ output: String, _ lines: [String], _ status: Int32
  ) -> String {
    if call == "request" {
      let error = lines.first { $0.hasPrefix("error: ") }?.dropFirst("error: ".count)
      return error.map { "failed, \($0) \(output)" } ?? output
    }
    if let error = object["error"] as? String {
      let isAdvised = lines.contains { $0.hasPrefix("hint: ") }
      return failure(error, object, isAdvised: isAdvised)
    }
    return switch call {
    case "login", "token": token(object)
    default: status == 0 ? "done" : "status \(status)"
    }
  }
}

/// The library, in a program of its own.
struct LibrarySide {
  let attempt: Attempt
  private var wishes: Wishes { attempt.wishes }

  func trace() throws -> Trace {
    let text = try JSONSerialization.data(withJSONObject: object)
    let done = try attempt.run([try Tokentry.neighbour("kit-login"), String(decoding: text, as: UTF8.self)])
    var (events, results): ([String], [String]) = ([], [])
    for line in done.output.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      if let event = object["event"] as? String {
        events.append("\(event): \(object["text"] ?? "")")
      } else {
        let call = object["call"] as? String ?? ""
        results.append("\(call): " + result(call, object))
      }
    }
    #expect(results.count == wishes.calls.count, "\(done)")
    return Trace(
      requests: attempt.requests, events: events.map(attempt.normalised),
      results: results.map(attempt.normalised))
  }

  private var object: [String: Any] {
    get throws {
      let given: [String: Any?] = [
        "calls": wishes.calls, "issuer": attempt.base, "store": attempt.store, "api": attempt.base,
        "preset": try attempt.preset(), "client": wishes.client, "secret": wishes.secret,
        "grant": wishes.grant,
        "responseType": wishes.responseType, "redirect": attempt.redirect, "scope": wishes.scope,
        "parameters": wishes.parameters, "user": wishes.user?.name, "password": wishes.user?.password,
        "bindsTokens": wishes.bindsTokens, "way": wishes.way, "signingIn": wishes.signingIn,
        "deadline": wishes.deadline,
      ]
      return given.compactMapValues(\.self)
    }
  }

  private func result(_ call: String, _ object: [String: Any]) -> String {
    if let report = object["failure"] as? [String: Any], let error = report["error"] as? [String: Any] {
      if call == "request" { return "failed, \(report["message"] ?? "") " }
      return failure(error["error"] as? String ?? "", error, isAdvised: object["advice"] != nil)
    }
    let result = object["result"] as? [String: Any] ?? [:]
    return switch call {
    case "login", "token": token(result)
    case "request":
      (result["status"] as? Int == 200 ? "" : "\(result["status"] ?? "") ") + "\(result["body"] ?? "")"
    default: "done"
    }
  }
}

/// A failure in a line, from its report.
private func failure(_ code: String, _ report: [String: Any], isAdvised: Bool) -> String {
  let isRetryable = report["retryable"] as? Bool == true
  return
    "\(code) of \(report["origin"] ?? ""), \(isRetryable ? "" : "not ")retryable, with\(isAdvised ? "" : "out") advice: "
    + "\(report["error_description"] ?? "")"
}

/// A token in a line.
private func token(_ members: [String: Any]) -> String {
  let shown = ["access_token", "token_type", "scope"].map { "\($0)=\(members[$0] ?? "")" }
  return shown.joined(separator: " ") + (members["id_token"] == nil ? "" : " id_token")
}
