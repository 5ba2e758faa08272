/// An account or a client could not be kept, or is not there.
public enum StoreFault: Sendable, Equatable {
  /// There is no store, or it cannot be used.
  case unavailable(StoreObstacle)
  /// The keyring is locked, and stayed so.
  case locked
  /// Nothing is kept under this name.
  case unknownAccount(String, nearest: String? = nil)
  /// What is kept under this name cannot be read.
  case unreadable(account: String, AccountFault)
  /// No client is kept for this provider and redirect URI.
  case unknownClient(of: String)
  /// The client that is kept for this provider cannot be read.
  case unreadableClient(of: String, AccountFault)
}

/// What keeps a store from being used.
public enum StoreObstacle: Sendable, Equatable {
  /// There is no keyring yet, which nobody may be asked to make, or it does not answer.
  case noKeyring, silentKeyring
  /// There is no message bus of the session, over which a keyring is reached.
  case noMessageBus
  /// What the keyring's library says of it.
  case keyring(String)
  /// A folder or a file cannot be used.
  case file(FileFault)
  /// There is no folder in which others could be kept away from an account.
  case noFolderForLocks
}

/// Why a folder or a file is not used.
public struct FileFault: Error, Sendable, Equatable {
  /// Which one.
  public let path: String
  /// What is wrong with it.
  public let reason: Reason

  /// What can be wrong.
  public enum Reason: Sendable, Equatable {
    /// The system refuses, with this number.
    case system(Int32)
    /// A link stands where none may be.
    case symbolicLink
    /// It is not what it should be, is somebody else's, or is too large.
    case notRegular, otherOwner, tooLarge
    /// Others can read or write it.
    case open(isFolder: Bool)
    /// Others can put something else into the place of what is in this folder of the user's.
    case writable
    /// The same, or others can look into it, and the folder is not for this user alone to change.
    case shared
  }

  /// What is wrong with what is at a path.
  public init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

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
