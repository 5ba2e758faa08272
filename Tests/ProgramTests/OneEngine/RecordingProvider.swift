import Foundation
import LoginCore
import Synchronization
import TestSupport

/// An authorization server and an API that record every request. The user is signed in as soon as the page is open.
final class RecordingProvider: Sendable {
  /// A way in which this provider differs from the usual one.
  enum Trait: Sendable {
    case asksForName, deniesAccess, refusesCode, hangsUp
    case offersDeviceCodes, letsCodesExpire, deniesCode
    case identifies, isAnotherIssuer, wantsPushedRequests, bindsTokens
    case givesShortTokens, givesNoRefreshTokens, refusesRefresh, revokesNothing
    /// The id_token of a refresh, or of a second sign-in, is about another user.
    case refreshesForOther, changesUser
    /// The API accepts each token once.
    case endsTokens
    /// The API demands the scope `write`.
    case demandsScope
    /// The provider forgets a registered client after its first token.
    case forgetsClients
  }

  private struct Memory {
    var nonce = "", scope = "", redirect = "", state = "", tokens = 0, clients = 0, polls = 0
    var used: Set<String> = []

    /// Notes the parameters of an authorization request.
    mutating func note(_ sent: [String: String]) {
      (nonce, scope) = (sent["nonce"] ?? nonce, sent["scope"] ?? scope)
      (redirect, state) = (sent["redirect_uri"] ?? redirect, sent["state"] ?? state)
    }
  }

  let server: StandInServer

  init(_ traits: Set<Trait>) throws {
    let memory = Box()
    let authority = try IDTokenAuthority()
    server = try StandInServer { request, base in
      memory.state.withLock { Self.answer(request, base, traits, &$0, authority) }
    }
  }

  private final class Box: Sendable {
    let state = Mutex(Memory())
  }

  private static func answer(
    _ request: StandInServer.Request, _ base: String, _ traits: Set<Trait>, _ memory: inout Memory,
    _ authority: IDTokenAuthority
  ) -> StandInServer.Answer {
    switch request.path {
    case "/.well-known/openid-configuration": return metadata(base, traits)
    case "/authorize", "/name":
      memory.note(request.query)
      return page(request, base, traits, memory)
    case "/push":
      memory.note(request.form)
      return .json(#"{"request_uri":"urn:pushed","expires_in":60}"#, status: 201)
    case "/device":
      return .json(
        #"{"device_code":"D","user_code":"WDJB-MJHT","verification_uri":"\#(base)/enter","interval":1,"expires_in":600}"#
      )
    case "/token": return token(request, base, traits, &memory, authority)
    case "/register":
      memory.clients += 1
      let members = #""client_id":"registered-\#(memory.clients)""#
      return .json("{\(members)}", status: 201)
    case "/revoke": return StandInServer.Answer(traits.contains(.revokesNothing) ? 503 : 200)
    case "/end": return StandInServer.Answer(200)
    case "/keys": return authority.keys
    case "/api": return api(request, traits, &memory)
    default: return StandInServer.Answer(404)
    }
  }

  private static func metadata(_ base: String, _ traits: Set<Trait>) -> StandInServer.Answer {
    let issuer = traits.contains(.isAnotherIssuer) ? "https://elsewhere.example" : base
    var members = [
      #""issuer":"\#(issuer)""#, #""code_challenge_methods_supported":["S256"]"#,
    ]
    var paths = [
      "authorization": "authorize", "token": "token", "registration": "register", "revocation": "revoke",
    ]
    if traits.contains(.offersDeviceCodes) { paths["device_authorization"] = "device" }
    members += paths.sorted { $0.key < $1.key }.map { #""\#($0.key)_endpoint":"\#(base)/\#($0.value)""# }
    if traits.contains(.identifies) { members.append(#""jwks_uri":"\#(base)/keys""#) }
    if traits.contains(.wantsPushedRequests) {
      members.append(#""pushed_authorization_request_endpoint":"\#(base)/push""#)
      members.append(#""require_pushed_authorization_requests":true"#)
    }
    return .json("{\(members.joined(separator: ","))}")
  }

  /// Sends the user back, or asks for the name first.
  private static func page(
    _ request: StandInServer.Request, _ base: String, _ traits: Set<Trait>, _ memory: Memory
  ) -> StandInServer.Answer {
    if traits.contains(.asksForName), request.path == "/authorize" {
      let inputs = request.query.map { #"<input type="hidden" name="\#($0.key)" value="\#($0.value)">"# }
      return .html(
        #"<form action="/name">\#(inputs.sorted().joined())<input name="username"><button>Go</button></form>"#
      )
    }
    let (redirect, state) = (memory.redirect, "&state=\(memory.state)")
    if traits.contains(.deniesAccess) {
      return .redirect("\(redirect)?error=access_denied&error_description=not+today\(state)")
    }
    return request.query["response_type"] == "token"
      ? .redirect("\(redirect)#access_token=T&token_type=Bearer\(state)")
      : .redirect("\(redirect)?code=C\(state)")
  }

  private static func token(
    _ request: StandInServer.Request, _ base: String, _ traits: Set<Trait>, _ memory: inout Memory,
    _ authority: IDTokenAuthority
  ) -> StandInServer.Answer {
    func refusal(_ error: String) -> StandInServer.Answer { .json(#"{"error":"\#(error)"}"#, status: 400) }
    if traits.contains(.hangsUp) { return .hangUp }
    let (form, grant) = (request.form, request.form["grant_type"] ?? "")
    let client = form["client_id"] ?? ""
    if grant == "refresh_token", traits.contains(.refusesRefresh) { return refusal("invalid_grant") }
    if grant == "authorization_code" {
      if traits.contains(.refusesCode) { return refusal("invalid_grant") }
      if traits.contains(.forgetsClients), !memory.used.insert(client).inserted {
        return refusal("invalid_client")
      }
    }
    if grant.hasSuffix(":device_code") {
      if traits.contains(.letsCodesExpire) { return refusal("expired_token") }
      if traits.contains(.deniesCode) { return refusal("access_denied") }
      memory.polls += 1
      if memory.polls == 1 { return refusal("authorization_pending") }
    }
    memory.tokens += 1
    let type = traits.contains(.bindsTokens) ? "DPoP" : "Bearer"
    var members = [
      #""access_token":"T\#(memory.tokens)""#, #""token_type":"\#(type)""#,
      #""scope":"\#(form["scope"] ?? memory.scope)""#,
      #""expires_in":\#(traits.contains(.givesShortTokens) && memory.tokens == 1 ? 1 : 3_600)"#,
    ]
    if grant != "client_credentials", !traits.contains(.givesNoRefreshTokens) {
      members.append(#""refresh_token":"R\#(memory.tokens)""#)
    }
    let isOther: Bool =
      memory.tokens > 1 && traits.contains(grant == "refresh_token" ? .refreshesForOther : .changesUser)
    if traits.contains(.identifies),
      let identity = try? authority.token(
        of: base,
        ["sub": isOther ? "bob" : "ann", "aud": .string(client), "nonce": .string(memory.nonce)])
    {
      members.append(#""id_token":"\#(identity)""#)
    }
    return .json("{\(members.joined(separator: ","))}")
  }

  private static func api(
    _ request: StandInServer.Request, _ traits: Set<Trait>, _ memory: inout Memory
  ) -> StandInServer.Answer {
    let token = request.headers["authorization"] ?? ""
    if traits.contains(.endsTokens), !memory.used.insert(token).inserted {
      return StandInServer.Answer(401, [#"WWW-Authenticate: Bearer error="invalid_token""#])
    }
    if traits.contains(.demandsScope), !memory.scope.contains("write") {
      return StandInServer.Answer(
        403, [#"WWW-Authenticate: Bearer error="insufficient_scope", scope="write""#], "more scope")
    }
    return .json(#"{"notes":[]}"#)
  }
}
