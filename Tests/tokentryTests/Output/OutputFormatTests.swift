import Testing

@testable import LoginCore
@testable import tokentry

@Suite("OutputFormat")
struct OutputFormatTests {
  private let now: UTCDate

  init() throws { now = try #require(UTCDate("2026-11-21T07:14:00Z")) }

  private func text(
    _ format: OutputFormat, _ accessToken: String = "T", type: String = "bearer", expiresIn: Int64? = 60,
    user: String? = nil
  ) throws -> String {
    var token = Token(
      accessToken: AccessToken(accessToken), type: type, expiresAt: nil,
      members: format == .idToken ? ["id_token": "I"] : ["user_id": 1], checks: Checks())
    token.setExpiresIn(expiresIn, from: now)
    return try format.text(of: token, at: now, user: user)
  }

  @Test("json is the object of the token in one line")
  func json() throws {
    #expect(
      try text(.json)
        == #"{"access_token":"T","token_type":"bearer","expires_in":60,"expires_at":"2026-11-21T07:15:00Z","#
        + #""user_id":1,"checks":{}}"# + "\n")
  }

  @Test("token is the access token in one line", arguments: ["T", "a b", "'\"$x`", "é"])
  func token(accessToken: String) throws {
    #expect(try text(.token, accessToken) == accessToken + "\n")
  }

  @Test(
    "An id_token without an access token can be printed as json or alone", arguments: OutputFormat.allCases)
  func noAccessToken(format: OutputFormat) throws {
    let token = Token(
      accessToken: nil, type: nil, expiresAt: nil, members: ["id_token": "I"], checks: Checks())
    let idToken = try #require(ResponseType("id_token"))
    if format == .json || format == .idToken {
      let text = format == .json ? #"{"id_token":"I","checks":{}}"# : "I"
      #expect(try format.text(of: token, at: now, user: nil) == text + "\n")
      #expect(throws: Never.self) { try format.checkResponseType(idToken) }
    } else {
      #expect(throws: Failure.missingToken(["access_token"])) {
        try format.text(of: token, at: now, user: "ann")
      }
      let noToken = Failure(
        .invalidConfiguration,
        "--output \(format.rawValue) needs an access token, which response_type id_token does not return")
      #expect(throws: noToken) { try format.checkResponseType(idToken) }
    }
    for text in ["code", "token", "id_token token", "code id_token"] {
      let type = try #require(ResponseType(text))
      #expect(throws: Never.self) { try format.checkResponseType(type) }
    }
  }

  @Test("id_token needs a request that brings an id_token, and an answer with one")
  func idToken() throws {
    let token = Token(
      accessToken: AccessToken("T"), type: nil, expiresAt: nil, members: [:], checks: Checks())
    #expect(throws: Failure.missingToken(["id_token"]).with(hint: "sign in with openid in --scope")) {
      try OutputFormat.idToken.text(of: token, at: now, user: nil)
    }
    var request = LoginRequest(
      provider: Provider(), clientID: "c", redirectURI: try RedirectURI("https://app.example/done"))
    #expect(throws: Failure.self) { try OutputFormat.idToken.check(request) }
    request.scope = "email openid"
    #expect(throws: Never.self) { try OutputFormat.idToken.check(request) }
    #expect(throws: Never.self) { try OutputFormat.idToken.checkBinding(true) }
  }

  @Test("A failure is an object in json, assignments in env, and only on standard error otherwise")
  func failure() {
    let report = Report(.refusal(code: "access_denied", description: "it's\n\u{1B}[1mno"))
    #expect(OutputFormat.refusal(named: "json").output(report).hasPrefix(#"{"error":"access_denied","#))
    #expect(
      OutputFormat.refusal(named: "env").output(report)
        == "TOKENTRY_ERROR='access_denied'\nTOKENTRY_ERROR_DESCRIPTION='it'\\''s [1mno'\n")
    for name in ["token", "id_token", "header", "xoauth2", "yaml"] {
      #expect(OutputFormat.refusal(named: name).output(report) == "")
    }
  }

  // RFC 6750 section 2.1.
  @Test("header is a header field, whose scheme is always spelled Bearer", arguments: ["bearer", "BEARER"])
  func header(type: String) throws {
    #expect(try text(.header, "mF_9.B5f-4.1JqM", type: type) == "Authorization: Bearer mF_9.B5f-4.1JqM\n")
  }

  @Test(
    "header accepts every visible ASCII character in a token", arguments: ["a|b", "abc==", "a,b;c", "!~"])
  func headerCharacters(accessToken: String) throws {
    #expect(try text(.header, accessToken) == "Authorization: Bearer \(accessToken)\n")
  }

  // AuthorizationHeaderTests has the table. XOAUTH2 separates its fields with U+0001.
  @Test(
    "header and xoauth2 refuse a token that no header field can carry",
    arguments: ["a\r\nX: y", "a\u{1}auth=Bearer x", "a\tb", "\u{A0}"])
  func noHeader(accessToken: String) {
    let unsendable = Failure(
      .unsupportedTokenType, "the token has characters that are not allowed in a header")
    #expect(throws: unsendable) { try text(.header, accessToken) }
    #expect(throws: unsendable) { try text(.xoauth2, accessToken, user: "u") }
  }

  @Test("env is a list of assignments for a shell, sorted by name")
  func env() throws {
    #expect(
      try text(.env, "a.b-c")
        == "TOKENTRY_ACCESS_TOKEN='a.b-c'\nTOKENTRY_EXPIRES_AT='2026-11-21T07:15:00Z'\n"
        + "TOKENTRY_TOKEN_TYPE='bearer'\n"
    )
    #expect(try text(.env, expiresIn: nil) == "TOKENTRY_ACCESS_TOKEN='T'\nTOKENTRY_TOKEN_TYPE='bearer'\n")
  }

  @Test(
    "A token cannot leave the quotes of env",
    arguments: [
      ("'", "''\\'''"), ("a'b", "'a'\\''b'"), ("';id;'", "''\\'';id;'\\'''"),
      ("$(id)`id`\"\\", "'$(id)`id`\"\\'"), ("a b*?#", "'a b*?#'"),
      // For Swift, each of these marks is one character with the quote before it.
      ("'\u{301};id #", "''\\''\u{301};id #'"), ("'\u{200D};id #", "''\\''\u{200D};id #'"),
      ("'\u{FE0F};id #", "''\\''\u{FE0F};id #'"),
    ])
  func quoting(accessToken: String, quoted: String) throws {
    let lines = "TOKENTRY_ACCESS_TOKEN=\(quoted)\nTOKENTRY_TOKEN_TYPE='bearer'\n"
    #expect(try text(.env, accessToken, expiresIn: nil).isIdentical(to: lines))
  }

  // "SASL XOAUTH2 Mechanism" of Google's Gmail documentation, section "Initial client response".
  @Test("xoauth2 is the initial response of its mechanism in base64")
  func xoauth2() throws {
    #expect(
      try text(.xoauth2, "ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg", user: "someuser@example.com")
        == "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52YjNSbGNrQmhk"
        + "SFJoZG1semRHRXVZMjl0Q2cBAQ==\n"
    )
  }

  // The mechanism separates its fields with U+0001.
  @Test(
    "xoauth2 needs a user without control characters",
    arguments: [nil, "u\u{1}auth=Bearer x", "u\u{0}", "u\r\n"])
  func noUser(user: String?) {
    let noUser = Failure(
      .invalidConfiguration, "--output xoauth2 needs to know the user",
      hint: "sign in with --login-hint USER")
    #expect(throws: noUser) { try text(.xoauth2, user: user) }
  }

  @Test("Every format ends with one line feed", arguments: OutputFormat.allCases)
  func lineFeed(format: OutputFormat) throws {
    let text = try text(format, user: "u")
    #expect(text.hasSuffix("\n"))
    #expect(!text.hasSuffix("\n\n"))
  }

  @Test(
    "The names of the formats are those of the contract",
    arguments: zip(OutputFormat.allCases, ["json", "token", "id_token", "header", "env", "xoauth2"]))
  func names(format: OutputFormat, name: String) {
    #expect(format.rawValue == name)
  }

  // Every request with the token needs a proof, which is signed with the key (RFC 9449).
  @Test(
    "A token that is bound to a key can only be printed as json, with the key",
    arguments: OutputFormat.allCases.filter { $0 != .idToken })
  func bound(format: OutputFormat) throws {
    let token = try #require(
      Token(json: ["access_token": "T", "token_type": "DPoP", "dpop_jwk": ["kty": "EC", "d": "private"]]))
    if format == .json {
      #expect(
        try format.text(of: token, at: now, user: nil).contains(#""dpop_jwk":{"kty":"EC","d":"private"}"#))
    } else {
      let bound = Failure(
        .invalidConfiguration,
        "--output \(format.rawValue) cannot include the key that the token is bound to",
        hint: "use --output json, or send the request with `tokentry request`")
      #expect(throws: bound) { try format.text(of: token, at: now, user: "ann") }
    }
  }
}
