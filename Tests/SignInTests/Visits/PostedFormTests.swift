import LoginCore
import Testing

@testable import SignIn

@Suite("PostedForm")
struct PostedFormTests {
  @Test("An encoded form goes to the first page")
  func encoded() throws {
    let form = try #require(PostedForm(Array("SAMLRequest=a%2Bb%3D&RelayState=\n".utf8)))
    #expect(form.parameters == [Parameter("SAMLRequest", "a+b="), Parameter("RelayState", "")])
    #expect(form.target(from: "https://vpn.example/start") == "https://vpn.example/start")
  }

  /// GlobalProtect's prelogin answers with such a page.
  @Test(
    "The form of a page goes to its own address, which may be relative, with what the page has written into it"
  )
  func page() throws {
    let page = Array(
      """
      <html><body onload="document.myform.submit()"><form id="myform" method="POST" action="https://idp.example/sso?a=1&amp;b=2">
      <input type="hidden" name="SAMLRequest" value="a+b&#61;&quot;" /><input type=submit name=go value=1></form></body></html>
      """.utf8)
    let form = try #require(PostedForm(page))
    #expect(form.parameters == [Parameter("SAMLRequest", "a+b=\"")])
    #expect(form.target(from: "https://vpn.example/x/y") == "https://idp.example/sso?a=1&b=2")
    let relative = try #require(
      PostedForm(Array("<form method=post action=z><input name=a value=b></form>".utf8)))
    #expect(relative.target(from: "https://vpn.example/x/y") == "https://vpn.example/x/z")
  }

  @Test(
    "Other files are refused",
    arguments: [
      "", "\n", "two words", "a=\u{e9}", "<p>no form", "<form method=post></form>",
      "<form><input name=a></form>",
      "<form method=post><input name=a></form><form method=post><input name=b></form>",
    ])
  func refused(_ text: String) { #expect(PostedForm(Array(text.utf8)) == nil) }
}
