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

  /// What is wrong in a line.
  package init(reason: Reason, line: Int) {
    (self.reason, self.line) = (reason, line)
  }
}
