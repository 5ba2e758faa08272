import GLibSupport
import Language
import LoginCore
import SoupNetwork

extension OAuthClient {
  /// Sends a request to an API with the account's token, and returns the answer, even one with an error status. Redirects
  /// are not followed. An answer of more than 64 MB is a failure.
  ///
  /// If the API refuses the token, the token is refreshed, once for all requests under way, and the request is sent again.
  /// With `signingIn`, the user is asked to sign in if only that helps: if no account is kept, if the refresh token is dead,
  /// or if the API demands another scope or a newer sign-in (RFC 9470). Without it, the method returns the API's refusal, or
  /// fails like ``freshToken(account:signingIn:)`` if it has no token to send.
  ///
  /// - Parameters:
  ///   - url: An address at one of ``apis``, or at an API that the provider's preset names. Other servers get no token.
  ///   - method: The request method. By default it is GET, or POST if there is a body.
  ///   - headers: Header fields, such as `["Content-Type": "application/json"]`.
  ///   - body: The body of the request.
  ///   - account: The name of the account, as in ``signIn(scope:account:)``.
  ///   - signingIn: True if the user may be asked to sign in.
  public func request(
    _ url: String, method: String? = nil, headers: KeyValuePairs<String, String> = [:], body: [UInt8]? = nil,
    account: String? = nil, signingIn: Bool = false
  ) async throws(Failure) -> HTTPResponse {
    let request = try resourceRequest(url, method ?? (body == nil ? "GET" : "POST"), headers)
    let (name, session) = (try name(of: account), try session(signingIn, account))
    var kept = try await kept(account, by: session)
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
        // The API's answer says more than a failure because the user may not be asked.
        guard Failure.signInForbidden(account: "") ~= error else { throw error }
        return answer
      }
      answer = try await Network.shared.answer(to: request, body, with: kept.token, &signer)
    }
    if ![401, 403].contains(answer.status) { await store.noteAcceptance(of: name) }
    return answer
  }

  /// Returns the header fields for one request that you send with another HTTP library: `Authorization` and, if the token is
  /// bound to a key, `DPoP` (RFC 9449). The address has to be one that
  /// ``request(_:method:headers:body:account:signingIn:)`` would take.
  public func authorization(
    for url: String, method: String = "GET", account: String? = nil
  ) async throws(Failure) -> [Parameter] {
    let request = try resourceRequest(url, method, [:])
    let kept = try await kept(account, by: session(false, account))
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

/// A way to get another token after an API has refused one. Each is tried once.
package enum Remedy: Hashable, Sendable {
  case refresh, scope, authentication
  /// A login at another authorization server: the API has moved there if it refuses even a refreshed token.
  case move

  /// Returns the remedy for an answer, and the API's demand.
  package static func after(_ head: HTTPResponse, _ tried: Set<Remedy>) -> (Remedy, StepUp?)? {
    switch StepUp(head) {
    case .scope(let scope)?: (.scope, .scope(scope))
    case let stepUp?: (.authentication, stepUp)
    case nil: head.refusesToken ? (tried.contains(.refresh) ? .move : .refresh, nil) : nil
    }
  }
}

/// The network for all clients in this process, which share its connections.
@GLibActor
final class Network: HTTPTransport {
  nonisolated static let shared = Network()

  nonisolated static let userAgent = "LoginKit"

  private lazy var transport = SoupTransport(userAgent: Self.userAgent)
  /// A request to an API fails after this many seconds without a byte.
  private static let patience = 60
  /// The size limit for an API's answer, which is kept in memory.
  private static let limit = 64 << 20

  nonisolated init() {}

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    try await transport.send(request)
  }

  /// Sends a request to an API, and sends it again if the server wants its nonce in the proof (RFC 9449 section 9).
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
