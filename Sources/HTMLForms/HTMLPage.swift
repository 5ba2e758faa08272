import CLibXML
import LoginCore

/// The forms of a page. They are read by libxml2, which copes with any HTML that browsers cope with.
public struct HTMLPage: Sendable {
  /// In the order of the page.
  public let forms: [HTMLForm]
  /// The base of relative addresses, if the page names one.
  public let base: String?

  /// The bytes of a page that are read.
  public static let maximumSize = 1_024 * 1_024
  /// The number of forms that are read.
  public static let maximumForms = 100
  /// The number of fields and buttons of a form that are read, together.
  public static let maximumControls = 1_000

  /// Reads a page without loading anything else. Bytes that are not HTML have no forms.
  ///
  /// An attacker can write a page that keeps the parser busy for minutes.
  public init(_ html: [UInt8]) {
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue
    let size = Int32(min(html.count, Self.maximumSize))
    let document = html.withUnsafeBytes { bytes in
      htmlReadMemory(bytes.bindMemory(to: CChar.self).baseAddress, size, nil, "UTF-8", Int32(options))
    }
    guard let document else {
      (forms, base) = ([], nil)
      return
    }
    defer { xmlFreeDoc(document) }
    let elements = Element.all(below: xmlDocGetRootElement(document))
    base = elements.first { $0.name == "base" }?["href"]
    forms = Self.forms(among: elements)
  }

  /// Looks at each element once. It belongs to the form that it names, or else to the form around it.
  private static func forms(among elements: [Element]) -> [HTMLForm] {
    let forms = elements.filter { $0.name == "form" }.prefix(maximumForms)
    let named = Dictionary(
      forms.indices.compactMap { index in forms[index]["id"].map { ($0, index) } }
    ) { first, _ in first }
    let around = Dictionary(forms.indices.map { (forms[$0].node, $0) }) { first, _ in first }
    var controls = [[Element]](repeating: [], count: forms.count)
    for element in elements where element.isControl {
      let owner = element["form"].map { named[$0] } ?? element.form.flatMap { around[$0] }
      if let owner, controls[owner].count < maximumControls { controls[owner].append(element) }
    }
    return zip(forms, controls).map { form, own in
      HTMLForm(
        action: form["action"] ?? "", isPost: form["method"]?.lowercased() == "post",
        fields: own.compactMap(\.field), buttons: own.compactMap(\.button))
    }
  }
}

/// A form of a page (HTML Standard section 4.10).
public struct HTMLForm: Sendable, Equatable {
  /// The address that it is sent to, as in the page. It may be relative, or empty for the page itself.
  public let action: String
  public let isPost: Bool
  /// The fields with their initial values.
  public let fields: [Parameter]
  /// The buttons that send it, and the values that they add.
  public let buttons: [Parameter]

  /// Returns the parameters that are sent after `values` have been filled in and a button has been pressed: the button
  /// that is among the `values`, or else the first. Returns nil if the form has neither a field nor a button of them.
  public func submission(of values: [Parameter]) -> [Parameter]? {
    let pressed = buttons.first { button in values.contains(button) }
    let isMeant = fields.contains { field in values.contains { $0.name.isIdentical(to: field.name) } }
    guard isMeant || pressed != nil else { return nil }
    let filled = fields.map { field in
      values.first { $0.name.isIdentical(to: field.name) } ?? field
    }
    let button = pressed ?? buttons.first
    return filled + [button].compactMap(\.self).filter { !$0.name.isEmpty }
  }
}

/// An element while its document is being read.
private struct Element {
  let node: xmlNodePtr
  let name: String
  /// The form around the element.
  let form: xmlNodePtr?

  /// Returns the elements below `root` in the order of the page.
  static func all(below root: xmlNodePtr?) -> [Element] {
    var elements: [Element] = []
    var pending = [(node: root, form: xmlNodePtr?.none)]
    while let (node, form) = pending.popLast() {
      guard let node else { continue }
      var inside = form
      if node.pointee.type == XML_ELEMENT_NODE, let name = text(node.pointee.name)?.lowercased() {
        elements.append(Element(node: node, name: name, form: form))
        if name == "form" { inside = node }
      }
      if node != root { pending.append((node.pointee.next, form)) }
      pending.append((node.pointee.children, inside))
    }
    return elements
  }

  /// True if the element may be part of what its form sends.
  var isControl: Bool {
    ["input", "button", "select", "textarea"].contains(name) && self["disabled"] == nil
  }

  /// An attribute. Libxml2 turns the names into lower case.
  subscript(attribute: String) -> String? {
    guard let value = xmlGetProp(node, attribute) else { return nil }
    defer { xml_free(value) }
    return Self.text(value)
  }

  /// Name and value, or nil if it is not a field that is sent.
  var field: Parameter? {
    guard let name = self["name"], !name.isEmpty else { return nil }
    switch self.name {
    case "textarea": return Parameter(name, content)
    case "select": return selected.map { Parameter(name, $0) }
    case "input": return input.map { Parameter(name, $0) }
    default: return nil
    }
  }

  private var input: String? {
    switch self["type"]?.lowercased() {
    case "submit", "button", "image", "reset", "file": nil
    case "checkbox", "radio": self["checked"] == nil ? nil : self["value"] ?? "on"
    default: self["value"] ?? ""
    }
  }

  private var selected: String? {
    let options = Self.all(below: node).filter { $0.name == "option" }
    let chosen = options.first { $0["selected"] != nil } ?? options.first
    return chosen.map { $0["value"] ?? $0.content }
  }

  /// Name and value, or nil if it is not a button that sends the form. A button without a name adds no parameter.
  var button: Parameter? {
    let type = self["type"]?.lowercased()
    switch name {
    case "input" where type == "submit": break
    case "button" where type == nil || type == "submit": break
    default: return nil
    }
    return Parameter(self["name"] ?? "", self["value"] ?? "")
  }

  private var content: String {
    guard let content = xmlNodeGetContent(node) else { return "" }
    defer { xml_free(content) }
    return Self.text(content) ?? ""
  }

  private static func text(_ bytes: UnsafePointer<xmlChar>?) -> String? {
    bytes.map { String(cString: $0) }
  }
}
