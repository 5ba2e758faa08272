import Language
import LoginCore
import Testing
@testable import tokentry

@Suite("The accounts command")
struct AccountsCommandTests {
  @Test("At a terminal the accounts are a table, and one that cannot be read says why")
  func table() {
    let accounts: [JSONObject] = [
      [
        "account": "work", "user": "ada", "provider": "acme", "for": .array(["https://api.acme.test"]),
        "expires_at": "2026-11-28T15:00:00Z", "can_refresh": false,
      ],
      ["account": "mail", "provider": "acme", "expires_at": "2026-11-28T15:00:00Z", "can_refresh": true],
      ["account": "home", "locked": true], ["account": "old", "error": "it is damaged"],
    ]
    #expect(
      AccountsCommand.table(accounts, TerminalStyle(hasColours: false)) { "in 3 h, at \($0.day)" } == """
        ACCOUNT  USER  PROVIDER  FOR                    TOKEN UNTIL
        work     ada   acme      https://api.acme.test  in 3 h, at 2026-11-28
        mail           acme                             in 3 h, at 2026-11-28, renewed by itself
        home     locked
        old      it is damaged

        """)
  }
}
