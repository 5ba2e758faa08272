import LoginCore
import Testing

@testable import HTMLForms

@Suite("Filling in a form")
struct HTMLFormTests {
  private func submission(_ html: String, _ values: [Parameter]) -> HTMLForm.Submission? {
    HTMLPage(Array(html.utf8)).forms.first?.submission(of: values)
  }

  private static let buttons = """
    <form method=post><input name=csrf value=1><input name=user><button></button>
    <button name=action value=allow>Allow</button><button name=action value=deny>Deny</button></form>
    """

  @Test("Named fields get new values, others keep theirs, and the first button is pressed")
  func filled() {
    #expect(
      submission(Self.buttons, [Parameter("user", "a")])?.parameters == [
        Parameter("csrf", "1"), Parameter("user", "a"),
      ])
  }

  @Test("A button can be chosen by its name and value")
  func pressed() {
    #expect(
      submission(Self.buttons, [Parameter("action", "deny")])?.parameters
        == [Parameter("csrf", "1"), Parameter("user", ""), Parameter("action", "deny")])
  }

  @Test(
    "A form without any of the names does not match",
    arguments: [[], [Parameter("other", "x")], [Parameter("action", "x")]])
  func notMeant(values: [Parameter]) {
    #expect(submission(Self.buttons, values) == nil)
  }

  @Test(
    "A form is sent as the pressed button says, or else as the form says",
    arguments: [
      ("<form action=/f method=post><input name=u><button>", "/f", true),
      ("<form action=/f method=post><input name=u><button formaction=/b>", "/b", true),
      ("<form action=/f method=post><input name=u><button formaction=''>", "", true),
      ("<form action=/f method=post><input name=u><button formmethod=get>", "/f", false),
      ("<form action=/f method=post><input name=u><button formmethod=odd>", "/f", false),
      ("<form action=/f><input name=u><input type=submit formaction=/b formmethod=POST>", "/b", true),
      ("<form action=/f><input name=u><button type=button formaction=/b></button><button>", "/f", false),
      ("<form action=/f><input name=u><button disabled formaction=/b></button><button>", "/f", false),
      ("<form method=dialog><input name=u><button formmethod=post>", "", true),
    ])
  func target(html: String, action: String, isPost: Bool) throws {
    let sent = try #require(submission(html, [Parameter("u", "a")]))
    #expect(sent.action == action && sent.isPost == isPost)
  }

  @Test(
    "A form that closes a dialog is not sent",
    arguments: ["<form method=dialog>", "<form><button formmethod=dialog>"])
  func dialog(html: String) {
    #expect(submission(html + "<input name=u>", [Parameter("u", "a")]) == nil)
  }

  /// The rows show what browsers send (HTML Standard section 4.10.21.4) if `u` is filled in with `a`.
  @Test(
    "Only those fields are sent that a browser would send, with the same values",
    arguments: [
      ("<fieldset disabled><input name=x></fieldset>", ""),
      ("<fieldset disabled><button name=b value=1></button></fieldset><button name=b value=2>", "&b=2"),
      ("<datalist><input name=x></datalist>", ""), ("<template><input name=x></template>", ""),
      ("<select name=x><option disabled>1<option>2</select>", "&x=2"),
      ("<select name=x><option disabled selected>1<option>2</select>", ""),
      ("<select name=x><optgroup disabled><option>1</optgroup><option>2</select>", "&x=2"),
      ("<select name=x><option selected>1<option selected>2<option>3</select>", "&x=2"),
      ("<select name=x size=2><option>1<option>2</select>", ""), ("<select name=x></select>", ""),
      ("<select name=x><option> 1\n  2 <option value=''>3</select>", "&x=1%202"),
      ("<select name=x multiple><option>1<option>2</select>", ""),
      (
        "<select name=x multiple><option selected>1<option>2<option selected disabled>3<option selected>4</select>",
        "&x=1&x=4"
      ),
      ("<input type=file name=x value=y>", "&x="), ("<input type=image name=x>", ""),
      ("<input type=hidden name=x value='1\n2\r3\r\n4'>", "&x=1%0D%0A2%0D%0A3%0D%0A4"),
      ("<input name=x value='1\n2'>", "&x=12"), ("<textarea name=x>\n1\n2</textarea>", "&x=1%0D%0A2"),
      ("<textarea name='x\ny'>1</textarea>", "&x%0D%0Ay=1"),
      ("<button type='' name=b value=1>", "&b=1"), ("<button type=odd name=b value=1>", "&b=1"),
      ("<button type=reset name=b value=1>", ""),
    ])
  func sent(fields: String, expected: String) throws {
    let sent = try #require(submission("<form><input name=u>\(fields)</form>", [Parameter("u", "a")]))
    #expect(FormEncoding.encode(sent.parameters) == "u=a" + expected)
  }

  @Test("Several options of a list can be chosen, and one of a list that offers none at first")
  func chosen() {
    let html =
      "<form><select name=x multiple><option>1<option>2</select><select name=y><option disabled selected>?<option>3"
    let values = [Parameter("x", "1"), Parameter("x", "2"), Parameter("y", "3")]
    #expect(submission(html, values)?.parameters == values)
  }
}
