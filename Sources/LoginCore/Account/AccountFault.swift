/// Why a document is not a kept account, or not a kept client.
public enum AccountFault: Error, Sendable, Equatable {
  /// It is not JSON.
  case notJSON(JSONFault)
  /// A later version of Tokentry has written it.
  case unknownVersion
  /// A member is missing, or is not what it has to be.
  case member(String)
  /// It belongs to another account.
  case otherName
}

extension AccountFault: CustomStringConvertible {
  /// The reason for a person.
  public var description: String {
    switch self {
    case .notJSON(let fault): fault.description
    case .unknownVersion: "a later version of tokentry has written it"
    case .member(let name): "\(name) is missing or wrong"
    case .otherName: "it belongs to another account"
    }
  }
}
