/// Why a preset file is refused: where, and what about it.
public struct PresetFault: Error, Sendable, Equatable {
  /// The line, counted from one.
  public let line: Int
  /// What is wrong there.
  public let reason: Reason

  /// What can be wrong with a preset.
  public enum Reason: Sendable, Equatable {
    /// It is not one JSON object.
    case notJSON(JSONFault.Reason)
    /// A member that no preset has.
    case unknownMember(String, nearest: String?)
    /// A member of the wrong kind.
    case kind(member: String, wanted: JSONKind, found: JSONKind)
    /// A text that is none of those that the member may have.
    case choice(String, of: [String])
    /// No response type.
    case responseType(String)
    /// A variable whose name is more than letters, digits and underscores, or is `client_id`, which is always one.
    case variableName, reservedVariable
    /// A parameter that requests set themselves.
    case reservedParameter(String)
    /// A default for a variable that the preset does not have.
    case defaultWithoutVariable(String)
    /// No https URL with one claim in its path.
    case issuerPattern
    /// A scheme of header fields that is more than letters, digits and hyphens.
    case authorizationScheme
    /// No width and height that a window can have.
    case windowSize
    /// A header field that cannot be added to a request.
    case header(String, HeaderFault)
    /// A text with a variable in it that cannot be filled in.
    case template(member: String, TemplateFault)
  }
}

/// Why a text with variables in it cannot be filled in.
public enum TemplateFault: Error, Sendable, Equatable {
  /// The preset has no such variable.
  case unknownVariable(String)
  /// The value may not stand in this place.
  case value(of: String, Position)
  /// What comes of it is no such address.
  case address(String, AddressFault)

  /// Where in a preset a value stands.
  public enum Position: Sendable, Equatable {
    /// In what is no address.
    case text
    /// All of an authority: a host with an optional port, and a path after it.
    case server
    /// In this part of an address.
    case scheme, hostPart, port, pathOrQuery
  }
}
