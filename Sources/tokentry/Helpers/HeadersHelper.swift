import GLibSupport
import GnuTLSCrypto
import Language
import LoginCore
import Platform
import SignIn
import SoupNetwork

struct HeadersWishes: WishGroup {
  var checks = false
  var printsLines = false

  static let rows = [
    flag(\.checks, "check", "try the token at the address before it is printed"),
    flag(\.printsLines, "lines", "print lines, as curl -H @- reads them"),
  ]
}

/// Header fields for an address, as MCP clients take them from a command (Claude Code's `headersHelper`, Codex's
/// `http_headers_helper`), or in lines for curl. If no account is set up for the address, this begins a login.
///
/// The clients wait ten seconds. That is enough for a refresh, but not for a user who signs in. So both run in a process of
/// its own that goes on when this one ends, and the next call finds the token.
struct HeadersHelper: HelperProtocol {
  static let name = "headers"
  static let callers = "Claude Code, Codex, other MCP clients, curl"
  static let setUp = [
    #""headersHelper": "tokentry helper headers --check"   in .mcp.json, for Claude Code"#,
    #"http_headers_helper = "tokentry helper headers --check URL"   in ~/.codex/config.toml"#,
    "tokentry helper headers --lines URL | curl -H @- URL",
  ]
  /// The seconds for a call. Some of the client's ten are left for a busy machine.
  static let patience = 7
  /// The seconds of these that the API may take.
  static let patienceOfCheck = 3

  static var arguments: [Option] { HeadersWishes.options }
  static var loginOptions: [Option] {
    ProviderWishes.options + RequestWishes.options("scope", "param", "login-hint")
  }

  private let broker: TokenBroker
  private let address: String
  private let resource: ProtectedResource
  /// The name for an account that is made for the address.
  private let ownName: AccountName

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    guard broker.arguments.count < 2,
      let address = broker.arguments.first ?? broker["CLAUDE_CODE_MCP_SERVER_URL"]
    else {
      throw broker.lacks(
        "the address of an API", hint: "add it, or set CLAUDE_CODE_MCP_SERVER_URL as Claude Code does")
    }
    self.address = address
    resource = try Self.resource(at: address)
    ownName = try AccountName(shortening: resource.description, broker.shared.cryptography)
  }

  private static func resource(at address: String) throws(Failure) -> ProtectedResource {
    try failing(ProtectedResource(address)) { (reason: Message) in .notAnAddress(address, reason) }
  }

  static func mayAsk(_ environment: Environment) -> Bool { true }

  /// Returns the account that is called after the address, or another one that is meant for it.
  static func account(for wish: TokenWish, in kept: KeptAccounts) async throws(Failure) -> Account {
    if wish.account == nil, let address = wish.address {
      let name = try AccountName(shortening: try resource(at: address.url).description, GnuTLSCryptography())
      if let own = try await kept.find(name), (try? kept.check(own, for: wish)) != nil { return own }
    }
    return try await kept.chosen(for: wish)
  }

  func text() async throws(Failure) -> String {
    if SignInChild.isThis {
      try await renew()
      return ""
    }
    broker.shared.run.setDeadline(seconds: Self.patience, isGiven: true)
    let wish = try wish()
    do throws(Failure) {
      if let granted = try await broker.tokens.tokenAtOnce(wish, old: false) {
        if !broker.wishes[HeadersWishes.self].checks { return try header(of: granted) }
        var isRefused = false
        try await checked(granted) { _, _ in
          isRefused = true
          return nil
        }
        if !isRefused { return try header(of: granted) }
      }
    } catch {
      guard error.kind == .noAccount else { throw error }
      if broker.signIn.isSilent { throw .noAccount(forAPI: address) }
    }
    broker.shared.run.failAtDeadline(
      Failure(
        .alreadyInProgress,
        "a token for \(Redaction.address(address), upTo: 200) takes longer than this program may wait",
        hint: "sign in when a window or browser asks you to: the next call returns the token"))
    try await SignInChild.signIn(broker.shared)
    guard let granted = try await broker.tokens.tokenAtOnce(wish, old: true) else { throw .defect() }
    return try header(of: granted)
  }

  private func wish() throws(Failure) -> TokenWish {
    broker.wish(TokenWish.Address(url: resource.description))
  }

  private func header(of granted: GrantedToken) throws(Failure) -> String {
    try granted.token.checkUnbound()
    broker.hideSecrets(of: granted)
    let value = try granted.authorization()
    if broker.wishes[HeadersWishes.self].printsLines { return "Authorization: \(value)\n" }
    let object: JSONObject = ["Authorization": .string(value)]
    return object.text + "\n"
  }

  /// Sees to it that there is a good token, after a refresh or a login if necessary.
  private func renew() async throws(Failure) {
    let (tokens, wish) = (broker.tokens, try wish())
    do throws(Failure) {
      let kept = try await tokens.tokenAtOnce(wish, old: false)
      let granted = if let kept { kept } else { try await tokens.token(wish) }
      if broker.wishes[HeadersWishes.self].checks {
        try await checked(granted, isFresh: kept == nil) { remedy, refused throws(Failure) in
          try await tokens.token(insteadOf: refused, by: remedy, for: wish)
        }
      }
    } catch {
      guard error.kind == .noAccount else { throw error }
      _ = try await tokens.login(try broker.login(for: ownName, resource: address), for: wish)
    }
  }
}

/// Trying the token at the API.
extension HeadersHelper {
  /// Tries the token at the API, and gets another one with `renew` as long as the API refuses it and there is a remedy. An API
  /// that does not answer refuses nothing. A token that it refuses in the end is noted. If it demands more and a login would
  /// not help, the token is handed out anyway: it may be good for other requests. If the API does not support GET, it gets a
  /// POST without a meaning.
  @GLibActor
  private func checked(
    _ granted: GrantedToken, isFresh: Bool = false,
    renew: @GLibActor (Remedy, GrantedToken) async throws(Failure) -> GrantedToken?
  ) async throws(Failure) {
    let (tokens, isSilent) = (broker.tokens, broker.signIn.isSilent)
    var (granted, failure) = (granted, nil as Failure?)
    for method in ["GET", "POST"] {
      let request = try ResourceRequest(
        method, Endpoint.given(address),
        headers: [Parameter("Accept", "application/json"), Parameter("Content-Type", "application/json")])
      var exchange = ResourceExchange(request, through: broker.shared.host, patience: Self.patienceOfCheck)
      let head: HTTPResponse
      do throws(Failure) {
        let (answer, used) = try await exchange.answer(
          with: granted, \.token, isFresh: isFresh, signing: tokens.signing
        ) { _, _ in
        } renew: { remedy, refused async throws(Failure) in
          if case .stepUp(let stepUp) = remedy {
            guard !isSilent, try await tokens.mayBring(stepUp, by: refused.account) else { return nil }
          }
          do throws(Failure) { return try await renew(remedy, refused) } catch {
            failure = error
            throw error
          }
        }
        (head, granted) = (answer.head, used)
        await answer.abandon()
      } catch {
        if let failure { throw failure }
        return
      }
      if head.status == 404 || head.status == 405 { continue }
      if Remedy.after(head) == .refresh, let token = granted.token.accessToken {
        try await tokens.reject(token, for: try wish().naming(granted.account), isByAPI: true)
      } else if ![401, 403].contains(head.status) {
        try await tokens.noteAcceptance(of: granted.account)
      }
      return
    }
  }
}
