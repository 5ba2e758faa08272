import GLibSupport
import Glibc
import LoginCore
import Platform
import SignIn
import WindowProtocol

/// FreeRDP's helper for sign-ins at Entra (FreeRDP, `client/common/aad-helper-protocol.md`): JSON-RPC in lines over two
/// inherited descriptors. It hands out no token, but takes the user to pages, with the same cookies for as long as FreeRDP
/// is connected. FreeRDP 3.32 starts a helper for each token, so one connection has several.
struct FreeRDPHelper: HelperProtocol {
  static let name = "freerdp"
  static let link: String? = "freerdp-webview-aad-helper"
  static let callers = "FreeRDP"
  static let setUp = ["xfreerdp /azure:auth-helper:$(command -v freerdp-webview-aad-helper) FILE.rdp"]
  static let hasArgumentsOfItsOwn = true

  /// FreeRDP looks next to its own programs.
  static func places(in environment: Environment) -> [String] {
    let clients = ["xfreerdp", "xfreerdp3", "sdl-freerdp", "sdl-freerdp3"].compactMap(environment.program)
    return clients.compactMap { client in
      client.lastIndex(of: "/").map { client[...$0] + "freerdp-webview-aad-helper" }
    }
  }

  static func mayAsk(_ environment: Environment) -> Bool { true }

  private let broker: TokenBroker
  private let input: Int32
  private let output: Int32

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    var descriptors: [String: Int32] = [:]
    for word in broker.arguments {
      let (flag, value) = word.splitOnce(at: "=")
      guard descriptors[flag] == nil, let value, value.hasPrefix("P"),
        let descriptor = Int32(value.dropFirst(), radix: 16), descriptor > STDERR_FILENO,
        fcntl(descriptor, F_SETFD, FD_CLOEXEC) != -1
      else { throw broker.malformed }
      descriptors[flag] = descriptor
    }
    guard descriptors.count == 2, let input = descriptors["--cmdInFd"], let output = descriptors["--cmdOutFd"]
    else { throw broker.malformed }
    (self.input, self.output) = (input, output)
  }

  func text() async throws(Failure) -> String {
    // FreeRDP says how long each page may take.
    broker.shared.run.pauseDeadline()
    let dialogue = RemoteDesktopDialogue(broker, output: output)
    let reader = DescriptorReader(descriptor: input)
    while let line = try? await reader.line(keeping: TokenBroker.maximumInput + 1) {
      if try await dialogue.hear(line) == .end { break }
    }
    await dialogue.end()
    return ""
  }
}

/// The dialogue between FreeRDP and its helper (JSON-RPC 2.0). It shows one page at a time, and takes requests meanwhile.
@GLibActor
private final class RemoteDesktopDialogue {
  enum Next { case goOn, end }

  private let broker: TokenBroker
  private let writer: DescriptorWriter
  private var visit: Task<Void, Never>?
  private var timer: Source?
  /// The reason for which the visit was cancelled.
  private var interruption: String?
  private var isOver = false
  /// The failure to write an answer.
  private var failure: Failure?

  private let cookies: ConnectionCookies

  init(_ broker: TokenBroker, output: Int32) {
    self.broker = broker
    cookies = ConnectionCookies(broker.shared.environment)
    writer = DescriptorWriter(descriptor: output)
  }

  /// Takes a request. The answer may come later.
  func hear(_ line: [UInt8]) async throws(Failure) -> Next {
    broker.log(heard: line)
    guard let message = try? broker.members(of: line), message["jsonrpc"] == "2.0",
      let method = message["method"]?.string
    else {
      try await say(["error": ["code": -32700, "message": "parse_error"]], to: .null)
      return .goOn
    }
    guard let id = message["id"] else { return take(notification: method) }
    switch method {
    case "hello":
      let helper = "tokentry/\(Version.program)"
      try await say(["result": ["protocol_version": 1, "helper": .string(helper)]], to: id)
    case "navigate": try await navigate(message["params"]?.object ?? [:], id)
    case "shutdown":
      isOver = true
      interrupt("shutting_down")
      try await say(["result": .null], to: id)
    default: try await say(["error": ["code": -32601, "message": "method_not_found"]], to: id)
    }
    if let failure { throw failure }
    return .goOn
  }

  private func take(notification method: String) -> Next {
    switch method {
    case "exit": return .end
    // The first is in the document, the second in FreeRDP's own helpers.
    case "$/cancel", "cancel": interrupt("user_cancelled")
    default: break
    }
    return .goOn
  }

  private func interrupt(_ reason: String) {
    guard visit != nil else { return }
    interruption = interruption ?? reason
    visit?.cancel()
  }

  private func navigate(_ parameters: JSONObject, _ id: JSONValue) async throws(Failure) {
    if isOver { return try await refuse("shutting_down", id) }
    if visit != nil { return try await refuse("navigate_already_in_progress", id) }
    let jar: CookieJar?
    do throws(Failure) {
      jar = try cookies.open()
    } catch {
      broker.shared.messages.report(error)
      return try await refuse(error.code.description, id)
    }
    guard let page = RemoteDesktopPage(parameters, broker, cookies.session, jar) else {
      return try await say(["error": ["code": -32602, "message": "invalid_params"]], to: id)
    }
    interruption = nil
    timer = .after(page.patience) { [weak self] in self?.interrupt("timeout") }
    visit = GLibActor.task { [weak self] in
      let answer = await page.answer()
      guard let self else { return }
      (visit, timer) = (nil, nil)
      do throws(Failure) {
        // The reason for an interruption is more accurate than the failure that it causes.
        switch (interruption, answer) {
        case (let reason?, _): try await refuse(reason, id)
        case (nil, .failure(let reason)): try await refuse(reason.text, id)
        case (nil, .success(let uri)):
          try await say(["result": ["status": "ok", "redirect_url": .string(uri)]], to: id)
        }
      } catch {
        failure = error
      }
    }
  }

  private func refuse(_ reason: String, _ id: JSONValue) async throws(Failure) {
    try await say(["error": ["code": 1, "message": .string(reason)]], to: id)
  }

  private func say(_ members: JSONObject, to id: JSONValue) async throws(Failure) {
    var object: JSONObject = ["jsonrpc": "2.0", "id": id]
    for member in members { object[member.name] = member.value }
    broker.log(said: object.text)
    do throws(SystemError) {
      try await writer.write(Array((object.text + "\n").utf8))
    } catch {
      throw .output(error.code)
    }
  }

  /// Closes the page.
  func end() async {
    isOver = true
    interrupt("shutting_down")
    await visit?.value
    cookies.close()
  }
}

/// A page to which FreeRDP takes its user.
private struct RemoteDesktopPage: Sendable {
  /// The reason why there is no answer, in FreeRDP's words.
  struct Reason: Error, Sendable {
    let text: String
  }

  private let signIn: SignIn
  private let page: PageVisit
  private let messages: Messages
  /// The time for the user.
  let patience: Duration

  /// The default of FreeRDP's own helpers, in milliseconds.
  private static let usualPatience: Int64 = 180_000

  /// Returns nil for invalid parameters. Only a window can have a session.
  init?(_ parameters: JSONObject, _ broker: TokenBroker, _ session: String, _ cookies: CookieJar?) {
    guard let url = parameters["url"]?.string, let redirectURI = parameters["redirect_uri"]?.string,
      case let patience = parameters["timeout_ms"] ?? 0, let milliseconds = patience.truncated,
      (0...86_400_000).contains(milliseconds), let redirectURI = try? RedirectURI(redirectURI),
      let page = try? PageVisit(to: url, until: PageVisit.End(redirectURI))
    else { return nil }
    var options = broker.signIn
    if let title = parameters["title"]?.string, !title.isEmpty { options.window.title = title }
    options.way = options.way ?? .window
    (options.cookies, options.connectionCookies) = (CookieJarName(session), cookies)
    (self.page, messages) = (page, broker.shared.messages)
    signIn = SignIn(broker.shared.host, options)
    self.patience = .milliseconds(milliseconds == 0 ? Self.usualPatience : milliseconds)
  }

  /// Shows the page. Returns the address to which it led back.
  @GLibActor
  func answer() async -> Result<String, Reason> {
    do throws(Failure) {
      let callback = try await signIn.visit(page)
      let query = try callback.channels().query
      if let error = query["error"] {
        let detail = query["error_subcode"].map { ": \($0)" } ?? ""
        return .failure(Reason(text: (error + detail).forDisplay(limit: 200)))
      }
      return .success(try callback.text())
    } catch {
      messages.report(error)
      return .failure(Reason(text: error.code == .cancelled ? "user_cancelled" : error.code.description))
    }
  }
}
