import Testing

@testable import LoginCore

@Suite("Challenge")
struct ChallengeTests {
  @Test(
    "The parameters of a challenge are read",
    arguments: [
      ("Bearer", [:]), ("bearer error=invalid_token", ["error": "invalid_token"]),
      (#"BEARER Error="a", scope="b c""#, ["error": "a", "scope": "b c"]),
      (#"Bearer error="a\"b\\", x=y"#, ["error": #"a"b\"#, "x": "y"]),
      (#"Bearer error="a",error="b""#, ["error": "a"]), (#"Bearer ,, error="a"#, ["error": "a"]),
      ("Bearer =x, a=b", [:]), (#"Bearer a="\"#, ["a": "\\"]),
      ("Bearer a = b ,\tc\t=\td", ["a": "b", "c": "d"]), (#"Bearer a="b, c=d""#, ["a": "b, c=d"]),
      (#"Bearer a="", b=é"#, ["a": "", "b": ""]), (#"Bearer a="b" c="d""#, ["a": "b", "c": "d"]),
      ("Bearer error_uri=https://as.test/e?a=b, x=y", ["error_uri": "https://as.test/e?a=b", "x": "y"]),
    ])
  func parameters(field: String, parameters: [String: String]) {
    #expect(Challenge.list(field) == [Challenge(scheme: "bearer", token68: nil, parameters: parameters)])
  }

  private static func challenge(
    _ scheme: String, _ token68: String? = nil, _ parameters: [String: String] = [:]
  ) -> Challenge {
    Challenge(scheme: scheme, token68: token68, parameters: parameters)
  }

  static let lists: [(String, [Challenge])] = [
    ("", []), (" , ,", []), ("=", []), (#""a" Bearer"#, []), ("Basic", [challenge("basic")]),
    (
      #"Bearer realm="r", Basic realm="s""#,
      [
        challenge("bearer", nil, ["realm": "r"]), challenge("basic", nil, ["realm": "s"]),
      ]
    ),
    // The example of section 11.6.1.
    (
      #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
      [
        challenge("basic", nil, ["realm": "simple"]),
        challenge("newauth", nil, ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
      ]
    ),
    ("Negotiate, Bearer,DPoP", [challenge("negotiate"), challenge("bearer"), challenge("dpop")]),
    (
      "Negotiate YII/a+b==, Bearer error=x",
      [
        challenge("negotiate", "YII/a+b=="), challenge("bearer", nil, ["error": "x"]),
      ]
    ),
    ("NTLM TlRMTVNT", [challenge("ntlm", "TlRMTVNT")]),
    ("NTLM TlRMTVNT= ,, Basic", [challenge("ntlm", "TlRMTVNT="), challenge("basic")]),
    (
      #"Basic realm="a, Bearer error=x", Bearer error="y""#,
      [
        challenge("basic", nil, ["realm": "a, Bearer error=x"]), challenge("bearer", nil, ["error": "y"]),
      ]
    ),
    // An unreadable part ends the list.
    ("Bearer foo bar=x, Basic", [challenge("bearer")]), ("Bearer\u{1}, Basic", [challenge("bearer")]),
    (#"Basic realm="a, Bearer error=x"#, [challenge("basic", nil, ["realm": "a, Bearer error=x"])]),
    ("Bearer a=b; Basic", [challenge("bearer", nil, ["a": "b;"])]),
  ]

  @Test("Several challenges in one field are separated", arguments: lists)
  func list(field: String, challenges: [Challenge]) {
    #expect(Challenge.list(field) == challenges)
  }

  @Test(
    "Bearer and DPoP ask for a token",
    arguments: [("Bearer", true), ("dPoP x=y", true), ("Bearerer x=y", false), ("Basic", false)])
  func schemes(field: String, isForToken: Bool) {
    #expect(Challenge.list(field).map(\.isForToken) == [isForToken])
  }

  // RFC 6750 section 3.
  @Test(
    "The first error in a challenge for a token counts, in any field",
    arguments: [
      ([#"Basic realm="r", error="a""#], nil), (["Bearer"], nil), ([#"Bearer error="""#], nil),
      ([#"Basic realm="r", Bearer error="a""#], "a"),
      (["Basic realm=r", "DPoP error=a, Bearer error=b"], "a"),
      ([#"Bearer realm="r", DPoP error="a""#], "a"), ([#"Basic realm="Bearer error=a""#], nil),
    ] as [([String], String?)])
  func error(fields: [String], code: String?) {
    let headers = ParameterList(fields.map { Parameter("Www-authenticate", $0) })
    let response = HTTPResponse(status: 401, headers: headers)
    #expect(Failure.refusal(response.challenges)?.code.description == code)
  }

  @Test("A challenge for a token that names the API's metadata comes before others")
  func leading() {
    func realm(_ field: String) -> String? {
      let response = HTTPResponse(status: 401, headers: [Parameter("WWW-Authenticate", field)])
      return response.challengeForToken?.parameters["realm"]
    }
    #expect(realm(#"Bearer realm="a", DPoP realm="b", resource_metadata="https://m.test""#) == "b")
    #expect(realm(#"Basic realm="x", Bearer realm="a", DPoP realm="b""#) == "a")
    #expect(realm(#"Basic realm="x", resource_metadata="https://m.test""#) == nil)
  }
}
