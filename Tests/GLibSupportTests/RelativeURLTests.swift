import GLibSupport
import Testing

@Suite("Relative references")
struct RelativeURLTests {
  @Test(
    "A reference is resolved, and its escapes stay as they are",
    arguments: [
      ("/c%62?a=%41#%7e", "https://as.test/c%62?a=%41#%7e"), ("x%2f..%2e", "https://as.test/a/x%2f..%2e"),
      ("%2525%zz%", "https://as.test/a/%2525%zz%"), ("../x", "https://as.test/x"),
      ("?b", "https://as.test/a/b%62?b"),
      ("https://h.test?b=%62", "https://h.test/?b=%62"), ("https://h.test", "https://h.test/"),
      ("app.test:?b", "app.test:?b"), ("https://h.test/%62", "https://h.test/%62"),
      ("//h.test/%62/./c", "https://h.test/%62/c"),
    ])
  func resolved(reference: String, target: String) {
    #expect(resolve(reference, against: "https://as.test/a/b%62?q") == target)
  }
}
