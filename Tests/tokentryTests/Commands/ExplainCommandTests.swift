import Language
import LoginCore
import Testing
@testable import tokentry

@Suite("The explain command")
struct ExplainCommandTests {
  @Test("At a terminal the request is a table, with the members of an object below it")
  func table() {
    let request: JSONObject = [
      "url": "https://as.test/a", "parameters": .object(["scope": "mail", "state": "S"]),
      "redirect_uris": .array(["http://127.0.0.1/", "app:/done"]), "error_pages": .array([]),
      "timeout": .number(JSONNumber(300)),
    ]
    #expect(
      ExplainCommand.table(request, TerminalStyle(hasColours: false)) == """
        url            https://as.test/a
        parameters
          scope        mail
          state        S
        redirect_uris  http://127.0.0.1/ app:/done
        timeout        300

        """)
  }
}
