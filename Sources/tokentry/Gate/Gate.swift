import GLibSupport
import LoginCore
import SignIn
import SoupNetwork

/// A server behind which another one stands, and the rules for those who want to pass.
struct Gate: Sendable {
  /// The server and the path that the gate is for.
  let server: Endpoint
  /// The address of a gate on a port. Without one, the gate is a socket in a folder that only its user can look into.
  let door: Door?
  let passesWellKnown: Bool

  struct Door: Sendable {
    let port: UInt16
    /// What every request has to show. It is good for this gate only.
    let bearer: AccessToken

    var host: String { "127.0.0.1:\(port)" }
    var authorization: String { "Bearer \(bearer.revealed())" }
  }

  /// The path of the server, without a slash at its end.
  private var folder: String { server.path.hasSuffix("/") ? String(server.path.dropLast()) : server.path }

  /// The address for clients.
  var url: String { "http://\(door?.host ?? "localhost")\(server.path)" }

  /// Returns the place of a request at the server. Throws if it must not go there.
  func destination(of request: GateRequest) throws(GateRefusal) -> Endpoint {
    try checkSender(of: request)
    let isWellKnown = request.path.hasPrefix("/.well-known/") || request.path == "/.well-known"
    if isWellKnown, !passesWellKnown {
      throw GateRefusal(
        404, "there is nothing to find out about a gate; --well-known passes such requests on")
    }
    guard isWellKnown || request.path == folder || request.path.hasPrefix(folder + "/") else {
      throw GateRefusal(403, "this gate is for \(url) and the paths below it")
    }
    return server.resource(at: request.path, query: request.query)
  }

  private func checkSender(of request: GateRequest) throws(GateRefusal) {
    // A page on another site can give its own name the address of this machine, but its requests still carry that name.
    let host = request.value(of: "host")?.lowercased()
    let hosts = door.map { [$0.host] } ?? ["localhost", server.origin.parts(at: "/").last ?? ""]
    guard let host, hosts.contains(host) else {
      throw GateRefusal(421, "this gate is \(url), and its Host field is \(hosts[0])")
    }
    // Browsers send these, and no page has business here.
    if request.has("origin") || request.has("sec-fetch-site") {
      throw GateRefusal(403, "a gate is not for pages in a browser")
    }
    guard let door else { return }
    // The name of the scheme is not case-sensitive (RFC 9110 section 11.1).
    let (scheme, given) = (request.value(of: "authorization") ?? "").splitOnce(at: " ")
    guard scheme.lowercased() == "bearer", let given, AccessToken(given) == door.bearer else {
      throw GateRefusal(403, "the Authorization field has to be the one that the gate has printed")
    }
  }

  /// The fields of a request that the server gets.
  static func fields(of request: GateRequest) -> ParameterList {
    request.fields.passedOn(without: ["authorization", "cookie", "dpop", "expect", "host"])
  }

  /// The fields of the server's answer that the client gets. Challenges name the server's own address, which clients
  /// compare with that of the gate; and there is nothing to sign in to here.
  func fields(of answer: HTTPResponse) -> ParameterList {
    let fields = answer.headers.passedOn(without: ["dpop-nonce", "set-cookie", "www-authenticate"])
    return ParameterList(
      fields.map { field in
        guard field.name.lowercased() == "location", field.value.hasPrefix(server.origin + "/") else {
          return field
        }
        return Parameter(field.name, String(field.value.dropFirst(server.origin.count)))
      })
  }
}

/// The tokens for the requests that pass a gate. One refresh or sign-in serves all that wait for it, and goes on if they
/// leave.
@GLibActor
final class GateTokens {
  private let shared: Composition
  private let terms: TokenTerms
  private let account: AccountName?
  private let allowed: [Origin]
  private let patience: Int
  private let renewals = SharedWork<String, GrantedToken?>()
  /// The token that the server has taken last.
  private var accepted: AccessToken?

  /// The account's token may go to the servers of the account, and to those that are `allowed`. Each renewal may take
  /// `patience` seconds.
  init(
    _ shared: Composition, _ terms: TokenTerms, of account: AccountName?, allowed: [Origin], patience: Int
  ) {
    (self.shared, self.terms, self.account) = (shared, terms, account)
    (self.allowed, self.patience) = (allowed, patience)
  }

  private var tokens: any TokenSource { shared.tokens(terms) }

  /// Sends a request with a token, and with another one if that is refused and there is a remedy.
  func answer(
    to request: ResourceRequest, _ body: RequestBody?, isLong: Bool
  ) async throws(Failure) -> any ResourceAnswer {
    let (tokens, wish) = (tokens, wish(for: request.endpoint))
    var exchange = ResourceExchange(
      request, body, isLong: isLong, through: shared.host, patience: patience, rewinds: { !isLong })
    let (answer, used) = try await exchange.answer(
      with: try await token(wish), \.token, signing: tokens.signing
    ) { token, _ async throws(Failure) in
      try await tokens.reject(token, for: wish, isByAPI: true)
    } renew: { remedy, refused async throws(Failure) in
      do throws(Failure) { return try await self.token(insteadOf: refused, by: remedy, for: wish) } catch {
        // The server's own answer is more useful than a message that the user may not be asked.
        guard case .stepUp = remedy, error.kind == .signInForbidden else { throw error }
        return nil
      }
    }
    if ![401, 403].contains(answer.head.status), used.token.accessToken != accepted {
      accepted = used.token.accessToken
      // The client needs the answer even if the disk is full.
      try? await tokens.noteAcceptance(of: used.account)
    }
    return answer
  }

  /// The token has to be for the very place of a request: some accounts are for a path.
  private func wish(for endpoint: Endpoint) -> TokenWish {
    let (path, query) = endpoint.description.splitOnce(at: "?")
    let url = path + (query.map { "?" + PercentEncoding.strict(query: $0) } ?? "")
    var wish = TokenWish(account, TokenWish.Address(url: url))
    wish.allowed = allowed
    return wish
  }

  /// Returns a token. If another one is needed soon and cannot be had, the good one stays in use.
  private func token(_ wish: TokenWish) async throws(Failure) -> GrantedToken {
    if let kept = try await tokens.tokenAtOnce(wish, old: false) { return kept }
    do throws(Failure) {
      let granted = try await renewed("") { tokens throws(Failure) in try await tokens.token(wish) }
      guard let granted else { throw .defect() }
      return granted
    } catch {
      guard let kept = try await tokens.tokenAtOnce(wish, old: true), let end = kept.token.expiresAt,
        end > shared.clock.now()
      else { throw error }
      return kept
    }
  }

  private func token(
    insteadOf refused: GrantedToken, by remedy: Remedy, for wish: TokenWish
  ) async throws(Failure) -> GrantedToken? {
    try await renewed("\(remedy) \(refused.token.accessToken?.revealed() ?? "")") {
      tokens throws(Failure) in
      try await tokens.token(insteadOf: refused, by: remedy, for: wish)
    }
  }

  /// Runs `work` within a time of its own, once for all that want the same.
  private func renewed(
    _ key: String,
    _ work: @escaping @GLibActor @Sendable (any TokenSource) async throws(Failure) -> GrantedToken?
  ) async throws(Failure) -> GrantedToken? {
    try await renewals.value(for: key, outlivesAskers: true) {
      [shared, terms, patience] () async throws(Failure) in
      let time = Run()
      let tokens = shared.with(time).tokens(terms)
      return try await time.result(within: patience) { () async throws(Failure) in try await work(tokens) }
        .get()
    }
  }

  /// Waits for the refreshes that were sent.
  func finish() async { await renewals.finish() }
}
