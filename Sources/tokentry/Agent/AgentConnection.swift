import GLibSupport
import Glibc
import LoginCore

/// One program's connection to the agent. Requests are answered in order, one JSON object a line.
@GLibActor
final class AgentConnection: ServedConnection {
  private let descriptor: Int32
  private let peer: UnixSocket.Peer?
  private let reader: DescriptorReader
  private let writer: DescriptorWriter
  private let home: AgentHome
  private let permissions: Permissions
  /// Cancels the request in progress when the program closes the connection.
  private var watch: Source?
  /// The tokens that were given on this connection. A proof of the key of one, for what it was given for, is no new question.
  private var given: [Permissions.Subject: Given] = [:]
  private(set) var silentSince: ContinuousClock.Instant? = .now
  /// The program, or nil if it belongs to another user.
  private let requester: AgentRequester?
  /// The program's own login, if its page is open.
  private var carried: CarriedLogin?

  private struct Given {
    let time = ContinuousClock.now
    /// The proofs without and with a nonce of the server.
    var proofs: Set<Bool> = []
  }

  init(_ descriptor: Int32, _ home: AgentHome, _ permissions: Permissions) {
    (self.descriptor, self.home, self.permissions) = (descriptor, home, permissions)
    reader = DescriptorReader(descriptor: descriptor)
    writer = DescriptorWriter(descriptor: descriptor)
    peer = UnixSocket.peer(of: descriptor)
    requester = peer.flatMap { $0.user == geteuid() ? AgentRequester($0.process) : nil }
  }

  var group: String? { requester?.group }

  /// A request in progress is given up.
  func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  func serve() async {
    defer {
      carried?.abandon()
      close(descriptor)
    }
    guard let peer, let requester else { return }
    let abilities = AgentRequest.Kind.names.map(JSONValue.string)
    guard await say(["tokentry_agent": AgentLink.version, "can": .array(abilities)]) else { return }
    while !Task.isCancelled, let line = await line() {
      silentSince = .now
      guard let answer = await answer(to: line, from: requester) else { return }
      // A process may have become another program since, whose name the person was not shown.
      guard requester.isStill(peer.process), await say(answer) else { return }
    }
  }

  private func line() async -> [UInt8]? {
    guard var line = try? await reader.terminatedLine(upTo: AgentLink.maximumLine) else { return nil }
    if line.last == 0x0D { line.removeLast() }
    return line
  }

  private func say(_ message: JSONObject) async -> Bool {
    (try? await writer.write(Array((message.text + "\n").utf8))) != nil
  }

  /// Returns the answer, or nil if the program has gone meanwhile.
  private func answer(to line: [UInt8], from requester: AgentRequester) async -> JSONObject? {
    let message = AgentRequest.Line(line)
    // A task of its own: it goes on when the agent is told to end, and it ends when the program has gone.
    let task = GLibActor.task { () -> JSONObject in
      var summary = "?"
      do throws(Failure) {
        let request = try message.request()
        summary = request.summary
        let result = try await self.result(of: request, for: requester)
        self.home.log(requester, summary, result, nil)
        return ["ok": .object(result)]
      } catch {
        self.home.log(requester, summary, nil, error)
        var report = Report(error).json
        report["hint"] = (Report(error).hint?.description).map(JSONValue.string)
        return ["error": .object(report)]
      }
    }
    // Through ssh, the end of a program is only that of its input, which may also end because it has asked everything. A
    // program that opens a page still has to say what came of the callback.
    let isOpening = if case .open? = try? message.request() { true } else { carried != nil }
    let gone = isOpening ? Source.endOfInput : Source.hangUp
    watch = gone(descriptor) { [weak self] in
      task.cancel()
      self?.watch = nil  // or it would be called again and again
    }
    var answer = await task.value
    watch = nil
    if task.isCancelled { return nil }
    answer["id"] = message.id
    return answer
  }

  private func result(of request: AgentRequest, for requester: AgentRequester) async throws(Failure)
    -> JSONObject
  {
    switch request {
    case .accounts: return try await home.accounts()
    case .token(let options):
      let wish = try options.wish()
      let account = try await home.account(for: wish, options)
      let subject = Permissions.Subject(requester, account.name, wish.address?.destinations.first?.origin)
      return try await given(home.token(of: account, wish, options, subject, permissions), for: subject)
    case .login(let login):
      let subject = Permissions.Subject(requester, login.account, login.servers)
      return try await given(home.login(login, subject, permissions), for: subject)
    case .userinfo(let name):
      let account = try await home.account(for: TokenWish(name), .init())
      let address = account.login.provider.endpoints[.userinfo].flatMap {
        try? Destination($0.description).origin
      }
      try await permissions.check(Permissions.Subject(requester, account.name, address))
      return try await home.userinfo(of: account.name)
    case .open(let url):
      if carried != nil { throw .malformed("this connection has a page open") }
      carried = try await home.carried.open(CarriedPage(url), for: requester, permissions)
      return [:]
    case .callback(let isLost):
      guard let carried else { throw .noPageIsOpen }
      if isLost {
        carried.lose()
        return [:]
      }
      return ["url": .string(try await carried.callback())]
    case .proof(let proof):
      let request = try proof.request()
      let wish = TokenWish(proof.account, TokenWish.Address(url: request.endpoint.description))
      let account = try await home.account(for: wish, .init())
      let subject = Permissions.Subject(requester, account.name, wish.address?.destinations.first?.origin)
      if !takesProof(for: subject, hasNonce: proof.nonce != nil) { try await permissions.check(subject) }
      return try await home.proof(of: account, for: request, nonce: proof.nonce)
    }
  }

  private func given(_ token: JSONObject, for subject: Permissions.Subject) -> JSONObject {
    given[subject] = Given()
    return token
  }

  /// True if a token was given here for this within the last minute, or for any address. If each token is a question, it has
  /// one proof, and another one with the nonce that a server has asked for.
  private func takesProof(for subject: Permissions.Subject, hasNonce: Bool) -> Bool {
    let places = [subject, subject.forAnyAddress]
    guard
      let place = places.first(where: { given[$0].map { $0.time.duration(to: .now) < .seconds(60) } ?? false }
      ),
      !permissions.asksAlways || given[place]?.proofs.contains(hasNonce) == false
    else { return false }
    given[place]?.proofs.insert(hasNonce)
    return true
  }
}
