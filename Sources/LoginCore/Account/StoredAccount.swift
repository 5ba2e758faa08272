/// What a store says of one account when it is asked for all of them.
public struct StoredAccount: Sendable {
  /// How much of an account can be seen.
  public enum Contents: Sendable {
    /// It could be read.
    case account(Account)
    /// The keyring is locked, and a list is no reason to ask for its password.
    case locked
    /// The document is damaged, or of a later version.
    case unreadable(AccountFault)
  }

  /// What the account is called.
  public let name: AccountName
  /// What can be seen of it.
  public let contents: Contents

  /// An account that cannot be seen.
  public init(locked name: AccountName) {
    self.name = name
    contents = .locked
  }

  /// An account from its document alone, which says what it is called; nothing if it cannot be read.
  package init?(document: [UInt8]) {
    guard let object = try? Account.object(document),
      let name = object["account"]?.string.flatMap({ AccountName($0) }),
      let account = try? Account(object, of: name)
    else { return nil }
    self.name = name
    contents = .account(account)
  }

  /// An account from its document.
  public init(_ name: AccountName, document: [UInt8]) {
    self.name = name
    do throws(AccountFault) {
      contents = .account(try Account(document: document, of: name))
    } catch {
      contents = .unreadable(error)
    }
  }
}
