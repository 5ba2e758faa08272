import Testing

@testable import tokentry

@Suite("HeadersHelper")
struct HeadersHelperTests {
  // MCP clients wait ten seconds.
  @Test("A call ends within nine seconds, of which asking the API takes only a part")
  func nineSeconds() {
    // Starting and ending the program takes up to two seconds on a busy machine.
    #expect(HeadersHelper.patience + 2 <= 9)
    // The API is asked up to twice, with GET and with POST.
    #expect(2 * HeadersHelper.patienceOfCheck < HeadersHelper.patience)
  }
}
