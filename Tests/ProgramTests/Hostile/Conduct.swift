import Foundation
import GnuTLSCrypto
import LoginCore
import TestSupport

/// All that a provider says in one login. It begins as what is right in every respect, and a row of the table
/// spoils it.
struct Conduct: Sendable {
  /// The address of the provider, which is its identifier too.
  let base: String
  /// What is asked now.
  let request: StandInServer.Request
  /// With what the user was sent to the authorization endpoint.
  let asked: [String: String]
  /// How often the keys have been read, this time included.
  let readings: Int

  /// What the provider says of itself.
  var metadata: JSONObject
  /// The parameters of the callback, without what `callbackEnd` adds.
  var callback: [String: String]
  /// What stands between the redirect URI and the parameters.
  var callbackMark = "?"
  /// What follows the parameters, as it is.
  var callbackEnd = ""
  /// The answer of the token endpoint, without the id_token.
  var token: JSONObject = ["access_token": "T", "token_type": "Bearer", "expires_in": 3600]
  /// The header of the id_token.
  var header: JSONObject = ["alg": "RS256", "kid": "rsa"]
  /// The payload of the id_token.
  var claims: JSONObject
  /// What cannot be said in JSON of ours: pieces of header and payload, and what is written in their place.
  var respelled: [String: String] = [:]
  /// How the id_token is signed.
  var signature = Signature.key(.rsa)
  /// What becomes of the id_token after that.
  var spoil: @Sendable (String) -> String = { $0 }
  /// Whether there is an id_token at all.
  var sendsIDToken = true
  /// The keys that are published.
  var keys: [JSONObject] = [.rsa]
  /// Answers of other kinds, by path.
  var answers: [String: StandInServer.Answer] = [:]

  /// Who signs.
  enum Signature {
    case key(GnuTLSSigningKey)
    case secret([UInt8])
    case nobody
  }

  /// A provider that does everything right.
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

  /// The present second.
  static var now: Int64 { Int64(Date().timeIntervalSince1970) }

  /// A claim that is so many seconds from now.
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

  /// The signature with one bit that is another.
  mutating func flipSignature() {
    spoil = { token in
      let parts = token.components(separatedBy: ".")
      var signature = Base64.decodeURLSafe(parts[2]) ?? []
      signature[signature.count / 2] ^= 1
      return "\(parts[0]).\(parts[1]).\(Base64.encodeURLSafe(signature))"
    }
  }
}

/// What is sent.
extension Conduct {
  /// The answer to the request.
  func answer() throws -> StandInServer.Answer {
    if let answer = answers[request.path] { return answer }
    switch request.path {
    case "/.well-known/openid-configuration": return .json(metadata.text)
    case "/auth":
      let parameters = callback.map { "\($0.key)=\(FormEncoding.encode($0.value))" }.joined(separator: "&")
      return .redirect("https://app.example/done\(callbackMark)\(parameters)\(callbackEnd)")
    case "/token":
      guard try request.redeems(asked) else { return .json(#"{"error":"invalid_grant"}"#, status: 400) }
      var token = token
      if sendsIDToken { token["id_token"] = .string(try idToken()) }
      return .json(token.text)
    case "/keys": return .json(Self.keySet(keys))
    default: return StandInServer.Answer(404)
    }
  }

  /// A document with keys.
  static func keySet(_ keys: [JSONObject]) -> String {
    (["keys": .array(keys.map(JSONValue.object))] as JSONObject).text
  }

  private func idToken() throws -> String {
    let input = [header, claims].map { part in
      Base64.encodeURLSafe(
        respelled.reduce(part.text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }.utf8)
    }.joined(separator: ".")
    let signature: [UInt8] =
      switch signature {
      case .key(let key): try key.sign(Array(input.utf8))
      case .secret(let secret): try hmacSHA256(input, secret)
      case .nobody: []
      }
    return spoil("\(input).\(Base64.encodeURLSafe(signature))")
  }
}

/// The keys of the provider, and one that is nobody's.
extension GnuTLSSigningKey {
  static let rsa = made(.rs256)
  static let pss = made(.ps256)
  static let ec = made(.es256)
  static let edwards = made(.edDSA)
  static let stranger = made(.rs256)

  private static func made(_ algorithm: SignatureAlgorithm) -> GnuTLSSigningKey {
    guard let key = try? GnuTLSSigningKey(generating: algorithm) else {
      preconditionFailure("GnuTLS makes no key")
    }
    return key
  }

  /// The public half under a name, or without one.
  func published(as identifier: String?) -> JSONObject {
    var key = publicKey
    key["kid"] = identifier.map(JSONValue.string)
    return key
  }
}

extension JSONObject {
  /// The key that an honest provider publishes.
  static let rsa = GnuTLSSigningKey.rsa.published(as: "rsa")

  /// The object with a member that is another, or that is left out.
  func with(_ name: String, _ value: JSONValue?) -> JSONObject {
    var object = self
    object[name] = value
    return object
  }
}
