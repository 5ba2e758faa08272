import LoginCore
import Testing

@testable import tokentry

@Suite("GitCredentialRequest")
struct GitCredentialRequestTests {
  private func read(_ text: String) throws -> GitCredentialRequest {
    try GitCredentialRequest(Array(text.utf8))
  }

  @Test("An empty line ends the attributes, the last of several counts, and unknown ones are skipped")
  func attributes() throws {
    let request = try read(
      "capability[]=authtype\nprotocol=https\nhost=a.test:8443\nhost=b.test\nusername=ann\npassword=p=q\n"
        + "oauth_refresh_token=r\npassword_expiry_utc=1\nfuture[]=x\n\nhost=c.test\n")
    #expect(request.scheme == "https")
    #expect(request.host == "b.test")
    #expect(request.username == "ann")
    #expect(request.secret == AccessToken("p=q"))
    #expect(request.knowsSchemes)
    #expect(!"\(request)".contains("p=q"))
  }

  @Test("The end of the input ends the attributes as well")
  func endOfInput() throws {
    #expect(try read("host=a.test").host == "a.test")
    #expect(try read("").host == nil)
  }

  @Test(
    "The attribute url replaces protocol, host, user and password",
    arguments: [
      ("https://h.test/a.git", "h.test", nil, nil), ("https://ann@h.test:81", "h.test:81", "ann", nil),
      ("https://a%40b:p%3Aq@h.test/", "h.test", "a@b", "p:q"),
      // As git reads them: the host ends where a path, a query or a fragment begins.
      ("https://h.test?@evil.test/", "h.test", nil, nil), ("https://h.test#@evil.test/", "h.test", nil, nil),
      ("https://h.test:81?a/b", "h.test:81", nil, nil), ("https://h.test#", "h.test", nil, nil),
      // The last @ ends the user.
      ("https://ann@h.test@evil.test/x", "evil.test", "ann@h.test", nil),
    ] as [(String, String, String?, String?)])
  func url(url: String, host: String, user: String?, password: String?) throws {
    let request = try read("username=before\npassword=before\nurl=\(url)\n")
    #expect(request.scheme == "https")
    #expect(request.host == host)
    #expect(request.username == user)
    #expect(request.secret == password.map { AccessToken($0) })
  }

  @Test(
    "The server asks for a token if one of its challenges is Bearer; an empty challenge deletes those before it",
    arguments: [
      ("wwwauth[]=Bearer realm=\"x\"\n", true), ("wwwauth[]=Basic realm=\"x\"\nwwwauth[]=bearer\n", true),
      ("wwwauth[]=Basic realm=\"x\"\n", false), ("wwwauth[]=Bearer\nwwwauth[]=\n", false), ("", false),
    ])
  func challenges(text: String, asks: Bool) throws {
    #expect(try read(text).asksForBearer == asks)
  }

  @Test(
    "Ambiguous input is refused with the reason",
    arguments: [
      ("host\n", "a line is not an attribute"), ("=a\n", "a line is not an attribute"),
      ("host=a\u{0}b\n", "it contains a NUL"), ("host=a\rb\n", "it contains a carriage return"),
      ("url=h.test/a\n", "its url is not a URL"),
      ("url=https://h.test\\@evil.test/\n", "its url is not a URL"),
      ("url=https://h.test/\\a\n", "its url is not a URL"), ("url=https://a%/\n", "its url is not a URL"),
      ("url=https://a%0Ab/\n", "its url has control characters"),
      ("url=https://a%00b/\n", "its url has control characters"),
    ])
  func malformed(text: String, reason: String) {
    #expect(throws: Failure(.invalidOption, "the request from git cannot be read: \(reason)")) {
      try read(text)
    }
  }
}

@Suite("GitCredentialAnswer")
struct GitCredentialAnswerTests {
  private let token: JSONObject = [
    "access_token": "T", "token_type": "bearer", "refresh_token": "R", "expires_at": "1970-01-01T00:01:00Z",
  ]

  private func answer(
    _ token: JSONObject, user: String = "oauth2", to request: String = ""
  ) throws -> String {
    var provider = Provider()
    provider.extra = ["git_user": .string(user)]
    let name = try #require(AccountName("git"))
    let account = Account(
      name,
      login: LoginRequest(
        provider: provider, clientID: "me", redirectURI: try RedirectURI("https://app.test/cb")),
      token: try #require(Token(json: token)), receivedAt: try #require(UTCDate(secondsSince1970: 0)))
    return try GitCredentialAnswer(
      GrantedToken(account, for: GitHelper.self), to: try GitCredentialRequest(Array(request.utf8))
    ).text
  }

  @Test("The token is a password with its expiry, and the refresh token is left out")
  func password() throws {
    #expect(try answer(token) == "username=oauth2\npassword=T\npassword_expiry_utc=60\n")
    #expect(
      try answer(["access_token": "T", "token_type": "bearer"], user: "x")
        == "username=x\npassword=T\n")
  }

  @Test("The token is a bearer token if both git and the server support that")
  func bearer() throws {
    let text = try answer(token, to: "capability[]=authtype\nwwwauth[]=Bearer\n")
    #expect(
      text
        == "capability[]=authtype\nauthtype=Bearer\ncredential=T\nephemeral=1\npassword_expiry_utc=60\n")
  }

  @Test(
    "The token is a password if only git or only the server supports bearer tokens",
    arguments: ["capability[]=authtype\n", "wwwauth[]=Bearer\n", "capability[]=authtype\nwwwauth[]=Basic\n"])
  func onlyOneSide(request: String) throws {
    #expect(try answer(token, to: request).hasPrefix("username=oauth2\npassword=T\n"))
  }

  @Test(
    "A user with a line feed, and a token that is no word, are refused, because they could begin another attribute"
  )
  func refused() {
    #expect(Token(json: ["access_token": "T\nhost=x", "token_type": "bearer"]) == nil)
    #expect(
      throws: Failure(.unsupportedTokenType, "the token has characters that are not allowed in a header")
    ) {
      try answer(["access_token": "T host=x", "token_type": "bearer"])
    }
    #expect(throws: Failure(.invalidConfiguration, "the preset's git_user is not a user name")) {
      try answer(token, user: "a\nb")
    }
  }
}
