import Testing

@testable import LoginCore

/// What a person reads about an id_token.
@Suite("IDTokenFault")
struct IDTokenFaultTests {
  @Test("text of the token cannot write on a terminal")
  func foreignText() {
    let foreign = "a\u{1B}[2J\u{202E}" + String(repeating: "b", count: 10_000)
    let faults: [IDTokenFault] = [
      .otherType(foreign), .jose(.unsupportedAlgorithm(foreign)),
      .malformedPayload(JSONFault(reason: .repeatedName(foreign), line: 1)),
    ]
    for fault in faults {
      #expect(!Failure.untrusted(.invalidIDToken(fault)).message.hasControlCharacter)
      #expect(fault.description.utf8.count < 200)
    }
  }

  @Test("a program learns which claims are missing")
  func missing() {
    let failure = Failure.untrusted(.invalidIDToken(.missing(["exp", "iat"])))
    #expect(failure.json["details"] == ["missing": ["exp", "iat"]])
  }
}
