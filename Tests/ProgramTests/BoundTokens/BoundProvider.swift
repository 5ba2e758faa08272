import Foundation
import LoginCore
import Synchronization
import TestSupport
import Testing

/// A provider that demands pushed requests and bound tokens, as in atproto's profile of OAuth: a public client,
/// nonces of the server, `iss` in the callback, and a userinfo endpoint with nonces of its own.
///
/// It reads the claims of a proof. An independent library verifies the signatures: see ``Proofs``.
final class BoundProvider: Sendable {
  private struct Memory {
    var nonce = 1
    var pushed: [String: [String: String]] = [:]
    var asked: [String: String] = [:]
    var refreshToken = 1
    var resourceNonce = 1
    var key: String?
  }

  let server: StandInServer

  /// Starts the server. `change` is called before every answer.
  init(life: Int = 3_600, _ change: @escaping @Sendable (inout BoundBehavior) -> Void = { _ in }) throws {
    let memory = Mutex(Memory())
    server = try StandInServer { request, base in
      var behavior = BoundBehavior(request: request, base: base)
      change(&behavior)
      return memory.withLock { Self.answer(to: request, base, life, behavior, &$0) }
    }
  }

  private static func answer(
    to request: StandInServer.Request, _ base: String, _ life: Int, _ behavior: BoundBehavior,
    _ memory: inout Memory
  ) -> StandInServer.Answer {
    if let answer = behavior.answers[request.path] { return answer }
    switch request.path {
    case "/.well-known/oauth-authorization-server": return .json(behavior.metadata.text)
    case "/par", "/token", "/revoke":
      if let refusal = refusal(request, base, behavior, &memory) { return refusal }
      memory.nonce += 1
      let fields = ["Content-Type: application/json", "DPoP-Nonce: N\(memory.nonce)"]
      let (status, body) =
        switch request.path {
        case "/par": push(request, &memory)
        case "/token": token(request, life, behavior, &memory)
        default: (200, "")
        }
      return StandInServer.Answer(status, fields, body)
    case "/auth": return page(request, base, behavior, &memory)
    case "/me", "/end", "/api":
      if let refusal = refusal(request, base, behavior, &memory) { return refusal }
      if request.path == "/me" { return .json(#"{"sub":"did:plc:ann"}"#) }
      return request.path == "/end"
        ? .json(#"{"response":1}"#) : StandInServer.Answer(200, [], "\(request.method) \(request.body)\n")
    default: return StandInServer.Answer(404)
    }
  }

  /// Returns the answer to a wrong proof: RFC 9449 sections 4.3, 8 and 9.
  private static func refusal(
    _ request: StandInServer.Request, _ base: String, _ behavior: BoundBehavior, _ memory: inout Memory
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
    guard proof.claims["nonce"]?.string == nonce, !behavior.refusesEveryNonce else {
      return no("use_dpop_nonce", behavior.hidesNonce ? [] : ["DPoP-Nonce: \(nonce)"])
    }
    if isResource {
      if behavior.changesNonce { memory.resourceNonce += 1 }
      let isHeld =
        request.headers["authorization"] == "DPoP T\(memory.refreshToken)"
        && !behavior.deadTokens.contains("T\(memory.refreshToken)")
      return isHeld && proof.key == memory.key && proof.claims["ath"] != nil ? nil : no("invalid_token")
    }
    // The pushed request decides the key of the login.
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
    _ request: StandInServer.Request, _ base: String, _ behavior: BoundBehavior, _ memory: inout Memory
  ) -> StandInServer.Answer {
    let query = request.query
    guard Set(query.keys) == ["client_id", "request_uri"], let name = query["request_uri"],
      let asked = memory.pushed.updateValue([:], forKey: name), let state = asked["state"]
    else { return .html("<h1>A request that was not pushed, or was used before") }
    memory.asked = asked
    var answer = behavior.callback
    answer["state"] = state
    let parameters = answer.map { "\($0.key)=\(FormEncoding.encode($0.value))" }.joined(separator: "&")
    return .redirect("https://app.example/done?\(parameters)")
  }

  private static func token(
    _ request: StandInServer.Request, _ life: Int, _ behavior: BoundBehavior, _ memory: inout Memory
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
    var token = behavior.token
    token["access_token"] = .string("T\(memory.refreshToken)")
    token["refresh_token"] = .string("R\(memory.refreshToken)")
    token["expires_in"] = .number(JSONNumber(Int64(life)))
    return (200, token.text)
  }
}

/// The behavior of a ``BoundProvider``: correct in every respect until a test spoils it.
struct BoundBehavior: Sendable {
  /// The current request.
  let request: StandInServer.Request
  /// The provider's metadata.
  var metadata: JSONObject
  /// The parameters of the callback besides its state.
  var callback: [String: String]
  /// The answer of the token endpoint besides both tokens and their lifetime.
  var token: JSONObject = ["token_type": "DPoP", "sub": "did:plc:ann", "scope": "atproto"]
  /// True if every nonce is refused.
  var refusesEveryNonce = false
  /// True if a nonce is demanded and not told.
  var hidesNonce = false
  /// True if the resource server accepts each nonce once, and does not tell the next one.
  var changesNonce = false
  /// Tokens that are refused although they have not expired.
  var deadTokens: Set<String> = []
  /// Answers that replace the usual ones, by path.
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

/// The contents of a proof of possession, unverified.
struct Proof {
  let claims: JSONObject
  /// The key in the header of the proof.
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

/// Verifies proofs of possession with joserfc, a library of other people.
enum Proofs {
  /// Expects that every proof is as RFC 9449 demands, and that all of them are by one key.
  static func expectVerified(
    _ server: StandInServer, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let sent = server.requests.filter { $0.headers["dpop"] != nil }
    try #require(!sent.isEmpty, "no proofs", sourceLocation: sourceLocation)
    let lines = try sent.map { request in
      try JSONEncoder().encode([
        "proof": request.headers["dpop"] ?? "", "method": request.method,
        "address": server.base + request.path,
        "authorization": request.headers["authorization"] ?? "", "thumbprint": request.form["dpop_jkt"] ?? "",
      ])
    }
    let run = try Command.run(
      ["/usr/bin/python3", "-B", Command.script("BoundTokens/proofs.py")],
      input: lines.reduce(into: "") { $0 += String(decoding: $1, as: UTF8.self) + "\n" })
    #expect(
      run.status == 0 && run.output == "\(sent.count) proofs by 1 key\n", "\(run)",
      sourceLocation: sourceLocation)
  }
}
