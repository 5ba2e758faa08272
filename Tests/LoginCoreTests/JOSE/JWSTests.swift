import Testing

@testable import LoginCore

/// Texts in the compact serialization with a made-up signature.
private enum Compact {
  static let header = #"{"alg":"RS256","kid":"a","typ":"JWT"}"#
  static let signature = Base64.encodeURLSafe([UInt8](repeating: 1, count: 256))

  static func text(_ header: String, _ payload: String = "{}", _ signature: String = signature) -> String {
    "\(Base64.encodeURLSafe(header.utf8)).\(Base64.encodeURLSafe(payload.utf8)).\(signature)"
  }
}

@Suite("JWS")
struct JWSTests {
  private static let notThreeParts: Message = "it does not have three parts"
  private static let malformedHeader: Message = "its header is malformed"

  @Test("The header is read")
  func header() throws {
    let jws = try JWS(Compact.text(Compact.header))
    #expect(jws.algorithm == .rs256)
    #expect(jws.keyID == "a")
    #expect(jws.type == "JWT")
    #expect(try JWS(Compact.text(" {\r\n \"alg\" : \"ES512\" }\t")).algorithm == .es512)
  }

  @Test(
    "Any number of parts other than three is refused",
    arguments: [
      "", ".", "a", "a.b", "a.b.c.d", "a.b.c.d.e.f", "{\"payload\":\"\",\"signatures\":[]}",
      Compact.text(Compact.header) + ".",
      "." + Compact.text(Compact.header),
    ])
  func parts(text: String) {
    #expect(throws: Self.notThreeParts) { try JWS(text) }
  }

  @Test(
    "Five parts are an encrypted token",
    arguments: ["....", "a.b.c.d.e", Compact.text(Compact.header) + ".AA.AA"])
  func encrypted(text: String) {
    #expect(throws: "it is encrypted, which was not requested" as Message) { try JWS(text) }
  }

  @Test(
    "A part that is not base64url is refused",
    arguments: [
      Compact.text(Compact.header) + "=", Compact.text(Compact.header) + "\n",
      " " + Compact.text(Compact.header), Compact.text(Compact.header, "{}", "AB"),
      Compact.text(Compact.header, "{}", "A"),
      Compact.text(Compact.header, "{}", "A+A"), Compact.text(Compact.header, "{}", " AA"),
      Compact.text(Compact.header) + "\u{301}",
      "e30=." + Compact.text(Compact.header).parts(at: ".").dropFirst().joined(separator: "."),
    ])
  func encoding(text: String) {
    #expect(throws: "a part of it is not base64url" as Message) { try JWS(text) }
  }

  @Test(
    "A header that is not one JSON object with an algorithm is refused",
    arguments: [
      "", "[]", "null", "{}", #"{"alg":null}"#, #"{"alg":256}"#, #"{"alg":["RS256"]}"#, #"{"alg":"RS256"}{}"#,
      #"{"alg":"RS256","alg":"none"}"#, #"{"alg":"none","alg":"RS256"}"#,
      #"{"alg":"RS256","a\u006cg":"none"}"#,
      #"{"alg":"RS256","kid":"a","kid":"b"}"#, #"{"alg":"RS256","kid":1}"#, #"{"alg":"RS256","typ":{}}"#,
      #"{"alg":"RS256","kid":null}"#, #"{'alg':'RS256'}"#, "{\"alg\":\"RS256\"}\u{0}",
      "\u{FEFF}{\"alg\":\"RS256\"}",
    ])
  func malformedHeader(header: String) {
    #expect(throws: Self.malformedHeader) { try JWS(Compact.text(header)) }
  }

  @Test("A header that is not UTF-8 is refused")
  func notUTF8() {
    let header = Base64.encodeURLSafe(Array(#"{"alg":"RS256","x":""#.utf8) + [0xFF] + Array(#""}"#.utf8))
    #expect(throws: Self.malformedHeader) { try JWS("\(header).e30.\(Compact.signature)") }
  }

  @Test(
    "none and unknown algorithms are refused in every spelling",
    arguments: ["none", "None", "nOnE", "NONE", "", " RS256", "rs256", "HS1", "ES256K", "RSA-OAEP", "A128KW"])
  func algorithms(name: String) {
    let header = JSONObject(dictionaryLiteral: ("alg", .string(name))).text
    for signature in ["", Compact.signature] {
      #expect(throws: "it is signed with \"\(name)\"" as Message) {
        try JWS(Compact.text(header, "{}", signature))
      }
    }
  }

  @Test(
    "A header that requires an extension is refused",
    arguments: [
      #""crit":["b64"],"b64":false"#, #""crit":["exp"],"exp":1"#, #""crit":[]"#, #""crit":"b64""#,
      #""crit":null"#,
      #""b64":false"#, #""b64":true"#, #""crit":["alg"]"#,
    ])
  func critical(members: String) {
    #expect(throws: "its header requires an extension" as Message) {
      try JWS(Compact.text(#"{"alg":"RS256",\#(members)}"#))
    }
  }

  @Test("Keys and addresses in the header have no effect")
  func embeddedKeys() throws {
    let key = try #require(JWK(FakeSigningKey.rsa(bits: 4_096)))
    let header: JSONObject = [
      "jku": "https://evil.test", "x5u": "https://evil.test", "x5c": ["AA"],
      "jwk": .object(FakeSigningKey.rsa()),
    ]
    let jws = try JWS(try JWS.sign("{}".utf8, header: header, with: FakeSigningKey()))
    #expect(try jws.payload(verifiedWith: key.key, FakeCryptography()) == nil)
    #expect(throws: JWKSet.unknownKey) { try JWKSet().key(for: jws) }
  }

  @Test("Only the right signature gives access to the payload")
  func payload() throws {
    let key = try #require(JWK(FakeSigningKey.rsa()))
    let text = try JWS.sign("{}".utf8, header: ["alg": "none", "kid": "a"], with: FakeSigningKey())
    #expect(try JWS(text).payload(verifiedWith: key.key, FakeCryptography()) == Array("{}".utf8))
    #expect(try JWS(Compact.text(Compact.header)).payload(verifiedWith: key.key, FakeCryptography()) == nil)
    let failing = FakeCryptography(failure: Samples.defect)
    #expect(throws: Samples.defect) { try JWS(text).payload(verifiedWith: key.key, failing) }
  }

  @Test("A key of another kind or a signature of another length is not tried")
  func untried() throws {
    let failing = FakeCryptography(failure: Samples.defect)
    let ec = try #require(JWK(FakeSigningKey.ec())), rsa = try #require(JWK(FakeSigningKey.rsa()))
    let jws = try JWS(Compact.text(Compact.header))
    #expect(try jws.payload(verifiedWith: ec.key, failing) == nil)
    #expect(try jws.payload(verifiedWith: .hmac(HMACKey([UInt8](repeating: 1, count: 99))), failing) == nil)
    for count in [0, 1, 255, 257, 512] {
      let signature = Base64.encodeURLSafe([UInt8](repeating: 1, count: count))
      #expect(
        try JWS(Compact.text(Compact.header, "{}", signature)).payload(verifiedWith: rsa.key, failing) == nil)
    }
  }

  @Test("A signature of the right length is not tried with another algorithm")
  func otherAlgorithms() throws {
    let failing = FakeCryptography(failure: Samples.defect)
    let ec = try #require(JWK(FakeSigningKey.ec(.p256))).key
    let ed25519 = VerificationKey.ed25519(try #require(Ed25519PublicKey([UInt8](repeating: 1, count: 32))))
    let short = VerificationKey.hmac(HMACKey([UInt8](repeating: 1, count: 31)))
    for (key, algorithm) in [
      (ec, "EdDSA"), (ec, "HS512"), (ed25519, "ES256"), (ed25519, "HS512"), (short, "HS256"),
    ] {
      let signature = [UInt8](repeating: 1, count: algorithm == "HS256" ? 32 : 64)
      let text = Compact.text(#"{"alg":"\#(algorithm)"}"#, "{}", Base64.encodeURLSafe(signature))
      #expect(try JWS(text).payload(verifiedWith: key, failing) == nil, "\(algorithm)")
    }
  }

  @Test("A token does not print itself")
  func redacted() throws {
    let jws = try JWS(Compact.text(Compact.header))
    #expect("\(jws)" == "JWS(RS256, [redacted])")
    var dumped = ""
    dump(jws, to: &dumped)
    #expect(!dumped.contains("123"))
  }

  @Test("A megabyte of payload is read, and a text of dots is refused quickly")
  func long() throws {
    let payload = String(repeating: " ", count: 1_000_000)
    #expect(try JWS(Compact.text(Compact.header, payload)).algorithm == .rs256)
    #expect(throws: Self.notThreeParts) { try JWS(String(repeating: ".", count: 100_000)) }
  }
}
