@testable import LoginCore
@testable import SecretStore
@testable import WindowProtocol

extension Check {
  /// The names of accounts, cookies and clients, and of their files: no file name leads out of its folder, and each
  /// belongs to one name.
  static let names = Check(growing: [("letters", { pieces($0) { _ in "ä" } })]
  ) { bytes in
    let text = bytes.text
    if let name = AccountName(text) {
      let file = name.fileName
      check(file, of: text)
      require(
        file.utf8.count + ".attempts.new".utf8.count <= 255, "a file name leaves room for endings: \(file)")
      require(AccountName(fileName: file) == name, "a file belongs to one account: \(file)")
      require(isShowable(text), "a name can be shown: \(text)")
    }
    if let name = AccountName(fileName: text) {
      require(name.fileName.bytes == text.bytes, "a name has one file: \(text)")
    }
    if let jar = CookieJarName(text) {
      check(jar.folderName, of: text)
      require(CookieJarName(folderName: jar.folderName) == jar, "a folder belongs to one name: \(text)")
    }
    if let jar = CookieJarName(folderName: text) {
      require(jar.folderName.bytes == text.bytes, "a name has one folder: \(text)")
    }
    if let resource = try? ProtectedResource(text),
      let name = try? AccountName(shortening: resource.description, PlainCryptography())
    {
      require(
        AccountName(name.description) == name, "an account named after an API has a valid name: \(name)")
    }
    if let redirect = try? RedirectURI(text) {
      var provider = Provider()
      provider.issuer = try? Issuer(text)
      if let slot = ClientSlot(provider, redirect) { check(slot.fileName, of: text) }
    }
  }

  private static func check(_ file: String, of text: String) {
    require(!file.isEmpty && file.utf8.count <= 255, "a file has a name: \(file)")
    require(!file.hasPrefix("."), "\(text) does not become a hidden file: \(file)")
    require(
      file.utf8.allSatisfy { $0.isVisible && $0 != UInt8(ascii: "/") },
      "\(text) does not lead out of its folder: \(file)")
  }
}
