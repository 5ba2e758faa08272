import Testing

@testable import LoginCore

@Suite("IDTokenVerifier, binding")
struct IDTokenVerifierBindingTests {
  private typealias Sample = SampleIDToken

  /// Knows the digests of the texts `token` and `code`.
  private static let cryptography = FakeCryptography(
    digests: [
      Array("token".utf8): [UInt8](repeating: 1, count: 16) + [UInt8](repeating: 9, count: 16),
      Array("code".utf8): [UInt8](repeating: 2, count: 16) + [UInt8](repeating: 9, count: 16),
    ])
  private static let tokenHash = Base64.encodeURLSafe([UInt8](repeating: 1, count: 16))
  private static let codeHash = Base64.encodeURLSafe([UInt8](repeating: 2, count: 16))

  @Test(
    "The nonce must be that of the request",
    arguments: [
      nil, "", "other", .string(Sample.nonce + "a"), .string(String(Sample.nonce.dropLast())), .null, 1,
      [.string(Sample.nonce)],
    ] as [JSONValue?], [IDTokenBinding.Channel.front, .back])
  func nonce(value: JSONValue?, channel: IDTokenBinding.Channel) {
    let binding = IDTokenBinding(channel: channel, nonce: Nonce(Sample.nonce))
    #expect(throws: Failure.nonceMismatch) {
      try Sample.verify(Sample.claims("nonce", value), binding: binding)
    }
  }

  private static let otherContext: Message = "the user signed in by another method than requested"

  @Test(
    "A requested authentication context must be met, byte for byte",
    arguments: [
      ("a", nil), ("b:c", nil), ("A", otherContext), ("", otherContext), ("a b:c", otherContext),
      (.null, "its acr is malformed"), (["a"], "its acr is malformed"),
    ] as [(JSONValue, Message?)], [IDTokenBinding.Channel.front, .back])
  func context(expected: (value: JSONValue, reason: Message?), channel: IDTokenBinding.Channel) throws {
    let binding = IDTokenBinding(channel: channel, nonce: Nonce(Sample.nonce), contexts: ["a", "b:c"])
    let claims = Sample.claims("acr", expected.value)
    guard let reason = expected.reason else {
      #expect(try Sample.verify(claims, binding: binding).claims == claims)
      return
    }
    expectInvalid(reason) { try Sample.verify(claims, binding: binding) }
    expectInvalid("it lacks acr", missing: ["acr"]) { try Sample.verify(Sample.claims, binding: binding) }
  }

  @Test("Without a nonce in the request the token must not have one")
  func withoutNonce() throws {
    #expect(throws: Failure.nonceMismatch) {
      try Sample.verify(Sample.claims, binding: IDTokenBinding(channel: .back))
    }
    let token = try Sample.verify(Sample.claims("nonce", nil), binding: IDTokenBinding(channel: .back))
    #expect(token.claims["nonce"] == nil)
  }

  @Test("A token that comes through the user agent always needs a nonce")
  func frontWithoutNonce() {
    for nonce in [nil, JSONValue.string(Sample.nonce)] {
      #expect(throws: Failure.nonceMismatch) {
        try Sample.verify(Sample.claims("nonce", nonce), binding: IDTokenBinding(channel: .front))
      }
    }
  }

  private func verify(
    _ members: JSONObject, _ channel: IDTokenBinding.Channel, token: String? = nil, code: String? = nil
  ) throws -> IDToken {
    var claims = Sample.claims
    for member in members { claims[member.name] = member.value }
    return try Sample.verify(
      claims, by: Sample.verifier(cryptography: Self.cryptography),
      binding: IDTokenBinding(
        channel: channel, nonce: Nonce(Sample.nonce), accessToken: token.map { AccessToken($0) },
        code: code.map { AuthorizationCode($0) }))
  }

  @Test(
    "A token that comes through the user agent needs each hash",
    arguments: [("token", nil), (nil, "code"), ("token", "code")] as [(String?, String?)])
  func hashesMissing(token: String?, code: String?) throws {
    let missing = token == nil ? "c_hash" : "at_hash"
    expectInvalid("it lacks \(missing)", missing: [missing]) {
      _ = try verify([:], .front, token: token, code: code)
    }
    #expect(try verify([:], .back, token: token, code: code).subject == "24400320")
    #expect(try verify([:], .front).subject == "24400320")
  }

  @Test("Every hash must be right", arguments: [IDTokenBinding.Channel.front, .back])
  func hashes(channel: IDTokenBinding.Channel) throws {
    let right: JSONObject = ["at_hash": .string(Self.tokenHash), "c_hash": .string(Self.codeHash)]
    #expect(try verify(right, channel, token: "token", code: "code").subject == "24400320")
    for wrong in ["", "AQ", Self.codeHash, Self.tokenHash + "=", Self.tokenHash.lowercased() + "a"] {
      expectInvalid("it belongs to another access token") {
        _ = try verify(["at_hash": .string(wrong)], channel, token: "token")
      }
    }
    expectInvalid("it belongs to another code") {
      _ = try verify(["c_hash": .string(Self.tokenHash)], channel, code: "code")
    }
    expectInvalid("its at_hash is malformed") { _ = try verify(["at_hash": 1], channel, token: "token") }
    expectInvalid("its c_hash is malformed") { _ = try verify(["c_hash": .null], channel, code: "code") }
  }

  @Test("A hash of something that did not come along is ignored")
  func unusedHashes() throws {
    #expect(try verify(["at_hash": "x", "c_hash": "y"], .back).subject == "24400320")
  }

  private static let tooOld: Message = "the user's sign-in is longer ago than requested"

  private func verify(authTime: JSONValue?, maxAge: Int?) throws -> IDToken {
    try Sample.verify(
      Sample.claims("auth_time", authTime),
      binding: IDTokenBinding(channel: .back, nonce: Nonce(Sample.nonce), maxAge: maxAge))
  }

  @Test(
    "The user's sign-in must not be older than requested",
    arguments: [
      (0, -300, true), (0, -301, false), (60, -360, true), (60, -361, false), (60, 300, true),
      (.max, -1_000_000, true), (-5, -301, false),
    ]
      as [(Int, Int64, Bool)])
  func maxAge(maxAge: Int, offset: Int64, isYoung: Bool) throws {
    let time = JSONValue.number(JSONNumber(Sample.now + offset))
    if isYoung {
      #expect(try verify(authTime: time, maxAge: maxAge).subject == "24400320")
    } else {
      expectInvalid(Self.tooOld) { _ = try verify(authTime: time, maxAge: maxAge) }
    }
  }

  @Test("If an age was requested, auth_time must be there and possible")
  func authTime() throws {
    expectInvalid("it lacks auth_time", missing: ["auth_time"]) { _ = try verify(authTime: nil, maxAge: 60) }
    for value: JSONValue in ["1700000000", .null, true, .number(JSONNumber(literal: "1e400"))] {
      expectInvalid("its auth_time is malformed") { _ = try verify(authTime: value, maxAge: 60) }
    }
    let future = JSONValue.number(JSONNumber(Sample.now + 301))
    expectInvalid("its auth_time is malformed") { _ = try verify(authTime: future, maxAge: 60) }
    let ancient = JSONValue.number(JSONNumber(.min))
    expectInvalid(Self.tooOld) { _ = try verify(authTime: ancient, maxAge: .max) }
    let fraction = JSONValue.number(JSONNumber(literal: "1700000000.25"))
    #expect(try verify(authTime: fraction, maxAge: 60).subject == "24400320")
    #expect(try verify(authTime: 0, maxAge: nil).subject == "24400320")
    #expect(try verify(authTime: "soon", maxAge: nil).subject == "24400320")
  }
}
