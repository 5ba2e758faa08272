import Foundation
import HTMLForms
import LoginCore
import Testing

@Suite("XMLElement")
struct XMLElementTests {
  @Test("An element is found by its name, and written as it was read")
  func found() throws {
    let text = #"<a><b is-for="x&amp;y"><c>1 &lt; 2</c></b><d><![CDATA[ a&b ]]></d><e/></a>"#
    let root = try #require(XMLElement(Array("<?xml version='1.0'?>\n\(text)".utf8)))
    #expect(root.name == "a" && root.first("b")?["is-for"] == "x&y")
    #expect(root.text(of: "c") == "1 < 2" && root.text(of: "d") == "a&b")
    #expect(root.text(of: "e") == nil && root.text(of: "f") == nil)
    #expect(root.first("b")?.xml == #"<b is-for="x&amp;y"><c>1 &lt; 2</c></b>"#)
  }

  @Test("Entities are not expanded, no file is read, and text that is not XML is refused")
  func hostile() throws {
    let entity = #"<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname"><!ENTITY y "long">]><a>1&x;&y;2</a>"#
    #expect(XMLElement(Array(entity.utf8))?.text ?? "12" == "12")
    for text in ["", "<p>Hello<br>", "<a>", "a", "<a/><b/>"] {
      #expect(XMLElement(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
