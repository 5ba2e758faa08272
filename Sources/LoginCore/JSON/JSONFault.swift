/// Why a text is not the JSON that Tokentry reads.
public struct JSONFault: Error, Sendable, Equatable {
  /// What is wrong.
  public enum Reason: Sendable, Equatable {
    case tooLarge
    case tooDeep
    case notUTF8
    case unexpectedEnd
    case unexpectedCharacter
    case trailingCharacters
    case notAnObject
    case controlCharacterInString
    case invalidEscape
    case loneSurrogate
    case repeatedName(String)
  }

  /// What is wrong.
  public let reason: Reason
  /// The line in which it is, counted from one.
  public let line: Int
}

extension JSONFault: CustomStringConvertible {
  /// Line and reason for a person.
  public var description: String { "line \(line): \(reason)" }
}

extension JSONFault.Reason: CustomStringConvertible {
  /// The reason for a person.
  public var description: String {
    switch self {
    case .tooLarge: "the document is too large"
    case .tooDeep: "objects and arrays are nested too deeply"
    case .notUTF8: "the text is not UTF-8"
    case .unexpectedEnd: "the document ends too early"
    case .unexpectedCharacter: "a character stands where JSON allows none"
    case .trailingCharacters: "something follows the end of the document"
    case .notAnObject: "the document is not an object"
    case .controlCharacterInString: "a control character in a string must be escaped"
    case .invalidEscape: "an escape that JSON does not know"
    case .loneSurrogate: "half of a surrogate pair"
    case .repeatedName(let name): "the member \"\(name.forDisplay(limit: 60))\" is there twice"
    }
  }
}
