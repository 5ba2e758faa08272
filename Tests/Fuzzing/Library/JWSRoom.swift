@testable import LoginCore

extension Room {
  /// Signed texts in the compact form: none is read that could be written in another way, or that nobody has signed.
  static let jws = Room(
    name: "jws", longest: 768,
    growing: [
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
    demand(parts.count == 3, "three parts: \(text)")
    for part in parts {
      let decoded = demand(Base64.decodeURLSafe(part), "a part is base64url: \(part)")
      demand(Base64.encodeURLSafe(decoded).bytes == part.bytes, "a part has one spelling: \(part)")
    }
    let header = (try? JSONReader.read(Base64.decodeURLSafe(parts[0]) ?? []))?.object
    demand(header?["alg"]?.string?.bytes == jws.algorithm.rawValue.bytes, "what it claims to be signed with")
    demand(header?["crit"] == nil && header?["b64"] == nil, "no extension is passed over")
    demand(!"\(jws)\(String(reflecting: jws))".has(parts[1]) || parts[1].count < 6, "a payload is not shown")
    if let jwk = JWK(PlainKey().publicKey),
      let payload = try? jws.payload(verifiedWith: jwk.key, PlainCryptography())
    {
      demand(jws.algorithm == .es256, "the algorithm is that of the key")
      let signed = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
      demand(
        Base64.decodeURLSafe(parts[2]) == PlainCryptography.mixed(signed, 64), "the signature is the key's")
      demand(Base64.encodeURLSafe(payload).bytes == parts[1].bytes, "the payload is what was signed")
    }
  }

  private static let header = Base64.encodeURLSafe("{\"alg\":\"RS256\"}".utf8)
}
