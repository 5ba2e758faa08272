import LoginCore
import Testing

@testable import HTMLForms

@Suite("Forms of a page")
struct HTMLPageTests {
  private func forms(_ html: String) -> [HTMLForm] { HTMLPage(Array(html.utf8)).forms }

  @Test("A login form has fields with values, and buttons")
  func login() throws {
    let form = try #require(
      forms(
        """
        <!doctype html><title>Sign in</title><form action="/login?x=1&amp;y=2" method="POST">
        <input type=hidden name=csrf value="a&quot;b"><p>Name <input name=user value="é">
        <input type="password" name="password"><input type=checkbox name=stay><input type=checkbox name=on checked>
        <textarea name=note>two
        lines</textarea><select name=lang><option value=de>Deutsch<option selected>English</select>
        <input type=file name=picture><input disabled name=off value=1><input value="nameless">
        <button name=action value=allow>Allow</button><input type=submit name=action value=deny>
        <button type=button name=help>?</button></form>
        """
      ).first)
    #expect(form.action == "/login?x=1&y=2")
    #expect(form.fields.map(\.kind) == [.hidden, .other, .password, .other, .other, .other, .other])
    #expect(form.method == .post)
    #expect(form.fields.map(\.name) == ["csrf", "user", "password", "on", "note", "lang", "picture"])
    #expect(form.fields.map(\.values) == [["a\"b"], ["é"], [""], ["on"], ["two\nlines"], ["English"], [""]])
    #expect(form.buttons.map(\.parameter) == [Parameter("action", "allow"), Parameter("action", "deny")])
  }

  @Test("A form without the method POST is sent with GET", arguments: ["", "method=get", "method=put"])
  func method(attribute: String) {
    #expect(forms("<form \(attribute)><input name=a></form>").map(\.method) == [.get])
  }

  @Test("A field belongs to the form around it, or to the form that it names")
  func owners() {
    let found = forms(
      "<form id=one><input name=a></form><form id=two><input name=b></form><input name=c form=one>")
    #expect(found.map { $0.fields.map(\.name) } == [["a", "c"], ["b"]])
  }

  @Test(
    "The numbers of forms and fields are limited, and a field may come before the form that it names")
  func limits() throws {
    let many = forms(String(repeating: "<form><input name=a></form>", count: 20_000))
    #expect(many.count == HTMLPage.maximumForms)
    #expect(many.allSatisfy { $0.fields.map(\.name) == ["a"] })
    let large = forms("<form>" + String(repeating: "<input name=a>", count: 20_000) + "</form>")
    #expect(large.map(\.fields.count) == [HTMLPage.maximumControls])
    let strays = forms(
      "<input name=a form=f><form id=f></form><form id=f></form><input name=b form=none><input name=c>")
    #expect(strays.map { $0.fields.map(\.name) } == [["a"], []])
  }

  @Test(
    "Broken HTML does not crash the reader",
    arguments: ["", "\u{0}", "<form", "<form><input name=a", "<<<>>>", "plain"])
  func broken(html: String) {
    #expect(forms(html).count <= 1)
  }

  @Test("A page nested 100,000 levels deep does not crash the reader")
  func deep() {
    let html = String(repeating: "<div>", count: 100_000) + "<form><input name=a></form>"
    #expect(forms(html).count <= 1)
  }

  @Test("External entities are not loaded")
  func external() {
    let html =
      "<!DOCTYPE form [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><form><input name=a value='&x;'></form>"
    #expect(forms(html).first?.fields.first?.values.contains { $0.contains("root") } == false)
  }

  @Test(
    "The first base element with an address counts",
    arguments: [
      ("<base href='https://as.test/x/'>", "https://as.test/x/"), ("<p>", nil), ("<base target=_top>", nil),
      ("<base target=_top><base href=/x/><base href=/y/>", "/x/"),
      ("<template><base href=/x/></template>", nil),
    ])
  func base(html: String, expected: String?) {
    #expect(HTMLPage(Array(html.utf8)).base == expected)
  }
}
