/// Why a document is not a kept account, or not a kept client.
public enum AccountFault: Error, Sendable, Equatable {
  /// It is not JSON.
  case notJSON(JSONFault)
  /// A later version of this package has written it.
  case unknownVersion
  /// A member is missing, or is not what it has to be.
  case member(String)
  /// It belongs to another account.
  case otherName
}
