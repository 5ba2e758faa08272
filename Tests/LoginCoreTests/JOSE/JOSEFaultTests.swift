import Testing

@testable import LoginCore

/// What a person reads about a signature.
@Suite("JOSEFault")
struct JOSEFaultTests {
  @Test("the name of an algorithm cannot write on a terminal")
  func foreignText() {
    let fault = JOSEFault.unsupportedAlgorithm("a\u{1B}[2J\u{202E}" + String(repeating: "b", count: 10_000))
    #expect(!fault.description.hasControlCharacter)
    #expect(fault.description.utf8.count < 200)
  }
}
