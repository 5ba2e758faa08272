import Testing

@testable import LoginCore

/// Logins for an API whose server was found.
@Suite("FoundResource")
struct FoundResourceTests {
  private typealias Sample = ResourceSessionTests

  @Test("The scope is that of the caller, or else all scopes that the API knows, with offline_access")
  func scope() async throws {
    let found = try await Sample.found(
      Sample.servers([
        Sample.ownDocument: Sample.document(more: #","scopes_supported":["a","b"]"#),
        Sample.server: Sample.metadata(more: #","scopes_supported":["offline_access"]"#),
      ]))
    func asked(_ scope: String?, prompt: String? = nil) throws -> (scope: String?, prompt: String?) {
      var login = try Samples.login(found.provider.with(redirectURI: "https://app.test/cb"))
      login.parameters = prompt.map { [Parameter("prompt", $0)] } ?? []
      login.parameters.append(Parameter("resource", "https://old.test"))
      login = found.applied(to: login, scope: scope)
      #expect(login.parameters.filter { $0.name == "resource" }.map(\.value) == [Sample.api])
      #expect(login.namesClient)
      return (login.scope, login.parameter("prompt"))
    }
    #expect(try asked(nil) == ("a b offline_access", "consent"))
    #expect(try asked(nil, prompt: "login") == ("a b offline_access", "login"))
    #expect(try asked("c") == ("c", nil))
    #expect(try asked("") == (nil, nil))
  }

  @Test(
    "A client identifier that is an address is used only if the server reads such documents",
    arguments: [true, false])
  func clientDocument(isTaken: Bool) async throws {
    let found = try await Sample.found(
      Sample.servers([
        Sample.server: Sample.metadata(more: #","client_id_metadata_document_supported":\#(isTaken)"#)
      ]))
    for (clientID, isDocument) in [
      ("https://app.test/client.json", true), ("https://app.test/", false), ("me", false),
    ] {
      var login = try Samples.login(found.provider.with(redirectURI: "https://app.test/cb"))
      login.clientID = clientID
      #expect(found.applied(to: login, scope: nil).clientID == (isDocument && !isTaken ? "" : clientID))
    }
  }

  @Test("After an API has moved to another server, a login has no facts of the old server")
  func moved() async throws {
    let found = try await Sample.found(Sample.servers())
    var old = try Samples.code()
    old.issuer = try Issuer("https://old.test")
    old.headers = [Parameter("X-Key", "secret")]
    var account = try Samples.account(
      at: old, token: ["access_token": "T", "token_type": "Bearer"], life: nil)
    account.login.clientSecret = ClientSecret("s")
    account.login.scope = "old"
    let redirectURI = try RedirectURI("http://127.0.0.1/callback")
    let moved = account.newLogin(at: found, redirectURI: redirectURI)
    #expect(moved.clientID.isEmpty && moved.clientSecret == nil && moved.provider.headers.isEmpty)
    #expect(moved.scope == nil && moved.provider.issuer?.description == "https://as.test")
    account.login.provider.issuer = try Issuer("https://as.test")
    let same = account.newLogin(at: found, redirectURI: redirectURI)
    #expect(same.clientID == "client" && same.clientSecret != nil && same.scope == "old")
    #expect(same.provider.headers == old.headers)
  }

  @Test("If the server registers no clients, the failure names its page for developers and the redirect URI")
  func noRegistration() async throws {
    let metadata = Sample.metadata(more: #","service_documentation":"https://as.test/docs""#)
    let found = try await Sample.found(Sample.servers([Sample.server: metadata]))
    guard case .createClient(let creation)? = found.provider.noClient.hint else {
      Issue.record("\(found.provider.noClient)")
      return
    }
    let redirectURI = try RedirectURI.onThisMachine(for: found.provider)
    #expect(
      creation.description
        == "create one at the provider (see https://as.test/docs), with the redirect URI \(redirectURI)")
  }
}

extension Provider {
  fileprivate func with(redirectURI: String) throws -> Provider {
    var provider = self
    provider.redirectURI = try RedirectURI(redirectURI)
    return provider
  }
}
