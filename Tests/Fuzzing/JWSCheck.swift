@testable import LoginCore

extension Check {
  /// Signed texts in the compact form: each has one spelling, and its payload is read only with the right signature.
  static let jws = Check(growing: [
    ("dots", { pieces($0) { _ in "." } }),
    ("payload", { pieces($0, from: header + ".", to: ".AA") { _ in "AAAA" } }),
    (
      "header",
      { count in
        Base64.encodeURLSafe(elements(count, from: "{\"alg\":\"RS256\",", to: "}") { "\"a\($0)\":1" }).bytes
          + "..".bytes
      }
    ),
  ]
  ) { bytes in
    let text = bytes.text
    guard let jws = try? JWS(text) else { return }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    require(parts.count == 3, "a text has three parts: \(text)")
    for part in parts {
      let decoded = require(Base64.decodeURLSafe(part), "a part is base64url: \(part)")
      require(Base64.encodeURLSafe(decoded).bytes == part.bytes, "a part has one spelling: \(part)")
    }
    let header = (try? JSONReader.read(Base64.decodeURLSafe(parts[0]) ?? []))?.object
    require(
      header?["alg"]?.string?.bytes == jws.algorithm.rawValue.bytes, "the algorithm is that of the header")
    require(header?["crit"] == nil && header?["b64"] == nil, "extensions are refused")
    require(
      !"\(jws)\(String(reflecting: jws))".has(parts[1]) || parts[1].count < 6, "the payload does not print")
    if let jwk = JWK(PlainKey().publicKey),
      let payload = try? jws.payload(verifiedWith: jwk.key, PlainCryptography())
    {
      require(jws.algorithm == .es256, "the algorithm is that of the key")
      let signed = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
      require(
        Base64.decodeURLSafe(parts[2]) == PlainCryptography.mixed(signed, 64),
        "the signature is that of the key")
      require(Base64.encodeURLSafe(payload).bytes == parts[1].bytes, "the payload is the signed one")
    }
  }

  private static let header = Base64.encodeURLSafe("{\"alg\":\"RS256\"}".utf8)
}
