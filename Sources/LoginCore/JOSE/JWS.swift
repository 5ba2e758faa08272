/// A JSON Web Signature in the compact serialization (RFC 7515 section 7.1).
///
/// Its payload can only be had by verifying the signature. Keys and addresses in the header (`jwk`, `jku`,
/// `x5c`, `x5u`) are never used: whoever forges a token writes them too (RFC 8725 section 3.10).
package struct JWS: Sendable {
  /// What it claims to be signed with.
  package let algorithm: SignatureAlgorithm
  /// The key that it claims to be signed with.
  package let keyID: String?
  /// What kind of token it claims to be.
  package let type: String?

  private let signingInput: [UInt8]
  private let payload: [UInt8]
  private let signature: [UInt8]

  /// Reads the three parts, strictly: no padding, white space or second spelling.
  package init(_ text: String) throws(JOSEFault) {
    let parts = text.parts(at: ".")
    guard parts.count != 5 else { throw .encrypted }
    guard parts.count == 3 else { throw .notThreeParts }
    guard let header = Base64.decodeURLSafe(parts[0]), let payload = Base64.decodeURLSafe(parts[1]),
      let signature = Base64.decodeURLSafe(parts[2])
    else { throw .notBase64URL }

    let members = try Self.members(ofHeader: header)
    guard members["crit"] == nil, members["b64"] == nil else { throw .criticalHeader }
    guard let name = try Self.text("alg", in: members) else { throw .malformedHeader }
    guard let algorithm = SignatureAlgorithm(rawValue: name) else { throw .unsupportedAlgorithm(name) }
    self.algorithm = algorithm
    keyID = try Self.text("kid", in: members)
    type = try Self.text("typ", in: members)
    signingInput = Array("\(parts[0]).\(parts[1])".utf8)
    self.payload = payload
    self.signature = signature
  }

  private static func members(ofHeader bytes: [UInt8]) throws(JOSEFault) -> JSONObject {
    guard let value = try? JSONReader.read(bytes), let members = value.object else { throw .malformedHeader }
    return members
  }

  private static func text(_ name: String, in header: JSONObject) throws(JOSEFault) -> String? {
    guard let member = header[name] else { return nil }
    guard let text = member.string else { throw .malformedHeader }
    return text
  }

  /// What was signed, or nothing if it was not signed with this key.
  package func payload(
    verifiedWith key: VerificationKey, _ cryptography: any Cryptography
  ) throws(Failure) -> [UInt8]? {
    guard key.fits(algorithm), signature.count == key.signatureSize(algorithm),
      try cryptography.verify(signature, of: signingInput, with: key, algorithm: algorithm)
    else { return nil }
    return payload
  }
}

/// Writing.
extension JWS {
  /// A payload signed with a key; `alg` is set from the key, whatever the header says.
  package static func sign(
    _ payload: some Sequence<UInt8>, header: JSONObject = [:], with key: any SigningKey
  ) throws(Failure) -> String {
    var members: JSONObject = ["alg": .string(key.algorithm.rawValue)]
    for member in header where member.name != "alg" { members[member.name] = member.value }
    let input = "\(Base64.encodeURLSafe(members.text.utf8)).\(Base64.encodeURLSafe(payload))"
    return "\(input).\(Base64.encodeURLSafe(try key.sign(Array(input.utf8))))"
  }
}

extension JWS: Redacted {
  /// The algorithm; the rest may be a credential.
  package var description: String { "JWS(\(algorithm.rawValue), [redacted])" }
}
