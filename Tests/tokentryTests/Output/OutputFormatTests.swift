import Testing
import Wording

@testable import LoginCore
@testable import tokentry

/// The shapes in which a token is handed over.
@Suite("OutputFormat")
struct OutputFormatTests {
  /// When every token of these tests was received.
  private let now: UTCDate

  init() throws { now = try #require(UTCDate("2026-11-21T07:14:00Z")) }

  private func text(
    _ format: OutputFormat, _ accessToken: String = "T", type: String = "bearer", expiresIn: Int64? = 60,
    user: String? = nil
  ) throws -> String {
    var token = Token(
      accessToken: AccessToken(accessToken), type: type, expiresAt: nil, members: ["user_id": 1],
      checks: Checks())
    token.setExpiresIn(expiresIn, from: now)
    return try format.text(of: token, at: now, user: user)
  }

  @Test("json is the object and a line feed")
  func json() throws {
    #expect(
      try text(.json)
        == #"{"access_token":"T","token_type":"bearer","expires_in":60,"expires_at":"2026-11-21T07:15:00Z","#
        + #""user_id":1,"checks":{}}"# + "\n")
  }

  @Test("token is the access token alone", arguments: ["T", "a b", "'\"$x`", "é"])
  func token(accessToken: String) throws {
    #expect(try text(.token, accessToken) == accessToken + "\n")
  }

  @Test("an id_token alone is handed over as json and in no other shape", arguments: OutputFormat.allCases)
  func noAccessToken(format: OutputFormat) throws {
    let token = Token(
      accessToken: nil, type: nil, expiresAt: nil, members: ["id_token": "I"], checks: Checks())
    let idToken = try #require(ResponseType("id_token"))
    if format == .json {
      #expect(try format.text(of: token, at: now, user: nil) == #"{"id_token":"I","checks":{}}"# + "\n")
      #expect(throws: Never.self) { try format.checkResponseType(idToken) }
    } else {
      #expect(throws: Failure.untrusted(.missingToken(["access_token"]))) {
        try format.text(of: token, at: now, user: "ann")
      }
      #expect(throws: Failure.configuration(.outputWithoutToken(format.rawValue, idToken))) {
        try format.checkResponseType(idToken)
      }
    }
    for text in ["code", "token", "id_token token", "code id_token"] {
      let type = try #require(ResponseType(text))
      #expect(throws: Never.self) { try format.checkResponseType(type) }
    }
  }

  // RFC 6750 section 2.1.
  @Test("header is a field for curl, whose scheme is Bearer in any case", arguments: ["bearer", "BEARER"])
  func header(type: String) throws {
    #expect(try text(.header, "mF_9.B5f-4.1JqM", type: type) == "Authorization: Bearer mF_9.B5f-4.1JqM\n")
  }

  @Test("a token of visible characters fits into a header", arguments: ["a|b", "abc==", "a,b;c", "!~"])
  func headerCharacters(accessToken: String) throws {
    #expect(try text(.header, accessToken) == "Authorization: Bearer \(accessToken)\n")
  }

  @Test(
    "a token that no header may carry is refused in headers and in XOAUTH2",
    arguments: [
      "a b", " ", "a\r\nX: y", "a\n", "a\u{0}", "a\tb", "a\u{1}auth=Bearer x", "é", "a\u{7F}", "\u{A0}",
    ])
  func noHeader(accessToken: String) {
    let unsendable = Failure.untrusted(.unsendableToken)
    #expect(throws: unsendable) { try text(.header, accessToken) }
    #expect(throws: unsendable) { try text(.xoauth2, accessToken, user: "u") }
  }

  @Test("env is assignments for a shell, sorted by name")
  func env() throws {
    #expect(
      try text(.env, "a.b-c")
        == "TOKENTRY_ACCESS_TOKEN='a.b-c'\nTOKENTRY_EXPIRES_AT='2026-11-21T07:15:00Z'\n"
        + "TOKENTRY_TOKEN_TYPE='bearer'\n"
    )
    #expect(try text(.env, expiresIn: nil) == "TOKENTRY_ACCESS_TOKEN='T'\nTOKENTRY_TOKEN_TYPE='bearer'\n")
  }

  @Test(
    "a token cannot leave its quotes",
    arguments: [
      ("'", "''\\'''"), ("a'b", "'a'\\''b'"), ("';id;'", "''\\'';id;'\\'''"),
      ("$(id)`id`\"\\", "'$(id)`id`\"\\'"), ("a b*?#", "'a b*?#'"),
      // A combining mark, a joiner and a variation selector make one character with the quote before them.
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

  @Test("xoauth2 needs to know the user")
  func noUser() {
    #expect(throws: Failure.configuration(.outputWithoutUser("xoauth2"))) { try text(.xoauth2) }
  }

  // The mechanism separates its fields with U+0001.
  @Test(
    "a user who would add a field to xoauth2 is refused",
    arguments: ["u\u{1}auth=Bearer x", "u\u{0}", "u\r\n"])
  func strangeUser(user: String) {
    #expect(throws: Failure.configuration(.outputWithoutUser("xoauth2"))) { try text(.xoauth2, user: user) }
  }

  @Test("every format ends in one line feed", arguments: OutputFormat.allCases)
  func lineFeed(format: OutputFormat) throws {
    let text = try text(format, user: "u")
    #expect(text.hasSuffix("\n"))
    #expect(!text.hasSuffix("\n\n"))
  }

  @Test(
    "formats have the names of the option",
    arguments: zip(OutputFormat.allCases, ["json", "token", "header", "env", "xoauth2"]))
  func names(format: OutputFormat, name: String) {
    #expect(format.rawValue == name)
  }

  // RFC 9449: without the key nobody can make the proof that every request needs.
  @Test("a bound token comes as JSON, with its key, and in no other shape", arguments: OutputFormat.allCases)
  func bound(format: OutputFormat) throws {
    let token = try #require(
      Token(json: ["access_token": "T", "token_type": "DPoP", "dpop_jwk": ["kty": "EC", "d": "private"]]))
    if format == .json {
      #expect(
        try format.text(of: token, at: now, user: nil).contains(#""dpop_jwk":{"kty":"EC","d":"private"}"#))
    } else {
      #expect(throws: Failure.configuration(.outputOfBoundToken(format.rawValue))) {
        try format.text(of: token, at: now, user: "ann")
      }
    }
  }
}
