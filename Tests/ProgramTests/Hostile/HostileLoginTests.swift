import GnuTLSCrypto
import TestSupport
import Testing

/// The real program against a provider that does one thing wrong. What comes over the front channel (hybrid and
/// implicit answers, `c_hash`) and userinfo are not in this table.
@Suite("A login at a hostile provider", .blocking)
struct HostileLoginTests {
  @Test("What it says of itself", arguments: HostileRow.discovery)
  func discovery(row: HostileRow) throws { try check(row) }

  @Test("What it sends back with the user", arguments: HostileRow.callback)
  func callback(row: HostileRow) throws { try check(row) }

  @Test("What its token endpoint answers", arguments: HostileRow.token)
  func token(row: HostileRow) throws { try check(row) }

  @Test("The claims of its id_token", arguments: HostileRow.claims)
  func claims(row: HostileRow) throws { try check(row) }

  @Test("The signature of its id_token", arguments: HostileRow.signature)
  func signature(row: HostileRow) throws { try check(row) }

  @Test("The keys that it publishes", arguments: HostileRow.keys)
  func keys(row: HostileRow) throws { try check(row) }

  private func check(_ row: HostileRow) throws {
    let provider = try HostileProvider(row.change)
    let outcome = try provider.login(row.options, secret: row.secret, isPlain: row.isPlain)
    let seen = "\(outcome.output)\(outcome.messages)"
    #expect(outcome.status == row.status, "\(seen)")
    #expect(outcome["error"] as? String == row.error, "\(seen)")
    #expect((outcome["access_token"] == nil) == (row.status != 0), "a token and an error exclude each other")
    let server = provider.server
    let hits = HostileRow.Hits(
      pages: server.hits("/auth"), token: server.hits("/token"), keys: server.hits("/keys"))
    #expect(hits == row.hits)
    for request in server.requests { try request.expectPropriety(isConfidential: row.secret != nil) }
    #expect(server.hits("/elsewhere") == 0, "nobody was told to go there by somebody who may say so")
    // Text from outside moves no cursor and begins no line.
    let lines = outcome.messages.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("tokentry: ") })
    #expect(
      !outcome.messages.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
  }

  @Test("oidcc-client-test-signing-key-rotation: the next login reads the new keys")
  func rotation() throws {
    let provider = try HostileProvider { conduct in
      let login = conduct.request.path == "/keys" ? conduct.readings : conduct.readings + 1
      guard login > 1 else { return }
      conduct.sign(with: .ec, named: "new")
      conduct.keys = [GnuTLSSigningKey.ec.published(as: "new")]
    }
    for login in 1...2 {
      let outcome = try provider.login()
      #expect(outcome.status == 0, "\(outcome.output)")
      #expect(provider.server.hits("/keys") == login)
    }
  }
}
