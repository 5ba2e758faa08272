/// The digest that names a public key (RFC 7638 section 3).
enum Thumbprint {
  /// Nothing for a key whose kind is unknown.
  static func text(of key: JSONObject, _ cryptography: any Cryptography) throws(Failure) -> String? {
    guard let kind = key["kty"]?.string, let names = required[kind] else { return nil }
    var members = JSONObject()
    for name in names {
      guard let value = key[name] else { return nil }
      members[name] = value
    }
    return Base64.encodeURLSafe(try cryptography.digest(.sha256, of: Array(members.text.utf8)))
  }

  /// The members that make the key, in the order of the digest (RFC 7638 section 3.2, RFC 8037 section 2).
  private static let required: [String: [String]] = [
    "EC": ["crv", "kty", "x", "y"], "OKP": ["crv", "kty", "x"], "RSA": ["e", "kty", "n"],
  ]
}
