import Foundation
import GnuTLSCrypto
import LoginCore
import Synchronization
import TestSupport
import Testing

/// A provider on a port of its own whose behavior a test can spoil.
final class HostileProvider: Sendable {
  private struct Memory {
    var asked: [String: String] = [:]
    var readings = 0
  }

  let server: StandInServer

  /// Starts the server. `change` is called before every answer.
  init(_ change: @escaping @Sendable (inout ProviderBehavior) -> Void = { _ in }) throws {
    let memory = Mutex(Memory())
    server = try StandInServer { request, base in
      let known = memory.withLock { memory in
        if request.path == "/auth" { memory.asked = request.query }
        if request.path == "/keys" { memory.readings += 1 }
        return memory
      }
      var behavior = ProviderBehavior(
        base: base, request: request, asked: known.asked, readings: known.readings)
      change(&behavior)
      return (try? behavior.answer()) ?? StandInServer.Answer(500)
    }
  }

  /// Runs a login here.
  func login(_ more: [String] = [], secret: String? = nil, isPlain: Bool = false) throws -> Outcome {
    try Tokentry.run(
      arguments(isPlain: isPlain) + more, environment: secret.map { ["TOKENTRY_CLIENT_SECRET": $0] } ?? [:])
  }

  /// The command line of a login. A plain one uses neither discovery nor OpenID.
  func arguments(isPlain: Bool = false, isForOpenID: Bool = true) -> [String] {
    let place =
      isPlain
      ? [
        "--endpoint", "authorization=\(server.base)/auth", "--endpoint",
        "token=\(server.base)/token",
      ]
      : ["--issuer", server.base] + (isForOpenID ? ["--scope", "openid"] : [])
    return ["login"] + place + [
      "--client-id", "client", "--redirect-uri", "https://app.example/done",
    ]
      + ["--headless-test"]
  }
}

/// All that a provider says in one login. It starts out correct in every respect, and a test spoils it.
struct ProviderBehavior: Sendable {
  /// The address of the provider, which is also its issuer.
  let base: String
  /// The current request.
  let request: StandInServer.Request
  /// The parameters of the authorization request.
  let asked: [String: String]
  /// How often the keys have been read, including this request.
  let readings: Int

  var metadata: JSONObject
  /// The parameters of the callback, without `callbackEnd`.
  var callback: [String: String]
  /// Text after the parameters.
  var callbackEnd = ""
  /// The answer of the token endpoint, without the id_token.
  var token: JSONObject = ["access_token": "T", "token_type": "Bearer", "expires_in": 3600]
  /// The header of the id_token.
  var header: JSONObject = ["alg": "RS256", "kid": "rsa"]
  /// The payload of the id_token.
  var claims: JSONObject
  var signature = Signature.key(.rsa)
  /// Changes the id_token after it was signed.
  var spoil: @Sendable (String) -> String = { $0 }
  var sendsIDToken = true
  /// The published keys.
  var keys: [JSONObject] = [.rsa]
  /// Answers that replace the usual ones, by path.
  var answers: [String: StandInServer.Answer] = [:]

  enum Signature {
    case key(GnuTLSSigningKey)
    case secret([UInt8])
    case missing
  }

  init(base: String, request: StandInServer.Request, asked: [String: String], readings: Int) {
    self.base = base
    self.request = request
    self.asked = asked
    self.readings = readings
    metadata = [
      "issuer": .string(base), "authorization_endpoint": .string(base + "/auth"),
      "token_endpoint": .string(base + "/token"), "jwks_uri": .string(base + "/keys"),
      "id_token_signing_alg_values_supported": ["RS256", "ES256", "PS256", "EdDSA"],
      "authorization_response_iss_parameter_supported": true,
    ]
    callback = ["code": "C", "state": asked["state"] ?? "", "iss": base]
    let now = Self.now
    claims = [
      "iss": .string(base), "sub": "ann", "aud": "client", "exp": .number(JSONNumber(now + 600)),
      "iat": .number(JSONNumber(now)), "auth_time": .number(JSONNumber(now)),
      "at_hash": "5jK3CVsL8ywmD6TFOen9ew",  // of the access token "T"
    ]
    claims["nonce"] = asked["nonce"].map(JSONValue.string)
  }

  private static var now: Int64 { Int64(Date().timeIntervalSince1970) }

  /// Sets a claim to a time relative to now.
  mutating func setTime(_ claim: String, _ seconds: Int64) {
    claims[claim] = .number(JSONNumber(Self.now + seconds))
  }

  /// Signs with a key, and says so in the header.
  mutating func sign(with key: GnuTLSSigningKey, named identifier: String?) {
    signature = .key(key)
    header["alg"] = .string(key.algorithm.rawValue)
    header["kid"] = identifier.map(JSONValue.string)
  }

  /// Signs with a secret, and says so in the header.
  mutating func sign(with secret: some Sequence<UInt8>) {
    signature = .secret(Array(secret))
    header = ["alg": "HS256"]
  }

  /// Flips a bit of the signature.
  mutating func flipSignature() {
    spoil = { token in
      let parts = token.components(separatedBy: ".")
      var signature = Base64.decodeURLSafe(parts[2]) ?? []
      signature[signature.count / 2] ^= 1
      return "\(parts[0]).\(parts[1]).\(Base64.encodeURLSafe(signature))"
    }
  }
}

extension ProviderBehavior {
  /// The answer to the request.
  func answer() throws -> StandInServer.Answer {
    if let answer = answers[request.path] { return answer }
    switch request.path {
    case "/.well-known/openid-configuration": return .json(metadata.text)
    case "/auth":
      let parameters = callback.map { "\($0.key)=\(FormEncoding.encode($0.value))" }.joined(separator: "&")
      return .redirect("https://app.example/done?\(parameters)\(callbackEnd)")
    case "/token":
      guard try request.redeems(asked) else {
        return .json(#"{"error":"invalid_grant"}"#, status: 400)
      }
      var token = token
      if sendsIDToken { token["id_token"] = .string(try idToken()) }
      return .json(token.text)
    case "/keys": return .json(Self.keySet(keys))
    default: return StandInServer.Answer(404)
    }
  }

  /// A JWK set.
  static func keySet(_ keys: [JSONObject]) -> String {
    (["keys": .array(keys.map(JSONValue.object))] as JSONObject).text
  }

  private func idToken() throws -> String {
    let input = [header, claims].map { Base64.encodeURLSafe($0.text.utf8) }.joined(separator: ".")
    let signature: [UInt8] =
      switch signature {
      case .key(let key): try key.sign(Array(input.utf8))
      case .secret(let secret): try hmacSHA256(input, secret)
      case .missing: []
      }
    return spoil("\(input).\(Base64.encodeURLSafe(signature))")
  }
}

extension GnuTLSSigningKey {
  static let rsa = made(.rs256)
  static let ec = made(.es256)
  /// A key that does not belong to the provider.
  static let stranger = made(.rs256)

  private static func made(_ algorithm: SignatureAlgorithm) -> GnuTLSSigningKey {
    guard let key = try? GnuTLSSigningKey(generating: algorithm) else {
      preconditionFailure("GnuTLS makes no key")
    }
    return key
  }

  /// The public key as a JWK.
  func published(as identifier: String?) -> JSONObject {
    var key = publicKey
    key["kid"] = identifier.map(JSONValue.string)
    return key
  }
}

extension JSONObject {
  /// The key that a correct provider publishes.
  static let rsa = GnuTLSSigningKey.rsa.published(as: "rsa")

  /// The object with a changed or removed member.
  func with(_ name: String, _ value: JSONValue?) -> JSONObject {
    var object = self
    object[name] = value
    return object
  }
}

extension StandInServer.Request {
  /// Expects the properties that every request of a login has, even to a hostile provider.
  func expectPropriety(isConfidential: Bool) throws {
    let names = (queryItems + formItems).map(\.name).filter { $0 != "resource" }
    #expect(Set(names).count == names.count, "a repeated parameter (RFC 6749 section 3.1)")
    #expect(headers["accept-encoding"] == "identity", "compressed answers could be bombs")
    let inURL = queryItems.map(\.name)
    for secret in ["client_secret", "code_verifier", "code"] {
      #expect(!inURL.contains(secret), "RFC 6749 section 2.3.1, RFC 7636 section 4.5")
    }
    if path == "/token" {
      expectExchange(isConfidential: isConfidential)
    } else {
      #expect(method == "GET" && body.isEmpty)
      #expect(headers["authorization"] == nil)
    }
  }

  /// RFC 6749 sections 2.3, 3.2 and 4.1.3.
  private func expectExchange(isConfidential: Bool) {
    #expect(method == "POST" && queryItems.isEmpty)
    #expect(headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(headers["cookie"] == nil, "cookies are for pages")
    #expect(form["grant_type"] == "authorization_code")
    #expect(
      form["redirect_uri"] == "https://app.example/done",
      "the redirect URI of the authorization request")
    #expect(form["client_secret"] == nil)
    // The client is named in one way only.
    #expect((headers["authorization"] != nil) == isConfidential)
    #expect(form["client_id"] == (isConfidential ? nil : "client"))
  }

  /// True if the request has the verifier of the authorization request's challenge (RFC 7636 section 4.6).
  func redeems(_ asked: [String: String]) throws -> Bool {
    let verifier = form["code_verifier"] ?? ""
    let digest = try GnuTLSCryptography().digest(.sha256, of: Array(verifier.utf8))
    return (43...128).contains(verifier.utf8.count) && asked["code_challenge_method"] == "S256"
      && asked["code_challenge"] == Base64.encodeURLSafe(digest)
  }
}
