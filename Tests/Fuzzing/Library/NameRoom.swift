@testable import LoginCore
@testable import LoginWays
@testable import SecretStore

extension Room {
  /// The names of accounts, cookies and clients, and those of their files: none leads out of its folder, and no two
  /// share one.
  static let names = Room(
    name: "names", longest: 256, growing: [("letters", { pieces($0) { _ in "ä" } })]
  ) { bytes in
    let text = bytes.text
    if let name = AccountName(text) {
      let file = name.fileName
      check(file, of: text)
      demand(file.utf8.count + ".attempts.new".utf8.count <= 255, "a name fits: \(file)")
      demand(AccountName(fileName: file) == name, "a file belongs to one account: \(file)")
      demand(isShowable(text), "a name can be shown: \(text)")
    }
    if let name = AccountName(fileName: text) {
      demand(name.fileName.bytes == text.bytes, "a name has one file: \(text)")
    }
    if let jar = CookieJarName(text) {
      check(jar.folderName, of: text)
      demand(CookieJarName(folderName: jar.folderName) == jar, "a folder belongs to one name: \(text)")
    }
    if let jar = CookieJarName(folderName: text) {
      demand(jar.folderName.bytes == text.bytes, "a name has one folder: \(text)")
    }
    if let resource = try? ProtectedResource(text), let name = try? AccountName(resource, PlainCryptography())
    {
      demand(AccountName(name.description) == name, "what is called after an API is a name: \(name)")
    }
    if let redirect = try? RedirectURI(text) {
      var provider = Provider()
      provider.issuer = try? Issuer(text)
      if let slot = ClientSlot(provider, redirect) { check(slot.fileName, of: text) }
    }
  }

  private static func check(_ file: String, of text: String) {
    demand(!file.isEmpty && file.utf8.count <= 255, "a file has a name: \(file)")
    demand(!file.hasPrefix("."), "\(text) hides a file: \(file)")
    demand(
      file.utf8.allSatisfy { $0.isVisible && $0 != UInt8(ascii: "/") }, "\(text) leads elsewhere: \(file)")
  }
}
