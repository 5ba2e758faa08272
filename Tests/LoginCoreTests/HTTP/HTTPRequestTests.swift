import Testing

@testable import LoginCore

@Suite("HTTPRequest")
struct HTTPRequestTests {
  @Test("An Accept field of the caller replaces ours", arguments: ["Accept", "accept"])
  func accept(name: String) throws {
    let endpoint = try Endpoint("https://as.test/t")
    let other = name == "accept" ? "Accept" : "accept"
    let own: ParameterList = [name: "application/x"]
    let requests = [
      HTTPRequest(get: endpoint, headers: own), HTTPRequest(delete: endpoint, headers: own),
      HTTPRequest(post: [], to: endpoint, headers: own),
      HTTPRequest(postJSON: [:], to: endpoint, headers: own),
    ]
    for request in requests {
      #expect(request.values(of: name) + request.values(of: other) == ["application/x"])
    }
    #expect(HTTPRequest(get: endpoint).values(of: "Accept") == ["application/json"])
  }
}

@Suite("ReservedNames")
struct ReservedNamesTests {
  @Test(
    "Every standard parameter that a login sends is reserved",
    arguments: [
      "response_type", "client_id", "redirect_uri", "response_mode", "scope", "state", "nonce",
      "code_challenge",
      "code_challenge_method", "client_secret", "code_verifier", "grant_type", "code", "refresh_token",
    ])
  func parameters(name: String) {
    #expect(ReservedNames.parameters.contains(name))
  }

  @Test(
    "Parameters that a caller chooses are not reserved",
    arguments: ["prompt", "login_hint", "resource", "display", "audience"])
  func otherParameters(name: String) {
    #expect(!ReservedNames.parameters.contains(name))
  }

  // RFC 9110 sections 5.1, 5.5 and 5.6.2.
  @Test(
    "A header field needs a name that is a token and not reserved, and a value without control characters",
    arguments: [
      ("Accept", "application/json", nil), ("X-A_b.1~", "é \"a\"", nil), ("A", "", nil),
      ("Authorization", "x", reserved), ("AUTHORIZATION", "x", reserved), ("Cookie", "x", reserved),
      ("Host", "x", reserved), ("Content-Length", "1", reserved),
      ("", "x", noName), ("a b", "x", noName), ("a:", "x", noName), ("é", "x", noName),
      ("a\r\n", "x", noName),
      ("a", "x\r\ny: z", controls), ("a", "\u{0}", controls), ("a", "\u{7F}", controls),
    ] as [(String, String, Message?)])
  func headers(name: String, value: String, fault: Message?) {
    #expect(ReservedNames.fault(ofHeader: Parameter(name, value)) == fault)
  }

  private static let reserved: Message = "the request sets this field itself"
  private static let noName: Message = "this is not a header name"
  private static let controls: Message = "its value has control characters"
}
