@testable import HTMLForms
@testable import LoginCore

extension Check {
  /// The forms of a page. Libxml2 reads them, slowly if there are many attributes.
  static let html = Check(growing: [
    ("fields", { pieces($0, from: "<form>") { "<input name=a\($0)>" } }),
    ("forms", { pieces($0) { "<form id=f\($0)><input name=a form=f\($0)>" } }),
    ("options", { pieces($0, from: "<form><select name=a>") { "<option>\($0)" } }),
    ("depth", { pieces($0, from: "<form>") { _ in "<div>" } }),
    ("text areas", { pieces($0, from: "<form>") { _ in "<textarea name=a>" } }),
  ]
  ) { bytes in
    if let element = XMLElement(bytes) {
      require(XMLElement(element.xml.bytes) == element, "XML is read back unchanged: \(element.xml)")
    }
    let page = HTMLPage(bytes)
    require(page.forms.count <= HTMLPage.maximumForms, "the number of forms is limited")
    for form in page.forms {
      require(
        form.fields.count + form.buttons.count <= HTMLPage.maximumControls, "the number of fields is limited")
      require(form.fields.allSatisfy { !$0.name.isEmpty }, "a field has a name")
      check(form)
    }
  }

  private static func check(_ form: HTMLForm) {
    require(form.submission(of: []) == nil, "a form is not sent without a value")
    guard let first = form.fields.first, form.method != .dialog else { return }
    let value = Parameter(first.name, "value")
    guard let submission = form.submission(of: [value]) else {
      return require(form.buttons.contains { $0.method == .dialog }, "a form with the field is sent")
    }
    let sent = submission.parameters
    require(sent.contains { $0.value == value.value }, "the filled-in value is sent")
    let breaks = sent.flatMap { Array(($0.name + $0.value).utf8) }
    require(breaks.count { $0 == 0x0A } == breaks.count { $0 == 0x0D }, "line breaks are CR LF")
    var list = ParameterList()
    list.append(formEncoded: FormEncoding.encode(sent).bytes.span)
    require(list.parameters == sent, "the sent parameters can be read back")
  }
}
