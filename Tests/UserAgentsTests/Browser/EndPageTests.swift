import GnuTLSCrypto
import LoginWays
import SoupNetwork
import Testing
import Wording

@testable import TestSupport
@testable import UserAgents

@Suite("What the browser shows at the end")
struct EndPageTests {
  @Test(
    "Everybody can read it",
    arguments: [EndPageText.answered, .denied, .refused, .notAwaited, .elsewhere])
  func audit(_ text: EndPageText) throws {
    for requester in [nil, Requester(application: "Acme Mail", caller: nil)] {
      let page = try EndPage(for: requester, cryptography: GnuTLSCryptography()).response(text)
      #expect(PageAudit(String(decoding: page.body, as: UTF8.self)).faults == [])
    }
  }

  @Test("The audit finds what is wrong with a page")
  func audits() {
    let page = """
      <html><style>:root { --card: #ffffff; --ink: #999999; } :root { --card: #000000; } p { color: var(--ink); }
      a { outline: none; }</style><input id="a"><button class="b"> </button><svg></svg>
      """
    let faults = PageAudit(page).faults
    for words in [
      "no language", "no title", "one heading", "one main", "picture", "no label", "control has no name",
      "cannot be seen", "contrast of 2.8",
    ] {
      #expect(faults.contains { $0.contains(words) }, "\(words): \(faults)")
    }
  }
}
