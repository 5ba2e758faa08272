import LoginCore

/// The name under which cookies are kept: any text, which no folder can be escaped with.
package struct CookieJarName: Sendable, Equatable {
  /// The name as the caller writes it.
  package let text: String
  /// The same as the name of a folder. Two names never share one.
  package let folderName: String

  /// What a file system takes in one name, less a margin for what may be put behind it.
  private static let maximumLength = 200

  /// Nothing for a name without a character, and for one that is too long for a folder.
  package init?(_ text: String) {
    self.text = text
    folderName = PercentEncoding.fileName(of: text, keeping: "-_.@+")
    guard !text.isEmpty, folderName.utf8.count <= Self.maximumLength else { return nil }
  }

  /// The name whose folder this is; nothing if it is no name's.
  package init?(folderName: String) {
    guard let bytes = PercentEncoding.decode(folderName, brokenEscapes: .refused) else { return nil }
    self.init(String(decoding: bytes, as: UTF8.self))
    guard self.folderName == folderName else { return nil }
  }
}
