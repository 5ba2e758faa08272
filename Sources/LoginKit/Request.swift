import GLibSupport
import Language
import LoginCore
import SignIn
import SoupNetwork

extension OAuthClient {
  /// Sends a request to an API with the account's token, and returns the answer, even one with an error status. Redirects
  /// are not followed. An answer of more than 64 MB is a failure, unless it is received piece by piece.
  ///
  /// If the API refuses the token, the token is refreshed, once for all requests under way, and the request is sent again.
  /// With `signingIn`, the user is asked to sign in if only that helps: if no account is kept, if the refresh token is dead,
  /// or if the API demands another scope or a newer sign-in (RFC 9470). Without it, the method returns the API's refusal, or
  /// fails like ``freshToken(account:forcingRefresh:signingIn:)`` if it has no token to send.
  ///
  /// - Parameters:
  ///   - url: An address at one of ``allowedOrigins``, or at an API that the provider's preset names. Other servers get no token.
  ///   - method: The request method. By default it is GET, or POST if there is a body.
  ///   - headers: Header fields, such as `["Content-Type": "application/json"]`, or a `ParameterList` that you have built.
  ///   - body: The body of the request: an array of bytes, `Data`, or the `utf8` of a text.
  ///   - account: The name of the account, as in ``signIn(scope:account:)``.
  ///   - signingIn: True if the user may be asked to sign in.
  ///   - receive: Receives the body piece by piece as it arrives, if the status is 200 to 299. The body of the result is then
  ///     empty. Set ``deadline`` to nil for a download that can take long. A transport of your own in ``dependencies`` returns
  ///     the body as one piece.
  public func request<Body: Sequence<UInt8> & Sendable>(
    _ url: String, method: String? = nil, headers: ParameterList = [], body: Body? = [UInt8]?.none,
    account: String? = nil, signingIn: Bool = false,
    receive: (@Sendable ([UInt8]) async throws(Failure) -> Void)? = nil
  ) async throws(Failure) -> HTTPResponse {
    let request = try resourceRequest(url, method ?? (body == nil ? "GET" : "POST"), headers)
    return try await call(signingIn, mayUnlock: signingIn) { call throws(Failure) in
      try await check(request.endpoint, account, in: call)
      let kept = try await call.kept(account)
      try check(request.endpoint, for: kept)
      var exchange = ResourceExchange(
        request, body.map { .bytes(Array($0)) }, through: call.host, patience: Self.patience)
      let (answer, used) = try await exchange.answer(with: kept, \.token) {
        request, account, signer throws(Failure) in
        try signer.signed(request, with: account.token)
      } reject: { token, account async throws(Failure) in
        try await call.engine.note(.init(token, isByAPI: true), of: account.name)
      } renew: { remedy, refused async throws(Failure) in
        // The API's answer says more than a failure because the user may not be asked.
        do throws(Failure) { return try await call.renewed(refused, by: remedy) } catch {
          guard error.kind == .signInForbidden else { throw error }
          return nil
        }
      }
      if ![401, 403].contains(answer.head.status) { await store.noteAcceptance(of: used.name) }
      let receive = (200...299).contains(answer.head.status) ? receive : nil
      var bytes: [UInt8] = []
      while case let more = try await answer.next(), !more.isEmpty {
        if let receive {
          do throws(Failure) { try await receive(more) } catch {
            await answer.abandon()
            throw error
          }
          continue
        }
        bytes += more
        if bytes.count > SoupTransport.Limits.answerBytes {
          await answer.abandon()
          throw .tooLarge(request.endpoint.host, limit: SoupTransport.Limits.answerBytes)
        }
      }
      return HTTPResponse(status: answer.head.status, headers: answer.head.headers, body: bytes)
    }
  }

  /// A request to an API fails after this many seconds without a byte.
  private static let patience = 60

  /// Returns the header fields for one request that you send with another HTTP library: `Authorization` and, if the token is
  /// bound to a key, `DPoP` (RFC 9449). ``request(_:method:headers:body:account:signingIn:receive:)`` describes the addresses
  /// that are accepted.
  public func authorization(
    for url: String, method: String = "GET", account: String? = nil
  ) async throws(Failure) -> ParameterList {
    let request = try resourceRequest(url, method, [:])
    return try await call(false, mayUnlock: false) { call throws(Failure) in
      let kept = try await call.kept(account)
      try check(request.endpoint, for: kept)
      let signer = ResourceSigner(
        cryptography: call.host.cryptography, clock: call.host.clock,
        nonces: await memory.nonces(of: .resource))
      return try signer.signed(request, with: kept.token).headers
    }
  }

  /// Refuses an address to which no token of this call could go, before the user is asked to sign in.
  private func check(_ endpoint: Endpoint, _ account: String?, in call: Call) async throws(Failure) {
    if let kept = try await call.host.store.find(try accountName(account)) {
      return try check(endpoint, for: kept)
    }
    // A request that names an API (RFC 8707) makes an account for that API.
    guard login.parameters.allSatisfy({ $0.name != "resource" }) else { return }
    try login.provider.checkOrigin(of: endpoint, orAmong: try origins)
  }

  /// Refuses an address to which the token must not go. An account remembers the servers of its sign-in, of which those count
  /// that are still in ``allowedOrigins``.
  private func check(_ endpoint: Endpoint, for account: Account) throws(Failure) {
    let allowed = try origins
    var account = account
    account.origins = account.origins.filter(allowed.contains)
    try account.check(endpoint, orAmong: allowed)
  }

  private func resourceRequest(
    _ url: String, _ method: String, _ headers: ParameterList
  ) throws(Failure) -> ResourceRequest {
    let endpoint = try failing(Endpoint(parsing: url)) { (reason: Message) in
      Failure(.invalidConfiguration, "\"\(Redaction.given(url), upTo: 100)\" is \(reason)")
    }
    return try ResourceRequest(method, endpoint, headers: headers)
  }
}
