import Testing

@testable import LoginCore

/// One name and its value.
@Suite("Parameter")
struct ParameterTests {
  @Test("parameters are equal if the bytes of both halves are")
  func equality() {
    #expect(Parameter("a", "b") == Parameter("a", "b"))
    #expect(Parameter("a", "b") != Parameter("a", "c"))
    #expect(Parameter("a", "b") != Parameter("A", "b"))
    #expect(Parameter("a", "\u{E9}") != Parameter("a", "e\u{301}"))
    #expect(Parameter("\u{E9}", "") != Parameter("e\u{301}", ""))
  }
}
