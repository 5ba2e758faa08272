import CLibXML
import LoginCore

/// The forms of a page, and what it says about itself. They are read by libxml2, which copes with any HTML that browsers cope with.
package struct HTMLPage: Sendable {
  /// The title, or else the first heading.
  package let title: String?
  /// The first paragraphs, items and cells in one line, as far as a message can show them.
  package let beginning: String
  /// In the order of the page.
  package let forms: [HTMLForm]
  /// The base of relative addresses, if the page names one: the first `base` element that has an address counts.
  package let base: String?
  /// The policies of the page itself (Content Security Policy Level 3 section 3.3).
  package let policies: [String]
  /// True if the page says that other pages must not know its address, and nil if it does not say anything about it
  /// (Referrer Policy section 4.2).
  package let hidesItself: Bool?

  /// The bytes of a page that are read.
  package static let maximumSize = 1_024 * 1_024
  /// The number of forms that are read.
  package static let maximumForms = 100
  /// The number of fields and buttons of a form that are read, together.
  package static let maximumControls = 1_000

  /// Reads a page without loading anything else. Bytes that are not HTML have no forms.
  ///
  /// An attacker can write a page that keeps the parser busy for minutes.
  package init(_ html: [UInt8]) {
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue
    let size = Int32(min(html.count, Self.maximumSize))
    let document = html.withUnsafeBytes { bytes in
      htmlReadMemory(bytes.bindMemory(to: CChar.self).baseAddress, size, nil, "UTF-8", Int32(options))
    }
    guard let document else {
      (title, beginning, forms, base, policies, hidesItself) = (nil, "", [], nil, [], nil)
      return
    }
    defer { xmlFreeDoc(document) }
    let elements = Element.all(below: xmlDocGetRootElement(document))
    title = ["title", "h1", "h2", "h3"].lazy.compactMap { name in
      elements.first { $0.name == name }?.content.withoutExtraSpaces
    }.first { !$0.isEmpty }
    beginning = elements.lazy.filter { ["p", "li", "td", "pre"].contains($0.name) }.prefix(5)
      .map { $0.content.withoutExtraSpaces }.filter { !$0.isEmpty }.joined(separator: " ")
    base = elements.lazy.filter { $0.name == "base" }.compactMap { $0["href"] }.first
    policies = elements.compactMap { element in
      guard element.name == "meta", element["http-equiv"]?.lowercased() == "content-security-policy" else {
        return nil
      }
      return element["content"]
    }
    hidesItself =
      elements.last { $0.name == "meta" && $0["name"]?.lowercased() == "referrer" }?["content"]
      .map { $0.withoutExtraSpaces.lowercased() == "no-referrer" }
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
        action: form["action"] ?? "", method: HTMLForm.Method(attribute: form["method"] ?? ""),
        fields: own.compactMap(\.field), buttons: own.compactMap(\.button))
    }
  }
}

/// An element while its document is being read.
private struct Element {
  let node: xmlNodePtr
  let name: String
  private let surroundings: Surroundings

  /// The form around the element.
  var form: xmlNodePtr? { surroundings.form }

  /// The elements around one.
  private struct Surroundings {
    var form: xmlNodePtr?
    /// True in a list of suggestions, whose fields are not sent.
    var isSuggestion = false
    /// True in a disabled `fieldset`.
    var isDisabled = false

    func inside(_ element: Element) -> Surroundings {
      var inner = self
      switch element.name {
      case "form": inner.form = element.node
      case "datalist": inner.isSuggestion = true
      case "fieldset" where element["disabled"] != nil: inner.isDisabled = true
      default: break
      }
      return inner
    }
  }

  /// Returns the elements below `root` in the order of the page. The contents of templates are not part of the page.
  static func all(below root: xmlNodePtr?) -> [Element] {
    var elements: [Element] = []
    var pending = [(node: root, around: Surroundings())]
    while let next = pending.popLast() {
      guard let node = next.node else { continue }
      var inside = next.around
      var isTemplate = false
      if node.pointee.type == XML_ELEMENT_NODE, let name = text(node.pointee.name)?.lowercased() {
        let element = Element(node: node, name: name, surroundings: next.around)
        elements.append(element)
        inside = next.around.inside(element)
        isTemplate = name == "template"
      }
      if node != root { pending.append((node.pointee.next, next.around)) }
      if !isTemplate { pending.append((node.pointee.children, inside)) }
    }
    return elements
  }

  /// True if the element may be part of what its form sends.
  var isControl: Bool {
    ["input", "button", "select", "textarea"].contains(name) && self["disabled"] == nil
      && !surroundings.isDisabled && !surroundings.isSuggestion
  }

  /// An attribute. Libxml2 turns the names into lower case.
  subscript(attribute: String) -> String? {
    guard let value = xmlGetProp(node, attribute) else { return nil }
    defer { xml_free(value) }
    return Self.text(value)
  }

  /// The field, or nil if the element is not one that is sent.
  var field: HTMLForm.Field? {
    guard let name = self["name"], !name.isEmpty else { return nil }
    switch self.name {
    case "textarea": return HTMLForm.Field(name: name, values: [content.withoutFirstLineBreak])
    case "select": return select(name)
    case "input": return input(name)
    default: return nil
    }
  }

  private func input(_ name: String) -> HTMLForm.Field? {
    switch self["type"]?.lowercased() {
    case "submit", "button", "image", "reset": nil
    case "checkbox", "radio":
      self["checked"].map { _ in HTMLForm.Field(name: name, values: [self["value"] ?? "on"]) }
    // A field without a file is sent with an empty name.
    case "file": HTMLForm.Field(name: name, values: [""])
    case "hidden": HTMLForm.Field(name: name, values: [self["value"] ?? ""], kind: .hidden)
    // A line of text has no line breaks.
    default:
      HTMLForm.Field(
        name: name,
        values: [String((self["value"] ?? "").unicodeScalars.filter { $0 != "\r" && $0 != "\n" })],
        kind: self["type"]?.lowercased() == "password" ? .password : .other)
    }
  }

  /// Disabled options are never sent. A list that allows one option and has no selected one sends its first enabled option.
  private func select(_ name: String) -> HTMLForm.Field {
    let options = Self.all(below: node).filter { $0.name == "option" }
    let isSeveral = self["multiple"] != nil
    var selected = options.filter { $0["selected"] != nil }
    if !isSeveral {
      let isList = (self["size"].flatMap(Int.init) ?? 1) > 1
      selected = [selected.last ?? (isList ? nil : options.first { !$0.isDisabledOption })].compactMap(\.self)
    }
    let values = selected.filter { !$0.isDisabledOption }.map { $0["value"] ?? $0.content.withoutExtraSpaces }
    return HTMLForm.Field(name: name, values: values, takesSeveral: isSeveral)
  }

  private var isDisabledOption: Bool {
    if self["disabled"] != nil { return true }
    guard let group = node.pointee.parent, Self.text(group.pointee.name)?.lowercased() == "optgroup" else {
      return false
    }
    return Element(node: group, name: "optgroup", surroundings: surroundings)["disabled"] != nil
  }

  /// The button, or nil if the element is not one that sends the form.
  var button: HTMLForm.Button? {
    let type = self["type"]?.lowercased()
    switch name {
    case "input" where type == "submit": break
    case "button" where type != "button" && type != "reset": break
    default: return nil
    }
    return HTMLForm.Button(
      parameter: Parameter(self["name"] ?? "", self["value"] ?? ""), action: self["formaction"],
      method: self["formmethod"].map(HTMLForm.Method.init(attribute:)))
  }

  var content: String {
    guard let content = xmlNodeGetContent(node) else { return "" }
    defer { xml_free(content) }
    return Self.text(content) ?? ""
  }

  private static func text(_ bytes: UnsafePointer<xmlChar>?) -> String? {
    bytes.map { String(cString: $0) }
  }
}

extension String {
  /// The text of an option or a title: without spaces at its ends, and with one for each group of them.
  fileprivate var withoutExtraSpaces: String {
    unicodeScalars.split { " \t\n\r\u{C}".unicodeScalars.contains($0) }.map { String($0) }.joined(
      separator: " ")
  }

  /// The contents of a text area: a line break at its start is not part of it.
  fileprivate var withoutFirstLineBreak: String {
    let scalars = unicodeScalars
    let start =
      scalars.first == "\r" && scalars.dropFirst().first == "\n" ? scalars.dropFirst() : scalars[...]
    return String(start.first == "\n" || start.first == "\r" ? start.dropFirst() : start)
  }
}
