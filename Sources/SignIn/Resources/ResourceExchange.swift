import GLibSupport
import LoginCore
import SoupNetwork

/// A request to an API that may have to be sent more than once: because the server wants its nonce in the proof, or because
/// it refuses the token and another one helps.
@GLibActor
package struct ResourceExchange {
  private let request: ResourceRequest
  private let body: RequestBody?
  private let isLong: Bool
  private let rewinds: () -> Bool
  private let host: Host
  private let patience: Int
  private var signer: ResourceSigner

  /// Returns the request with a token, and with a proof if the token is bound to a key.
  package typealias Sign<Granted> =
    @GLibActor (
      ResourceRequest, Granted, ResourceSigner
    ) async throws(Failure) -> ResourceRequest

  /// The exchange fails if no byte has moved for `patience` seconds. If the body `isLong` and the token is bound to a key, a
  /// request without the body gets the server's nonce first. `rewinds` prepares the body to be sent again, and returns false
  /// if the body is gone.
  package init(
    _ request: ResourceRequest, _ body: RequestBody? = nil, isLong: Bool = false, through host: Host,
    patience: Int, rewinds: @escaping () -> Bool = { true }
  ) {
    let wantsBody = ["POST", "PUT", "PATCH"].contains(request.method)
    (self.request, self.body, self.isLong) = (request, body ?? (wantsBody ? .bytes([]) : nil), isLong)
    (self.rewinds, self.host, self.patience) = (rewinds, host, patience)
    signer = ResourceSigner(cryptography: host.cryptography, clock: host.clock)
  }

  /// Sends the request, and sends it again with another token as long as there is a remedy for the API's refusal. Each remedy
  /// is tried once. Returns the last answer.
  ///
  /// - Parameters:
  ///   - isFresh: True if the token was just renewed, so that another refresh would not help.
  ///   - reject: Sees to it that a refused token is not handed out again, if the request cannot be repeated.
  ///   - renew: Returns another token, or nil if the API's answer stands.
  package mutating func answer<Granted: Sendable>(
    with first: Granted, _ token: (Granted) -> Token, isFresh: Bool = false, signing sign: Sign<Granted>,
    reject: (AccessToken, Granted) async throws(Failure) -> Void,
    renew: (Remedy, Granted) async throws(Failure) -> Granted?
  ) async throws(Failure) -> (answer: any ResourceAnswer, granted: Granted) {
    var granted = first
    var answer = try await answer(with: granted, isBound: token(granted).isBound, signing: sign)
    var tried: Set<String> = isFresh ? [Remedy.refresh.name] : []
    while let remedy = Remedy.after(answer.head, hasRefreshed: tried.contains(Remedy.refresh.name)),
      tried.insert(remedy.name).inserted, let refused = token(granted).accessToken
    {
      // A body from a pipe is gone.
      guard rewinds() else {
        if remedy == .refresh { try await reject(refused, granted) }
        break
      }
      guard let next = try await renew(remedy, granted) else { break }
      granted = next
      await answer.abandon()
      answer = try await self.answer(with: granted, isBound: token(granted).isBound, signing: sign)
    }
    return (answer, granted)
  }

  /// Sends the request with this token. If the server wants its nonce in the proof (RFC 9449 section 9), sends it once
  /// more, unless the body is gone.
  package mutating func answer<Granted: Sendable>(
    with granted: Granted, isBound: Bool, signing sign: Sign<Granted>
  ) async throws(Failure) -> any ResourceAnswer {
    if let memory = host.memory { signer.learn(await memory.nonces(of: .resource)) }
    // A long body should not be sent in vain, and one from a pipe cannot be sent twice, so this gets the nonce first.
    if isBound, isLong, signer.nonce(for: request) == nil {
      await (try answer(to: request.withoutBody, nil, granted, sign)).abandon()
    }
    let first = try await answer(to: request, body, granted, sign)
    guard isBound, first.head.asksForNonce, rewinds() else { return first }
    await first.abandon()
    return try await answer(to: request, body, granted, sign)
  }

  private mutating func answer<Granted>(
    to request: ResourceRequest, _ body: RequestBody?, _ granted: Granted, _ sign: Sign<Granted>
  ) async throws(Failure) -> any ResourceAnswer {
    let signed = try await sign(request, granted, signer)
    let server = request.endpoint.host
    let answer = try await host.run.waiting(for: server) { [host, patience] () async throws(Failure) in
      try await host.network.answer(to: signed, body, patience: patience)
    }
    signer.note(answer.head, to: request)
    await host.memory?.note(answer.head, from: request.endpoint, of: .resource)
    return answer
  }
}

/// The answer of an API, whose body is read piece by piece.
@GLibActor
package protocol ResourceAnswer: Sendable {
  var head: HTTPResponse { get }
  /// Returns the next bytes of the body, or an empty array at its end.
  func next() async throws(Failure) -> [UInt8]
  /// Gives up the rest of the body.
  func abandon() async
}

extension StreamedAnswer: ResourceAnswer {}

/// An answer that is already there.
final class WholeAnswer: ResourceAnswer {
  let head: HTTPResponse
  private var rest: [UInt8]

  init(_ answer: HTTPResponse) { (head, rest) = (answer, answer.body) }

  func next() -> [UInt8] {
    defer { rest = [] }
    return rest
  }

  func abandon() { rest = [] }
}

/// A way to get another token after an API has refused one.
package enum Remedy: Equatable, Sendable {
  case refresh
  /// A login with what the API demands.
  case stepUp(StepUp)
  /// A login at another authorization server: the API has moved there if it refuses even a refreshed token.
  case move

  /// Returns the remedy for an answer.
  package static func after(_ head: HTTPResponse, hasRefreshed: Bool = false) -> Remedy? {
    if let stepUp = StepUp(head) { return .stepUp(stepUp) }
    return head.refusesToken ? (hasRefreshed ? .move : .refresh) : nil
  }

  /// The kind of remedy, each of which is tried once.
  fileprivate var name: String {
    switch self {
    case .refresh: "refresh"
    case .stepUp(.scope): "scope"
    case .stepUp(.authentication): "authentication"
    case .move: "move"
    }
  }
}
