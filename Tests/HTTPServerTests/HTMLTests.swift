import LoginCore
import SoupNetwork
import Testing

@Suite("HTML that is made of texts")
struct HTMLTests {
  @Test(
    "A text cannot become markup, wherever it stands",
    arguments: [
      ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("\" onload=\"alert(1)", "&quot; onload=&quot;alert(1)"),
      ("' onload='", "&#39; onload=&#39;"), ("&lt;", "&amp;lt;"), ("a\0b", "a\u{FFFD}b"),
      // One character for Swift, and still a quote and a bracket for HTML.
      ("\"\u{301}", "&quot;\u{301}"), ("<\u{338}b>", "&lt;\u{338}b&gt;"),
      ("\r\n", "\r\n"), ("é€", "é€"),
    ])
  func escapes(text: String, escaped: String) {
    let page: HTML = "<p title=\"\(text)\">\(text)</p>"
    #expect(Array(page.markup.utf8) == Array("<p title=\"\(escaped)\">\(escaped)</p>".utf8))
  }

  @Test("Markup inside of markup stays markup, and what is not there leaves nothing")
  func nests() {
    let inner: HTML = "<b>\("&")</b>"
    let nothing: HTML? = nil
    let outer: HTML = "<p>\(inner)\(nothing)\(HTML([inner, inner]))</p>"
    #expect(outer.markup == "<p><b>&amp;</b><b>&amp;</b><b>&amp;</b></p>")
  }

  @Test("A page loads nothing, runs no style but its own, and is in no frame")
  func policy() {
    let fields = HTTPServerResponse.html("<p>", styleHash: "abc=").headers
    #expect(
      fields.first { $0.name == "Content-Security-Policy" }?.value
        == "default-src 'none'; style-src 'sha256-abc='; base-uri 'none'; frame-ancestors 'none'")
    #expect(fields.first { $0.name == "X-Frame-Options" }?.value == "DENY")
  }
}
