import Foundation
import GnuTLSCrypto
import LoginCore
import Synchronization
import TestSupport
import Testing

/// A provider whose refresh tokens work once. A second use ends the whole family of tokens at once, as some providers do.
/// Its users are identified by id_tokens.
final class FamilyProvider: Sendable {
  struct State {
    /// The number of the refresh token that is alive. Access token `A5` comes with refresh token `R5`.
    var current = 0
    var isAlive = true
    /// The refreshes that were answered, the uses of dead refresh tokens, and all token requests.
    var (refreshes, reuses, requests) = (0, 0, 0)
    var user = "ada"
    /// The seconds for which access tokens and id_tokens live.
    var (life, identityLife) = (3_600, 600)
    /// False for a provider without refresh tokens.
    var hasRefreshTokens = true
    var hasKeys = true
    /// Changed claims of the id_tokens that come with a refresh.
    var changes: JSONObject = [:]
    /// Another text in place of these id_tokens.
    var replaces: (@Sendable (String) -> String)?
    /// The answer to every refresh.
    var refusal: StandInServer.Answer?
    /// True while refreshes wait.
    var holds = false
    /// The access tokens that the API and userinfo refuse.
    var refused: Set<String> = []
    fileprivate var nonce = ""
  }

  let state = Mutex(State())
  let folder = TemporaryFolder()
  private let authority: IDTokenAuthority
  private let started = Mutex<StandInServer?>(nil)

  init() throws {
    authority = try IDTokenAuthority()
    let server = try StandInServer { [weak self] request, base in self?.answer(request, base) ?? .hangUp }
    started.withLock { $0 = server }
  }

  var base: String { started.withLock { $0?.base ?? "" } }
  var requests: [StandInServer.Request] { started.withLock { $0?.requests ?? [] } }
  var seen: State { state.withLock { $0 } }
  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  /// The environment of programs at home.
  var environment: [String: String] {
    ["TOKENTRY_STORE": "file:\(folder.path)/store", "HOME": folder.path]
  }

  func run(_ arguments: [String], input: String = "") throws -> Outcome {
    try Tokentry.run(arguments, input: input, environment: environment)
  }

  static let asking = ["--headless-test"]

  /// The options of a login here.
  var login: [String] {
    ["login", "--issuer", base, "--client-id", "client", "--scope", "openid"] + Self.asking
  }

  /// Makes the account `work`.
  func signIn() throws {
    let outcome = try run(login + ["--account", "work", "--for", base])
    try #require(outcome.status == 0, "\(outcome)")
  }

  private func answer(_ request: StandInServer.Request, _ base: String) -> StandInServer.Answer {
    switch request.path {
    case "/.well-known/openid-configuration":
      return .metadata(
        base, ["jwks_uri": "/keys", "userinfo_endpoint": "/me"],
        more: #","code_challenge_methods_supported":["S256"]"#)
    case "/auth":
      set { $0.nonce = request.query["nonce"] ?? "" }
      return .redirect("\(request.query["redirect_uri"] ?? "")?code=C&state=\(request.query["state"] ?? "")")
    case "/keys": return seen.hasKeys ? authority.keys : .hangUp
    case "/me", "/api":
      let token = request.headers["authorization"]?.split(separator: " ").last.map(String.init) ?? ""
      if seen.refused.contains(token) {
        return StandInServer.Answer(401, [#"WWW-Authenticate: Bearer error="invalid_token""#])
      }
      return .json(#"{"sub":"\#(seen.user)","token":"\#(token)"}"#)
    default: return token(request, base)
    }
  }

  private func token(_ request: StandInServer.Request, _ base: String) -> StandInServer.Answer {
    let old = request.form["refresh_token"]
    set { $0.requests += 1 }
    if old != nil {
      for _ in 0..<3_000 where seen.holds { usleep(10_000) }
      if let refusal = seen.refusal { return refusal }
    }
    return state.withLock { state in
      if let old {
        guard state.isAlive, old == "R\(state.current)" else {
          state.reuses += 1
          state.isAlive = false
          return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        state.refreshes += 1
      } else {
        state.isAlive = true
      }
      state.current += 1
      let end = Int64(Date().timeIntervalSince1970) + Int64(state.identityLife)
      var claims: JSONObject = [
        "sub": .string(state.user), "preferred_username": .string(state.user), "aud": "client",
        "nonce": .string(state.nonce), "exp": .number(JSONNumber(end)),
      ]
      if old != nil { for change in state.changes { claims[change.name] = change.value } }
      var identity = (try? authority.token(of: base, claims)) ?? ""
      if old != nil, let replaces = state.replaces { identity = replaces(identity) }
      let refresh = state.hasRefreshTokens ? #","refresh_token":"R\#(state.current)""# : ""
      return .json(
        #"{"access_token":"A\#(state.current)","token_type":"Bearer","expires_in":\#(state.life)\#(refresh),"#
          + #""id_token":"\#(identity)"}"#)
    }
  }
}
