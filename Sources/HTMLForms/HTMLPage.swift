import CLibXML
import LoginCore

/// A page, as far as it has forms. Read by libxml2, which survives whatever browsers survive.
public struct HTMLPage: Sendable {
  /// The forms in the order of the page.
  public let forms: [HTMLForm]
  /// The address that relative ones refer to, if the page names one.
  public let base: String?

  /// The most of a page that is read, in bytes.
  public static let maximumSize = 1_024 * 1_024
  /// The most of its forms that are read.
  public static let maximumForms = 100
  /// The most fields and buttons of a form that are read, together.
  public static let maximumControls = 1_000

  /// Reads a page; what is no HTML has no forms. Nothing is loaded from anywhere. A page can be made so that this takes
  /// minutes, in the parser alone.
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

  /// Each element is looked at once: it belongs to the form that it names, else to the one around it.
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

/// An element while its document is being read.
private struct Element {
  let node: xmlNodePtr
  let name: String
  /// The form around it.
  let form: xmlNodePtr?

  /// The elements below `root` in the order of the page.
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

  /// Whether a form has something to send of it.
  var isControl: Bool {
    ["input", "button", "select", "textarea"].contains(name) && self["disabled"] == nil
  }

  /// An attribute; names are in lower case, as libxml2 makes them.
  subscript(attribute: String) -> String? {
    guard let value = xmlGetProp(node, attribute) else { return nil }
    defer { xml_free(value) }
    return Self.text(value)
  }

  /// Its name and value, if it is a field that is sent.
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

  /// Its name and value, if it is a button that sends the form. One without a name adds nothing.
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
