import LoginCore
import Testing

@testable import SignIn

@Suite("Referrer")
struct ReferrerTests {
  /// A form that is posted from a page, perhaps over redirects that keep the method.
  struct Row: Sendable {
    let page: String
    let hops: [String]
    let referer: String?
    let origin: String
  }

  @Test(
    "A server learns as much about the page of a form as from a browser",
    arguments: [
      Row(
        page: "https://as.test/a?x=1", hops: ["https://as.test/in"], referer: "https://as.test/a?x=1",
        origin: "https://as.test"),
      Row(
        page: "https://AS.test:443", hops: ["https://as.test/in"], referer: "https://as.test/",
        origin: "https://as.test"),
      Row(
        page: "https://as.test/" + String(repeating: "a", count: 4_096), hops: ["https://as.test/in"],
        referer: "https://as.test/", origin: "https://as.test"),
      // Other servers learn the origin.
      Row(
        page: "https://as.test/a?x=1", hops: ["https://other.test/in"], referer: "https://as.test/",
        origin: "https://as.test"),
      Row(
        page: "https://as.test/a?x=1", hops: ["https://as.test:444/in"], referer: "https://as.test/",
        origin: "https://as.test"),
      Row(
        page: "http://127.0.0.1:80/a", hops: ["https://as.test/in"], referer: "http://127.0.0.1/",
        origin: "http://127.0.0.1"),
      // Without encryption they learn nothing.
      Row(page: "https://as.test/a", hops: ["http://127.0.0.1:80/in"], referer: nil, origin: "null"),
      // A redirect keeps the page, and does not give back what a hop before it has taken.
      Row(
        page: "https://as.test/a", hops: ["https://as.test/in", "https://as.test/on"],
        referer: "https://as.test/a", origin: "https://as.test"),
      Row(
        page: "https://as.test/a", hops: ["https://as.test/in", "https://other.test/in"],
        referer: "https://as.test/", origin: "https://as.test"),
      Row(
        page: "https://as.test/a", hops: ["https://other.test/in", "https://other.test/on"],
        referer: "https://as.test/", origin: "https://as.test"),
      Row(
        page: "https://as.test/a", hops: ["https://other.test/in", "https://third.test/in"],
        referer: "https://as.test/", origin: "null"),
      Row(
        page: "https://as.test/a", hops: ["https://other.test/in", "https://as.test/in"],
        referer: "https://as.test/", origin: "null"),
      Row(
        page: "https://as.test/a", hops: ["http://127.0.0.1:80/in", "https://as.test/in"], referer: nil,
        origin: "null"),
    ])
  func page(row: Row) {
    var referrer = Referrer(page: row.page)
    for hop in row.hops { referrer.lead(to: hop) }
    let expected = ParameterList([row.referer.map { Parameter("Referer", $0) }].compactMap(\.self))
    #expect(referrer.headers(isPost: true) == expected + [Parameter("Origin", row.origin)])
    #expect(referrer.headers(isPost: false) == expected)
  }

  @Test("A login begins without a page")
  func noPage() {
    var referrer = Referrer()
    referrer.lead(to: "https://as.test/")
    #expect(referrer.headers(isPost: false) == [])
    #expect(referrer.headers(isPost: true) == [Parameter("Origin", "null")])
  }
}
