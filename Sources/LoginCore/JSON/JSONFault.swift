/// Why a text is not the JSON that Tokentry reads.
public struct JSONFault: Error, Sendable, Equatable {
  /// What is wrong.
  public enum Reason: Sendable, Equatable {
    /// More than is read of anybody.
    case tooLarge, tooDeep
    /// Bytes that are no JSON text.
    case notUTF8, unexpectedEnd, trailingCharacters
    /// A character that JSON does not allow where it stands.
    case unexpectedCharacter(Unicode.Scalar)
    /// A comma behind the last member or element.
    case trailingComma
    /// A string that is none.
    case controlCharacterInString, invalidEscape, loneSurrogate
    /// Another value where only an object makes sense.
    case notAnObject
    /// A member that is there twice.
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
