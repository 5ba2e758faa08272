import Testing

@testable import LoginCore

@Suite("The document of a kept client")
struct RegisteredClientDocumentTests {
  private func slot(_ redirect: String = "http://127.0.0.1/callback") throws -> ClientSlot {
    var provider = Provider()
    provider.issuer = try Issuer("https://as.test")
    return try #require(ClientSlot(provider, RedirectURI(redirect)))
  }

  private func client() -> RegisteredClient {
    RegisteredClient(
      clientID: "c", secret: ClientSecret("s"), authentication: .post, secretExpiresAt: nil, management: nil)
  }

  @Test("it is read back as it was written")
  func whole() throws {
    let document = client().document(at: try slot())
    #expect(try RegisteredClient(document: document, at: slot()) == client())
  }

  @Test("what is damaged, newer or another place's is named")
  func refused() throws {
    let slot = try slot()
    let document = try #require(try JSONReader.read(client().document(at: slot)).object)
    let cases: [(String, JSONValue, AccountFault)] = [
      ("version", 2, .unknownVersion), ("version", true, .member("version")),
      ("provider", "https://as.other", .member("provider")), ("client", ["client_id": ""], .member("client")),
    ]
    for (name, value, fault) in cases {
      var damaged = document
      damaged[name] = value
      #expect(throws: fault) { _ = try RegisteredClient(document: Array(damaged.text.utf8), at: slot) }
    }
    #expect(throws: AccountFault.member("redirect_uri")) {
      _ = try RegisteredClient(
        document: client().document(at: slot), at: self.slot("http://127.0.0.1/other"))
    }
  }
}
