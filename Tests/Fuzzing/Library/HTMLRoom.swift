@testable import HTMLForms
@testable import LoginCore

extension Room {
  /// The forms of a page. Libxml2 reads them, and takes its time for attributes.
  static let html = Room(
    name: "html", longest: 512,
    growing: [
      ("fields", { pieces($0, from: "<form>") { "<input name=a\($0)>" } }),
      ("forms", { pieces($0) { "<form id=f\($0)><input name=a form=f\($0)>" } }),
      ("options", { pieces($0, from: "<form><select name=a>") { "<option>\($0)" } }),
      ("depth", { pieces($0, from: "<form>") { _ in "<div>" } }),
      ("text areas", { pieces($0, from: "<form>") { _ in "<textarea name=a>" } }),
    ]
  ) { bytes in
    let page = HTMLPage(bytes)
    demand(page.forms.count <= HTMLPage.maximumForms, "few forms are read")
    for form in page.forms {
      demand(form.fields.count + form.buttons.count <= HTMLPage.maximumControls, "few fields are read")
      demand(form.fields.allSatisfy { !$0.name.isEmpty }, "a field has a name")
      check(form)
    }
  }

  private static func check(_ form: HTMLForm) {
    demand(form.submission(of: []) == nil, "nothing is sent that nobody meant")
    guard let first = form.fields.first else { return }
    let value = Parameter(first.name, "value")
    let sent = demand(form.submission(of: [value]), "a form is sent that has the field")
    demand(sent.contains(value), "what was filled in is sent")
    demand(sent.count <= form.fields.count + 1, "nothing is sent but the fields and one button")
    var list = ParameterList()
    list.append(formEncoded: FormEncoding.encode(sent).bytes.span)
    demand(list.parameters == sent, "what is sent is read as it was meant")
  }
}
