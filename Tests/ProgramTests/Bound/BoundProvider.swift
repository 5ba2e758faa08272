import Foundation
import LoginCore
import Synchronization
import TestSupport

/// A provider where requests have to be pushed and tokens are bound to a key, as atproto's profile of OAuth demands
/// it: a public client, server nonces, `iss` in the callback, and a userinfo endpoint with nonces of its own.
///
/// It looks at what a proof says; whether its signature is right is for an independent library to say.
final class BoundProvider: Sendable {
  private struct Memory {
    var nonce = 1
    var pushed: [String: [String: String]] = [:]
    var asked: [String: String] = [:]
    var refreshToken = 1
    var resourceNonce = 1
    var key: String?
  }

  /// The server, which counts.
  let server: StandInServer

  /// Begins to listen. `change` is called before every answer.
  init(life: Int = 3_600, _ change: @escaping @Sendable (inout Manner) -> Void = { _ in }) throws {
    let memory = Mutex(Memory())
    server = try StandInServer { request, base in
      var manner = Manner(request: request, base: base)
      change(&manner)
      return memory.withLock { Self.answer(to: request, base, life, manner, &$0) }
    }
  }

  private static func answer(
    to request: StandInServer.Request, _ base: String, _ life: Int, _ manner: Manner, _ memory: inout Memory
  ) -> StandInServer.Answer {
    if let answer = manner.answers[request.path] { return answer }
    switch request.path {
    case "/.well-known/oauth-authorization-server": return .json(manner.metadata.text)
    case "/par", "/token", "/revoke":
      if let refusal = refusal(request, base, manner, &memory) { return refusal }
      memory.nonce += 1
      let fields = ["Content-Type: application/json", "DPoP-Nonce: N\(memory.nonce)"]
      let (status, body) =
        switch request.path {
        case "/par": push(request, &memory)
        case "/token": token(request, life, manner, &memory)
        default: (200, "")
        }
      return StandInServer.Answer(status, fields, body)
    case "/auth": return page(request, base, manner, &memory)
    case "/me", "/end", "/api":
      if let refusal = refusal(request, base, manner, &memory) { return refusal }
      if request.path == "/me" { return .json(#"{"sub":"did:plc:ann"}"#) }
      return request.path == "/end"
        ? .json(#"{"response":1}"#) : StandInServer.Answer(200, [], "\(request.method) \(request.body)\n")
    default: return StandInServer.Answer(404)
    }
  }

  /// What is wrong with a proof: RFC 9449 sections 4.3, 8 and 9.
  private static func refusal(
    _ request: StandInServer.Request, _ base: String, _ manner: Manner, _ memory: inout Memory
  ) -> StandInServer.Answer? {
    let isResource = ["/me", "/end", "/api"].contains(request.path)
    func no(_ code: String, _ fields: [String] = []) -> StandInServer.Answer {
      isResource
        ? StandInServer.Answer(401, fields + [#"WWW-Authenticate: DPoP error="\#(code)", algs="ES256""#])
        : StandInServer.Answer(400, fields, #"{"error":"\#(code)"}"#)
    }
    guard let proof = Proof(request.headers["dpop"] ?? ""), proof.claims["htm"]?.string == request.method,
      proof.claims["htu"]?.string == base + request.path
    else { return no("invalid_dpop_proof") }
    let nonce = isResource ? "M\(memory.resourceNonce)" : "N\(memory.nonce)"
    guard proof.claims["nonce"]?.string == nonce, !manner.isNeverContent else {
      return no("use_dpop_nonce", manner.keepsNonceToItself ? [] : ["DPoP-Nonce: \(nonce)"])
    }
    if isResource {
      if manner.changesNonce { memory.resourceNonce += 1 }
      let isHeld =
        request.headers["authorization"] == "DPoP T\(memory.refreshToken)"
        && !manner.deadTokens.contains("T\(memory.refreshToken)")
      return isHeld && proof.key == memory.key && proof.claims["ath"] != nil ? nil : no("invalid_token")
    }
    // The key of the pushed request is that of the login.
    if request.path == "/par" { memory.key = proof.key }
    return proof.key == memory.key && proof.claims["ath"] == nil ? nil : no("invalid_dpop_proof")
  }

  private static func push(_ request: StandInServer.Request, _ memory: inout Memory) -> (Int, String) {
    let form = request.form
    guard form["request_uri"] == nil, form["client_id"] == "https://app.example/client.json",
      form["code_challenge_method"] == "S256", form["dpop_jkt"]?.utf8.count == 43, form["state"] != nil
    else { return (400, #"{"error":"invalid_request"}"#) }
    let name = "urn:ietf:params:oauth:request_uri:\(memory.pushed.count + 1)"
    memory.pushed[name] = form
    return (201, #"{"request_uri":"\#(name)","expires_in":60}"#)
  }

  private static func page(
    _ request: StandInServer.Request, _ base: String, _ manner: Manner, _ memory: inout Memory
  ) -> StandInServer.Answer {
    let query = request.query
    guard Set(query.keys) == ["client_id", "request_uri"], let name = query["request_uri"],
      let asked = memory.pushed.updateValue([:], forKey: name), let state = asked["state"]
    else { return .html("<h1>A request that was not pushed, or was used before") }
    memory.asked = asked
    var answer = manner.callback
    answer["state"] = state
    let parameters = answer.map { "\($0.key)=\(FormEncoding.encode($0.value))" }.joined(separator: "&")
    return .redirect("https://app.example/done?\(parameters)")
  }

  private static func token(
    _ request: StandInServer.Request, _ life: Int, _ manner: Manner, _ memory: inout Memory
  ) -> (Int, String) {
    let form = request.form
    if form["grant_type"] == "refresh_token" {
      guard form["refresh_token"] == "R\(memory.refreshToken)" else {
        return (400, #"{"error":"invalid_grant"}"#)
      }
      memory.refreshToken += 1
    } else if (try? request.redeems(memory.asked)) != true {
      return (400, #"{"error":"invalid_grant"}"#)
    }
    var token = manner.token
    token["access_token"] = .string("T\(memory.refreshToken)")
    token["refresh_token"] = .string("R\(memory.refreshToken)")
    token["expires_in"] = .number(JSONNumber(Int64(life)))
    return (200, token.text)
  }
}

/// How a ``BoundProvider`` behaves: right in every respect, until a test spoils it.
struct Manner: Sendable {
  /// What is asked now.
  let request: StandInServer.Request
  /// What the provider says of itself.
  var metadata: JSONObject
  /// The parameters of the callback beside its state.
  var callback: [String: String]
  /// The answer of the token endpoint beside both tokens and their life.
  var token: JSONObject = ["token_type": "DPoP", "sub": "did:plc:ann", "scope": "atproto"]
  /// Whether no nonce is ever the right one.
  var isNeverContent = false
  /// Whether a nonce is asked for that nobody is told.
  var keepsNonceToItself = false
  /// Whether a server that takes tokens takes a nonce once, and tells nobody the next one.
  var changesNonce = false
  /// Tokens that it does not take although they have not expired.
  var deadTokens: Set<String> = []
  /// Answers of other kinds, by path.
  var answers: [String: StandInServer.Answer] = [:]

  init(request: StandInServer.Request, base: String) {
    self.request = request
    metadata = [
      "issuer": .string(base), "authorization_endpoint": .string(base + "/auth"),
      "token_endpoint": .string(base + "/token"), "userinfo_endpoint": .string(base + "/me"),
      "revocation_endpoint": .string(base + "/revoke"),
      "pushed_authorization_request_endpoint": .string(base + "/par"),
      "require_pushed_authorization_requests": true, "authorization_response_iss_parameter_supported": true,
      "dpop_signing_alg_values_supported": ["ES256"], "client_id_metadata_document_supported": true,
    ]
    callback = ["code": "C", "iss": base]
  }
}

/// What a proof of possession says, read and not believed.
struct Proof {
  let claims: JSONObject
  /// The key that the proof says it is signed with.
  let key: String

  init?(_ text: String) {
    let parts = text.components(separatedBy: ".")
      .map { Base64.decodeURLSafe($0).flatMap { try? JSONReader.read($0).object } }
    guard parts.count == 3, let header = parts[0], let claims = parts[1], header["typ"] == "dpop+jwt",
      header["alg"] == "ES256", let key = header["jwk"]?.object, key["d"] == nil, claims["jti"] != nil
    else { return nil }
    self.claims = claims
    self.key = key.text
  }
}
