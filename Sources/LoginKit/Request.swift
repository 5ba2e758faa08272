import GLibSupport
import LoginCore
import SoupNetwork
import Wording

extension OAuthClient {
  /// Sends a request to an API with the account's token, and returns its answer. Redirects are not followed, and a failure
  /// of the API is an answer, too. One of more than 64 MB is refused.
  ///
  /// If the API refuses the token, the request is sent once more with a new one, however many requests are under way. If
  /// `signingIn` lets it, the user is asked when only that helps: when no account is kept, when the refresh token is dead,
  /// or when the API demands another scope or a newer sign-in (RFC 9470).
  ///
  /// - Parameters:
  ///   - url: The address, at one of ``apis`` or of the provider's own APIs. Another one gets no token.
  ///   - method: The request method. Without one it is GET, or POST if there is a body.
  ///   - headers: Header fields, such as `["Content-Type": "application/json"]`.
  ///   - body: The body of the request.
  ///   - account: The name of the account, as in ``signIn(scope:account:)``.
  ///   - signingIn: True if the user may be asked.
  public func request(
    _ url: String, method: String? = nil, headers: KeyValuePairs<String, String> = [:], body: [UInt8]? = nil,
    account: String? = nil, signingIn: Bool = false
  ) async throws(Failure) -> HTTPResponse {
    let request = try resourceRequest(url, method ?? (body == nil ? "GET" : "POST"), headers)
    let (name, session) = (try name(of: account), try session(signingIn, account))
    var kept = try await session.token(of: name, forAtLeast: Self.life)
    try kept.check(request.endpoint, orAmong: try origins)
    var signer = ResourceSigner(cryptography: dependencies.cryptography, clock: dependencies.clock)
    var answer = try await Network.shared.answer(to: request, body, with: kept.token, &signer)
    var tried: Set<Remedy> = []
    while let (remedy, stepUp) = Remedy.after(answer, tried), remedy != .move, tried.insert(remedy).inserted,
      let refused = kept.token.accessToken
    {
      do throws(Failure) {
        if remedy == .refresh {
          try await store.expire(refused, of: name, isRefused: true, at: dependencies.clock.now())
          kept = try await session.token(of: name, forAtLeast: Self.life)
        } else {
          kept = try await session.token(of: name, insteadOf: refused, asking: stepUp)
        }
      } catch {
        // The answer of the API tells more than a sentence that the user may not be asked.
        guard Failure.signInForbidden(account: "") ~= error else { throw error }
        return answer
      }
      answer = try await Network.shared.answer(to: request, body, with: kept.token, &signer)
    }
    if ![401, 403].contains(answer.status) { await store.noteAcceptance(of: name) }
    return answer
  }

  /// Returns the header fields with which another HTTP library sends one request with the account's token: `Authorization`
  /// and, if the token is bound to a key, `DPoP` (RFC 9449). The address has to be at one of ``apis``.
  public func authorization(
    for url: String, method: String = "GET", account: String? = nil
  ) async throws(Failure) -> [Parameter] {
    let request = try resourceRequest(url, method, [:])
    let kept = try await session(false, account).token(of: try name(of: account), forAtLeast: Self.life)
    try kept.check(request.endpoint, orAmong: try origins)
    let signer = ResourceSigner(cryptography: dependencies.cryptography, clock: dependencies.clock)
    return try signer.signed(request, with: kept.token).headers
  }

  private func resourceRequest(
    _ url: String, _ method: String, _ headers: KeyValuePairs<String, String>
  ) throws(Failure) -> ResourceRequest {
    let endpoint = try failing(Endpoint(url)) { (reason: Message) in
      Failure(.invalidConfiguration, "\"\(Redaction.given(url), upTo: 100)\" is \(reason)")
    }
    return try ResourceRequest(method, endpoint, headers: headers.map { Parameter($0.key, $0.value) })
  }
}

/// Another token that an API may accept after it has refused one. Each kind is tried once.
package enum Remedy: Hashable, Sendable {
  case refresh, scope, authentication
  /// A login at the server to which the API has moved, because it refuses even a refreshed token.
  case move

  /// Returns the remedy for an answer, and what the API demands.
  package static func after(_ head: HTTPResponse, _ tried: Set<Remedy>) -> (Remedy, StepUp?)? {
    switch StepUp(head) {
    case .scope(let scope)?: (.scope, .scope(scope))
    case let stepUp?: (.authentication, stepUp)
    case nil: head.refusesToken ? (tried.contains(.refresh) ? .move : .refresh, nil) : nil
    }
  }
}

/// The network of every client in this process, whose connections they share.
@GLibActor
final class Network: HTTPTransport {
  nonisolated static let shared = Network()

  nonisolated static let userAgent = "LoginKit"

  private lazy var transport = SoupTransport(userAgent: Self.userAgent)
  /// The seconds without a byte after which an exchange with an API fails.
  private static let patience = 60
  /// The most bytes of an API's answer that are kept in memory.
  private static let limit = 64 << 20

  nonisolated init() {}

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    try await transport.send(request)
  }

  /// Sends a request to an API. If the server wants its nonce in the proof (RFC 9449 section 9), sends it once more.
  func answer(
    to request: ResourceRequest, _ body: [UInt8]?, with token: Token, _ signer: inout ResourceSigner
  ) async throws(Failure) -> HTTPResponse {
    let first = try await answer(once: request, body, token, &signer)
    guard token.isBound, first.asksForNonce else { return first }
    return try await answer(once: request, body, token, &signer)
  }

  private func answer(
    once request: ResourceRequest, _ body: [UInt8]?, _ token: Token, _ signer: inout ResourceSigner
  ) async throws(Failure) -> HTTPResponse {
    let hasBody = ["POST", "PUT", "PATCH"].contains(request.method)
    let answer = try await transport.stream(
      try signer.signed(request, with: token), (body ?? (hasBody ? [] : nil)).map { .bytes($0) },
      patience: Self.patience)
    signer.note(answer.head, to: request)
    var bytes: [UInt8] = []
    while case let more = try await answer.next(), !more.isEmpty {
      bytes += more
      if bytes.count > Self.limit {
        await answer.abandon()
        throw .tooLarge(request.endpoint.host, limit: Self.limit)
      }
    }
    return HTTPResponse(status: answer.head.status, headers: answer.head.headers, body: bytes)
  }
}
