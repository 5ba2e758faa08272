import Testing

@testable import LoginCore

@Suite("MemberCoder")
struct MemberCoderTests {
  private struct Size: MemberCoded, Equatable {
    var width: Int64 = 1

    mutating func code(_ coder: inout MemberCoder) {
      coder.value("width", &width, else: 1, .number(in: 0...9))
    }
  }

  private struct Sample: MemberCoded, Equatable {
    var name = ""
    var note: String?
    var isNew = false
    var size = Size()
    var pkce: CodeChallengeMethod?
    var words: [String: String] = [:]

    mutating func code(_ coder: inout MemberCoder) {
      coder.required("name", &name, .line)
      coder.text("note", &note)
      coder.flag("new", &isNew)
      coder.value("size", &size, else: Size(), .object)
      coder.value("pkce", &pkce, .choice())
      coder.value("words", &words, else: [:], .dictionary())
    }
  }

  private struct Parent: MemberCoded, Equatable {
    var child: Sample?
    var shape: Shape?
    var link: String?

    mutating func code(_ coder: inout MemberCoder) {
      coder.value("child", &child, .object)
      coder.value("shape", &shape, .cases("kind"))
      coder.checked("link", &link, .text)
    }
  }

  private enum Shape: CaseCoded, Equatable {
    case dot
    case frame(Size)
    case label(String, colour: String?)
    case link(String)

    static let cases: [Shape] = [.link(""), .dot, .frame(Size()), .label("", colour: nil)]

    func coded(by coder: inout MemberCoder) -> (name: String, value: Shape) {
      switch self {
      case .dot: return ("dot", self)
      case .frame(let size): return ("frame", .frame(coder.members(size)))
      case .label(let text, let colour):
        let text = coder.text("text", text)
        return ("label", .label(text, colour: coder.valueOrNull("colour", colour, .line)))
      case .link(let address): return ("label", .link(coder.text("address", address)))
      }
    }
  }

  @Test("Members are written in their order unless they have their default, and read back")
  func roundTrip() throws {
    var sample = Sample()
    sample.name = "n"
    #expect(sample.json.text == #"{"name":"n"}"#)
    (sample.note, sample.isNew, sample.size.width) = ("", true, 3)
    (sample.pkce, sample.words) = (.plain, ["b": "2", "a": "1"])
    let text =
      #"{"name":"n","note":"","new":true,"size":{"width":3},"pkce":"plain","words":{"a":"1","b":"2"}}"#
    #expect(sample.json.text == text)
    #expect(try Sample(strict: sample.json) == sample)
    #expect(Sample(lenient: sample.json) == sample)
  }

  @Test(
    "A strict reader refuses the first member that is wrong, missing or unknown, with its path",
    arguments: [
      ([:], "a.name", "a.name is missing or wrong"),
      (["name": 1, "new": 1], "a.name", "a.name must be a string, not a number"),
      (["name": "n\n"], "a.name", "a.name is missing or wrong"),
      (["name": "n", "new": .null], "a.new", "a.new must be true or false, not null"),
      (["name": "n", "size": ["width": 10]], "a.size.width", "a.size.width is missing or wrong"),
      (
        ["name": "n", "size": ["width": .number(JSONNumber(literal: "1.5"))]], "a.size.width",
        "a.size.width is missing or wrong"
      ),
      (["name": "n", "size": ["hight": 1]], "a.size.hight", #"unknown member "hight""#),
      (["name": "n", "pkce": "s256"], "a.pkce", #""s256" is not one of S256, plain, none"#),
      (["name": "n", "words": ["a": []]], "a.words.a", "a.words.a must be a string, not an array"),
      (["name": "n", "nmae": 1], "a.nmae", #"unknown member "nmae", did you mean "name"?"#),
    ] as [(JSONObject, String, String)])
  func strict(object: JSONObject, path: String, reason: String) {
    let refusal = #expect(throws: MemberRefusal.self) { try Sample(strict: object, at: ["a"]) }
    #expect(refusal?.path.joined(separator: ".") == path && refusal?.reason.description == reason)
  }

  @Test("A lenient reader takes the default in place of a wrong member, and ignores unknown ones")
  func lenient() {
    let sample = Sample(lenient: ["name": "n", "new": 1, "size": ["width": 10], "pkce": "s256", "later": 1])
    #expect(sample == Sample(lenient: ["name": "n"]) && sample?.name == "n")
  }

  @Test("A lenient reader refuses an object without a required member", arguments: [[:], ["name": 1]])
  func lacking(object: JSONObject) { #expect(Sample(lenient: object) == nil) }

  @Test("A lenient reader is lenient inside of its objects, too")
  func lenientInside() {
    #expect(Sample(lenient: ["name": "n", "size": ["width": 2, "later": 1]])?.size.width == 2)
    #expect(Parent(lenient: ["child": ["later": 1]]) == Parent())
  }

  @Test(
    "A case is written with its name and its members, and read back",
    arguments: [
      (.dot, #"{"kind":"dot"}"#), (.frame(Size(width: 3)), #"{"kind":"frame","width":3}"#),
      (.label("a", colour: nil), #"{"kind":"label","text":"a","colour":null}"#),
      (.label("a", colour: "b"), #"{"kind":"label","text":"a","colour":"b"}"#),
      (.link("a"), #"{"kind":"label","address":"a"}"#),
    ] as [(Shape, String)])
  private func cases(shape: Shape, text: String) {
    let parent = Parent(shape: shape)
    #expect(parent.json.text == #"{"shape":\#(text)}"#)
    #expect(Parent(lenient: parent.json) == parent)
  }

  @Test(
    "A case that is unknown, or lacks a required member, is refused",
    arguments: [[:], ["kind": 1], ["kind": "disc"], ["kind": "label"], ["kind": "label", "text": 1], "dot"]
      as [JSONValue])
  func unknownCase(shape: JSONValue) throws {
    #expect(Parent(lenient: ["shape": shape]) == Parent())
    #expect(throws: MemberRefusal.self) { try Parent(strict: ["shape": shape]) }
  }

  @Test("A case may have members of a later version, and wrong ones that are not required")
  func laterCase() {
    let parent = Parent(lenient: ["shape": ["kind": "label", "text": "a", "colour": 1, "later": 1]])
    #expect(parent?.shape == .label("a", colour: nil))
  }

  @Test("A checked member may be absent, but not wrong, even for a lenient reader")
  func checked() {
    #expect(Parent(lenient: ["link": "a"])?.link == "a")
    #expect(Parent(lenient: ["link": 1]) == nil)
  }
}
