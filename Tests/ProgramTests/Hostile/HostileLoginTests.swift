import GnuTLSCrypto
import TestSupport
import Testing

/// The real program against a provider that does one thing wrong.
///
/// These rows prove that each check is made in a real login; the unit tests of LoginCore try every variant.
/// Tokens in the callback and userinfo have suites of their own.
@Suite("Login at a hostile provider", .blocking)
struct HostileLoginTests {
  @Test("The metadata are checked", arguments: HostileRow.discovery)
  func discovery(row: HostileRow) throws { try check(row) }

  @Test("The callback and the pages before it are checked", arguments: HostileRow.callback)
  func callback(row: HostileRow) throws { try check(row) }

  @Test("The answer of the token endpoint is checked", arguments: HostileRow.token)
  func token(row: HostileRow) throws { try check(row) }

  @Test("The claims of the id_token are checked", arguments: HostileRow.claims)
  func claims(row: HostileRow) throws { try check(row) }

  @Test("The signature of the id_token is checked", arguments: HostileRow.signature)
  func signature(row: HostileRow) throws { try check(row) }

  @Test("The keys of the provider are checked", arguments: HostileRow.keys)
  func keys(row: HostileRow) throws { try check(row) }

  private func check(_ row: HostileRow) throws {
    let provider = try HostileProvider(row.change)
    let outcome = try provider.login(row.options, secret: row.secret, isPlain: row.isPlain)
    #expect(outcome.status == row.status, "\(outcome)")
    #expect(outcome.error == row.error, "\(outcome)")
    #expect((outcome["access_token"] == nil) == (row.status != 0), "a token and an error exclude each other")
    let server = provider.server
    let hits = HostileRow.Hits(
      pages: server.hits("/auth"), token: server.hits("/token"), keys: server.hits("/keys"))
    #expect(hits == row.hits)
    for request in server.requests {
      try request.expectPropriety(isConfidential: row.secret != nil)
    }
    #expect(
      server.hits("/elsewhere") == 0, "the program followed an address that it must not trust")
    // Text of the provider can neither move the cursor nor begin a line.
    #expect(outcome.messages.split(separator: "\n").allSatisfy { $0.hasPrefix("tokentry: ") })
    #expect(
      !outcome.messages.unicodeScalars.contains {
        $0 != "\n" && $0.properties.generalCategory == .control
      })
  }

  @Test("oidcc-client-test-signing-key-rotation: the next login reads the new keys")
  func rotation() throws {
    let provider = try HostileProvider { provider in
      let login = provider.request.path == "/keys" ? provider.readings : provider.readings + 1
      guard login > 1 else { return }
      provider.sign(with: .ec, named: "new")
      provider.keys = [GnuTLSSigningKey.ec.published(as: "new")]
    }
    for login in 1...2 {
      let outcome = try provider.login()
      #expect(outcome.status == 0, "\(outcome.output)")
      #expect(provider.server.hits("/keys") == login)
    }
  }
}

/// One misbehavior of a provider, and the expected result. Rows have the names of the OpenID conformance
/// tests if there is one.
struct HostileRow: Sendable, CustomTestStringConvertible {
  let name: String
  let status: Int32
  let error: String?
  let hits: Hits
  /// Options beyond those of every login.
  let options: [String]
  /// The client secret, if the client has one.
  let secret: String?
  /// True for a login without OpenID and discovery.
  let isPlain: Bool
  let change: @Sendable (inout ProviderBehavior) -> Void

  /// How often the endpoints are asked.
  struct Hits: Equatable {
    let pages: Int
    let token: Int
    let keys: Int

    /// The user is sent to no page.
    static let none = Hits(pages: 0, token: 0, keys: 0)
    /// The code is not exchanged.
    static let callback = Hits(pages: 1, token: 0, keys: 0)
    /// The code is exchanged once, and the provider's keys are not needed.
    static let token = Hits(pages: 1, token: 1, keys: 0)
    /// The id_token is verified with the provider's keys.
    static let keys = Hits(pages: 1, token: 1, keys: 1)
    /// The keys lack the one that is needed, and are read again.
    static let keysAgain = Hits(pages: 1, token: 1, keys: 2)
  }

  init(
    _ name: String, _ status: Int32, _ error: String?, _ hits: Hits, _ options: [String] = [],
    secret: String? = nil, isPlain: Bool = false, change: @escaping @Sendable (inout ProviderBehavior) -> Void
  ) {
    self.name = name
    self.status = status
    self.error = error
    self.hits = hits
    self.options = options
    self.secret = secret
    self.isPlain = isPlain
    self.change = change
  }

  var testDescription: String { name }
}
