import Testing

@testable import LoginCore

/// The components of a URI, as they were written.
@Suite("URIParts")
struct URIPartsTests {
  // RFC 3986 section 3 and appendix B.
  @Test("the components of RFC 3986 are told apart")
  func components() throws {
    let parts = try URIParts("foo://example.com:8042/over/there?name=ferret#nose")
    #expect(parts.scheme == "foo")
    #expect(parts.authority == "example.com:8042")
    #expect(parts.path == "/over/there")
    #expect(parts.query == "name=ferret")
    #expect(parts.fragment == "nose")
  }

  @Test("a component that is not there differs from an empty one")
  func emptyComponents() throws {
    let bare = try URIParts("urn:example:animal:ferret:nose")
    #expect(bare.authority == nil)
    #expect(bare.path == "example:animal:ferret:nose")
    #expect(bare.query == nil)
    #expect(bare.fragment == nil)

    let empty = try URIParts("vk1://?#")
    #expect(empty.authority == "")
    #expect(empty.path == "")
    #expect(empty.query == "")
    #expect(empty.fragment == "")
  }

  @Test("the first # ends everything, the first ? before it the path")
  func marks() throws {
    let parts = try URIParts("a://b/c?d?e#f?g#h")
    #expect(parts.query == "d?e")
    #expect(parts.fragment == "f?g#h")
    #expect(try URIParts("a://b#c?d").query == nil)
    #expect(try URIParts("a://b?c/d").authority == "b")
  }

  @Test("a scheme is lower-cased, nothing else is")
  func scheme() throws {
    let parts = try URIParts("COM.Example+App-1://Host/Path")
    #expect(parts.scheme == "com.example+app-1")
    #expect(parts.authority == "Host")
    #expect(parts.path == "/Path")
  }

  @Test(
    "without a scheme there are no parts",
    arguments: ["", ":", "://a", "a", "+a:b", "1a:b", "-a:b", ".a:b", "a_b:c", "é:a"])
  func noScheme(text: String) {
    #expect(throws: AddressFault.notAbsolute) { _ = try URIParts(text) }
  }

  @Test(
    "a combining mark cannot hide a separator",
    arguments: ["a:/\u{338}/b", "a://\u{301}b", "a://b?\u{301}", "a:\u{301}//b"])
  func combiningMarks(text: String) {
    #expect(throws: AddressFault.illegalCharacter) { _ = try URIParts(text) }
  }
}
