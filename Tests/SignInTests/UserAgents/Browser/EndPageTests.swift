import GnuTLSCrypto
import Language
import LoginCore
import SoupNetwork
import Testing
import WindowProtocol

@testable import SignIn
@testable import TestSupport

@Suite("EndPage")
struct EndPageTests {
  @Test("The page is accessible", arguments: EndPageText.allCases)
  func accessibility(_ text: EndPageText) throws {
    for requester in [nil, Requester(application: "Acme Mail", caller: nil)] {
      let page = try EndPage(for: requester, cryptography: GnuTLSCryptography()).response(
        text, after: .unknownHost("a"))
      #expect(PageAudit(String(decoding: page.body, as: UTF8.self)).faults == [])
    }
  }

  @Test(
    "The page shows success, failure with its reason, or that the outcome is still open",
    arguments: [
      (Conclusion.token, "yes", "You are signed in", nil), (.answer, "on", "Almost done", nil),
      (nil, "on", "Almost done", nil),
      (
        .failure(.unknownHost("a")), "no", "Sign-in failed",
        "Can&#39;t find the server a. Try again in a few minutes."
      ),
      // The user knows about this one.
      (.failure(.cancelled), "no", "Sign-in failed", nil),
    ] as [(Conclusion?, String, String, String?)])
  func conclusion(_ conclusion: Conclusion?, _ look: String, _ title: String, _ reason: String?) throws {
    let response = try EndPage(for: nil, cryptography: GnuTLSCryptography()).response(conclusion)
    let page = String(decoding: response.body, as: UTF8.self)
    #expect(page.contains("<main class=\"\(look)\">") && page.contains("<h1>\(title)</h1>"), "\(page)")
    #expect(page.contains("<p class=\"why\">") == (reason != nil))
    if let reason { #expect(page.contains("<p class=\"why\">\(reason)</p>"), "\(page)") }
  }

  @Test("The audit that these tests use finds each kind of fault")
  func audit() {
    let page = """
      <html><style>:root { --card: #ffffff; --ink: #999999; } :root { --card: #000000; } p { color: var(--ink); }
      a { outline: none; }</style><input id="a"><button class="b"> </button><svg></svg>
      """
    let faults = PageAudit(page).faults
    for words in [
      "no language", "no title", "one heading", "one main", "picture", "no label", "control has no name",
      "hides the keyboard focus", "contrast of 2.8",
    ] {
      #expect(faults.contains { $0.contains(words) }, "\(words): \(faults)")
    }
  }
}
