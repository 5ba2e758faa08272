import GnuTLSCrypto
import LoginCore
import SoupNetwork
import Testing

@testable import DemoProvider
@testable import TestSupport

@Suite("Pages of the demo provider")
struct PagesTests {
  @Test("All pages are accessible")
  func audit() throws {
    let pages = Pages(styleHash: "")
    let cryptography = GnuTLSCryptography()
    let mint = Mint(issuer: "", signer: try cryptography.newProofKey(), cryptography: cryptography)
    let user = try #require(try DemoUser(name: "Ada", mint: mint))
    let all = [
      pages.login("i"), pages.login("i", name: "Ada", error: "The password is wrong.", status: 401),
      pages.consent("i", user, DemoScope.allCases), pages.consent("i", user, [.openid], isDevice: true),
      pages.userCode(prefilled: nil), pages.userCode(prefilled: "WDJB", error: "No such code."),
      pages.message("Done", "Go back."), pages.refusal("No.", status: 400), pages.notFound(),
      pages.home(issuer: "http://127.0.0.1:1", .serving),
    ]
    for page in all { #expect(PageAudit(String(decoding: page.body, as: UTF8.self)).faults == []) }
  }
}
