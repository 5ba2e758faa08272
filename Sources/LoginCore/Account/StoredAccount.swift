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
    /// The file is one that nobody reads accounts from.
    case unusable(FileFault)
  }

  private enum Kept: Sendable {
    case document([UInt8])
    case account(Account)
    case locked
    case unusable(FileFault)
  }

  /// What the account is called.
  public let name: AccountName
  private let kept: Kept

  /// What can be seen of it. Its document is read whenever somebody looks.
  public var contents: Contents {
    switch kept {
    case .locked: return .locked
    case .unusable(let fault): return .unusable(fault)
    case .account(let account): return .account(account)
    case .document(let document):
      do throws(AccountFault) {
        return .account(try Account(document: document, of: name))
      } catch {
        return .unreadable(error)
      }
    }
  }

  /// An account that cannot be seen.
  public init(locked name: AccountName) { (self.name, kept) = (name, .locked) }

  /// An account whose file cannot be used.
  public init(_ name: AccountName, unusable fault: FileFault) { (self.name, kept) = (name, .unusable(fault)) }

  /// An account from its document.
  public init(_ name: AccountName, document: [UInt8]) { (self.name, kept) = (name, .document(document)) }

  /// An account from its document alone, which says what it is called; nothing if it cannot be read.
  package init?(document: [UInt8]) {
    guard let object = try? Account.object(document),
      let name = object["account"]?.string.flatMap({ AccountName($0) }),
      let account = try? Account(object, of: name)
    else { return nil }
    (self.name, kept) = (name, .account(account))
  }

  /// Whether it may be meant for a destination. One whose document does not have the name of the host in it is not, and
  /// most of a long list need not be read for that.
  package func mayBeMeant(for destination: Destination) -> Bool {
    guard case .document(let document) = kept else { return true }
    let host = destination.host.utf8
    // What is escaped could be read as anything.
    if document.contains(UInt8(ascii: "\\")) { return true }
    return document.indices.contains { start in
      zip(document[start...], host).allSatisfy { $0.isSameLetter(as: $1) }
        && document.count - start >= host.count
    }
  }
}

extension UInt8 {
  /// Whether it is the same letter of ASCII, however it is written, or the same byte.
  fileprivate func isSameLetter(as other: UInt8) -> Bool {
    self == other || (self | 0x20) == (other | 0x20) && (0x61...0x7A).contains(self | 0x20)
  }
}
