import Testing

@testable import tokentry

@Suite("How long a caller of the helper for header fields waits")
struct HeadersHelperTests {
  @Test("there is time to begin and to end within nine seconds, and to look at the API before that")
  func nineSeconds() {
    #expect(HeadersHelper.patience + 2 <= 9)
    // Once with GET and once with POST.
    #expect(2 * HeadersHelper.patienceOfCheck < HeadersHelper.patience)
  }
}
