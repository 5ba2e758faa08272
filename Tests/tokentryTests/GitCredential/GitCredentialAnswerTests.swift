import Testing
import Wording

@testable import LoginCore
@testable import tokentry

@Suite("What git is told by a credential helper")
struct GitCredentialAnswerTests {
  private func answer(
    _ token: JSONObject, user: String = "oauth2", to request: String = ""
  ) throws -> String {
    var provider = Provider()
    provider.gitUser = user
    let name = try #require(AccountName("git"))
    let account = Account(
      name,
      login: LoginRequest(
        provider: provider, clientID: "me", redirectURI: try RedirectURI("https://app.test/cb")),
      token: try #require(Token(json: token)), receivedAt: try #require(UTCDate(secondsSince1970: 0)))
    return try GitCredentialAnswer(account, to: try GitCredentialRequest(Array(request.utf8))).text
  }

  private let token: JSONObject = [
    "access_token": "T", "token_type": "bearer", "refresh_token": "R", "expires_at": "1970-01-01T00:01:00Z",
  ]

  @Test("A password, its end if it has one, and never what renews it")
  func password() throws {
    #expect(try answer(token) == "username=oauth2\npassword=T\npassword_expiry_utc=60\n")
    #expect(
      try answer(["access_token": "T", "token_type": "bearer"], user: "x")
        == "username=x\npassword=T\n")
  }

  @Test("A bearer token where git and the server both know what that is")
  func bearer() throws {
    let text = try answer(token, to: "capability[]=authtype\nwwwauth[]=Bearer\n")
    #expect(
      text
        == "capability[]=authtype\nauthtype=Bearer\ncredential=T\nephemeral=1\npassword_expiry_utc=60\n")
  }

  @Test(
    "A password where only one of them knows what that is",
    arguments: ["capability[]=authtype\n", "wwwauth[]=Bearer\n", "capability[]=authtype\nwwwauth[]=Basic\n"])
  func notBoth(request: String) throws {
    #expect(try answer(token, to: request).hasPrefix("username=oauth2\npassword=T\n"))
  }

  @Test("Nothing that could begin a line of its own, and no user that could")
  func refused() {
    #expect(throws: Failure.untrusted(.unsendableToken)) {
      try answer(["access_token": "T\nhost=x", "token_type": "bearer"])
    }
    #expect(throws: Failure.configuration(.gitUser)) { try answer(token, user: "a\nb") }
  }
}
