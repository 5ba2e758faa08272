import CLibXML
import LoginCore

/// An element of an XML document, as servers send it. Entities of the document's own are not expanded, and no other file is
/// read.
package struct XMLElement: Sendable, Equatable {
  package let name: String
  package let attributes: [Parameter]
  package let children: [XMLElement]
  /// The text directly in the element.
  package let text: String

  /// The bytes of a document that are read.
  package static let maximumSize = 1_024 * 1_024

  /// Returns the root of a document, or nil if this is not XML.
  package init?(_ document: [UInt8]) {
    guard document.count <= Self.maximumSize else { return nil }
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    let parsed = document.withUnsafeBytes { bytes in
      xmlReadMemory(
        bytes.bindMemory(to: CChar.self).baseAddress, Int32(document.count), nil, nil, Int32(options))
    }
    guard let parsed else { return nil }
    defer { xmlFreeDoc(parsed) }
    guard let root = xmlDocGetRootElement(parsed) else { return nil }
    self.init(root)
  }

  private init(_ node: xmlNodePtr) {
    var (children, text, next) = ([XMLElement](), "", node.pointee.children)
    while let child = next {
      next = child.pointee.next
      switch child.pointee.type {
      case XML_ELEMENT_NODE: children.append(XMLElement(child))
      case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
        if let content = child.pointee.content { text += String(cString: content) }
      default: break
      }
    }
    (name, self.children, self.text) = (String(cString: node.pointee.name), children, text)
    var (attributes, attribute) = ([Parameter](), node.pointee.properties)
    while let found = attribute {
      attribute = found.pointee.next
      let value = found.pointee.children?.pointee.content.map { String(cString: $0) } ?? ""
      attributes.append(Parameter(String(cString: found.pointee.name), value))
    }
    self.attributes = attributes
  }

  /// Makes an element.
  package init(
    _ name: String, _ attributes: [Parameter] = [], text: String = "", _ children: [XMLElement] = []
  ) {
    (self.name, self.attributes, self.text, self.children) = (name, attributes, text, children)
  }

  /// Returns the first element of this name, in the order of the document.
  package func first(_ name: String) -> XMLElement? {
    if self.name == name { return self }
    for child in children { if let found = child.first(name) { return found } }
    return nil
  }

  /// Returns the text of the first element of this name, without blanks around it. Returns nil if it is empty.
  package func text(of name: String) -> String? {
    guard let text = first(name)?.text else { return nil }
    let blank = { (scalar: Unicode.Scalar) in scalar.value <= 0x20 }
    let rest = text.unicodeScalars.drop(while: blank)
    let end = rest.lastIndex { !blank($0) }
    return end.map { String(rest[...$0]) }
  }

  /// Returns an attribute.
  package subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  /// The element as XML. Text comes before the children.
  package var xml: String {
    let attributes = attributes.map { " \($0.name)=\"\($0.value.escaped)\"" }.joined()
    return "<\(name)\(attributes)>\(text.escaped)\(children.map(\.xml).joined())</\(name)>"
  }
}

extension String {
  fileprivate var escaped: String {
    replacingAll("&", with: "&amp;").replacingAll("<", with: "&lt;").replacingAll(">", with: "&gt;")
      .replacingAll("\"", with: "&quot;").replacingAll("\r", with: "&#13;").replacingAll("\n", with: "&#10;")
      .replacingAll("\t", with: "&#9;")
  }
}
