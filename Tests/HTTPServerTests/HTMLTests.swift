import LoginCore
import SoupNetwork
import Testing

@Suite("HTML")
struct HTMLTests {
  @Test(
    "An interpolated text cannot become markup",
    arguments: [
      ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("\" onload=\"alert(1)", "&quot; onload=&quot;alert(1)"),
      ("' onload='", "&#39; onload=&#39;"), ("&lt;", "&amp;lt;"), ("a\0b", "a\u{FFFD}b"),
      // A quote and a bracket with combining marks: one Character in Swift, but still markup in HTML.
      ("\"\u{301}", "&quot;\u{301}"), ("<\u{338}b>", "&lt;\u{338}b&gt;"),
      ("\r\n", "\r\n"), ("é€", "é€"),
    ])
  func escapes(text: String, escaped: String) {
    let page: HTML = "<p title=\"\(text)\">\(text)</p>"
    #expect(Array(page.markup.utf8) == Array("<p title=\"\(escaped)\">\(escaped)</p>".utf8))
  }

  @Test("Interpolated markup stays markup, and nil becomes empty")
  func nests() {
    let inner: HTML = "<b>\("&")</b>"
    let missing: HTML? = nil
    let outer: HTML = "<p>\(inner)\(missing)\(HTML([inner, inner]))</p>"
    #expect(outer.markup == "<p><b>&amp;</b><b>&amp;</b><b>&amp;</b></p>")
  }

  @Test("A page may not load anything, use foreign styles or be framed")
  func policy() {
    let fields = HTTPServerResponse.html("<p>", styleHash: "abc=").headers
    #expect(
      fields.first { $0.name == "Content-Security-Policy" }?.value
        == "default-src 'none'; style-src 'sha256-abc='; base-uri 'none'; frame-ancestors 'none'")
    #expect(fields.first { $0.name == "X-Frame-Options" }?.value == "DENY")
  }
}
