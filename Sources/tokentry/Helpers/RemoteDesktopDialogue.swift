import GLibSupport
import Glibc
import LoginCore
import LoginWays
import Wording

/// What FreeRDP and its helper say to each other (JSON-RPC 2.0). One page at a time is shown, and requests are heard while
/// it is.
@GLibActor
final class RemoteDesktopDialogue {
  /// Whether more is to be heard.
  enum Next { case goOn, end }

  private let desk: TokenBroker
  private let writer: DescriptorWriter
  private var visit: Task<Void, Never>?
  private var timer: Source?
  /// Why the visit was ended from outside.
  private var interruption: String?
  private var isOver = false
  /// What could not be written.
  private var failure: Failure?

  /// The cookies of this connection, below a folder that ends with the user's session on this machine.
  private let session = "freerdp-\(getpid())"
  private let folder: String?

  init(_ desk: TokenBroker, output: Int32) {
    self.desk = desk
    folder = desk.run.environment["XDG_RUNTIME_DIR"] ?? desk.run.environment.stateFolder
    writer = DescriptorWriter(descriptor: output)
  }

  /// Answers one line, or begins to.
  func hear(_ line: [UInt8]) async throws(Failure) -> Next {
    desk.log(heard: line)
    guard let message = try? desk.members(of: line), message["jsonrpc"] == "2.0",
      let method = message["method"]?.string
    else {
      try await say(["error": ["code": -32700, "message": "parse_error"]], to: .null)
      return .goOn
    }
    guard let id = message["id"] else { return notified(method) }
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

  private func notified(_ method: String) -> Next {
    switch method {
    case "exit": return .end
    // The document says the first, and helpers of FreeRDP's own the second.
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
    guard let page = RemoteDesktopPage(parameters, desk, session: session, in: folder) else {
      return try await say(["error": ["code": -32602, "message": "invalid_params"]], to: id)
    }
    interruption = nil
    timer = .timer(every: page.patience) { [weak self] in self?.interrupt("timeout") }
    visit = GLibActor.task { [weak self] in
      let answer = await page.answer()
      guard let self else { return }
      (visit, timer) = (nil, nil)
      do throws(Failure) {
        // Whoever ends a visit from outside knows better why than the page does.
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
    desk.log(said: object.text)
    do throws(SystemError) {
      try await writer.write(Array((object.text + "\n").utf8))
    } catch {
      throw .run(.output(error.code))
    }
  }

  /// Takes the page away, and forgets what it has kept.
  func end() async {
    isOver = true
    interrupt("shutting_down")
    await visit?.value
    if let name = CookieJarName(session) { try? CookieJar.existing(name, under: folder)?.remove() }
  }
}
