/// A JSON Web Signature in the compact serialization (RFC 7515 section 7.1).
///
/// The payload is available only by verifying the signature. Keys and addresses in the header (`jwk`, `jku`, `x5c`, `x5u`)
/// are ignored, because an attacker who forges a token writes them too (RFC 8725 section 3.10).
package struct JWS: Sendable {
  /// The algorithm that the header names (`alg`).
  package let algorithm: SignatureAlgorithm
  /// The key that the header names (`kid`).
  let keyID: String?
  /// The kind of token that the header names (`typ`).
  package let type: String?

  private let signingInput: [UInt8]
  private let payload: [UInt8]
  private let signature: [UInt8]

  /// Reads the three parts strictly: padding, white space and alternative spellings are refused. The message says what is
  /// wrong with "it".
  package init(_ text: String) throws(Message) {
    let parts = text.parts(at: ".")
    guard parts.count != 5 else { throw "it is encrypted, which was not requested" }
    guard parts.count == 3 else { throw "it does not have three parts" }
    guard let header = Base64.decodeURLSafe(parts[0]), let payload = Base64.decodeURLSafe(parts[1]),
      let signature = Base64.decodeURLSafe(parts[2])
    else { throw "a part of it is not base64url" }

    let members = try Self.members(ofHeader: header)
    // RFC 7515 section 4.1.11
    guard members["crit"] == nil, members["b64"] == nil else { throw "its header requires an extension" }
    guard let name = try Self.text("alg", in: members) else { throw Self.malformedHeader }
    guard let algorithm = SignatureAlgorithm(rawValue: name) else {
      throw "it is signed with \"\(name.forDisplay(limit: 60))\""
    }
    self.algorithm = algorithm
    keyID = try Self.text("kid", in: members)
    type = try Self.text("typ", in: members)
    signingInput = Array("\(parts[0]).\(parts[1])".utf8)
    self.payload = payload
    self.signature = signature
  }

  private static let malformedHeader: Message = "its header is malformed"

  private static func members(ofHeader bytes: [UInt8]) throws(Message) -> JSONObject {
    guard let value = try? JSONReader.read(bytes), let members = value.object else { throw malformedHeader }
    return members
  }

  private static func text(_ name: String, in header: JSONObject) throws(Message) -> String? {
    guard let member = header[name] else { return nil }
    guard let text = member.string else { throw malformedHeader }
    return text
  }

  /// Returns the payload if it was signed with this key.
  package func payload(
    verifiedWith key: VerificationKey, _ cryptography: any Cryptography
  ) throws(Failure) -> [UInt8]? {
    guard key.fits(algorithm), signature.count == key.signatureSize(algorithm),
      try cryptography.neededSignatures().verify(signature, of: signingInput, with: key, algorithm: algorithm)
    else { return nil }
    return payload
  }
}

extension JWS {
  /// Returns a payload signed with a key. The key decides `alg`, even if the header has another one.
  static func sign(
    _ payload: some Sequence<UInt8>, header: JSONObject = [:], with key: any SigningKey
  ) throws(Failure) -> String {
    var members: JSONObject = ["alg": .string(key.algorithm.rawValue)]
    for member in header where member.name != "alg" { members[member.name] = member.value }
    let input = "\(Base64.encodeURLSafe(members.text.utf8)).\(Base64.encodeURLSafe(payload))"
    return "\(input).\(Base64.encodeURLSafe(try key.sign(Array(input.utf8))))"
  }
}

extension JWS: Redacted {
  /// The algorithm alone, because the rest may be a credential.
  package var description: String { "JWS(\(algorithm.rawValue), [redacted])" }
}
