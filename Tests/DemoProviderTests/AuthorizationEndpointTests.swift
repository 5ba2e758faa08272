import LoginCore
import Testing

@testable import DemoProvider

@Suite("Authorization endpoint")
struct AuthorizationEndpointTests {
  @Test("The callback has a code, the state and the issuer")
  func code() throws {
    let callback = try Visitor().callback()
    #expect(callback.keys.sorted() == ["code", "iss", "state"])
    #expect(callback["state"] == "S")
    #expect(callback["iss"] == Visitor.issuer)
  }

  @Test("The callback of the implicit grant has the token in the fragment")
  func token() throws {
    let visitor = try Visitor()
    let page = try visitor.signIn(on: visitor.get("/authorize", Visitor.request(["response_type": "token"])))
    let answer = try visitor.decide("allow", on: page)
    #expect(answer.status == 303)
    #expect(answer["Location"]?.hasPrefix(Visitor.redirect + "#access_token=") == true)
    #expect(answer.callback["token_type"] == "Bearer")
    #expect(answer.callback["expires_in"] == "3600")
    #expect(answer.callback["iss"] == Visitor.issuer)
    #expect(answer.callback["id_token"] == nil)
    #expect(try visitor.userinfo(.string(answer.callback["access_token"] ?? "")).status == 200)
  }

  // OpenID Connect Core sections 3.2.2.5 and 3.3.2.5.
  @Test(
    "Each response type has its values in the fragment, and the id_token has their hashes",
    arguments: [
      "id_token", "id_token token", "token id_token", "code token", "code id_token", "code id_token token",
      "token code id_token",
    ])
  func fragment(type: String) throws {
    let visitor = try Visitor()
    let page = try visitor.signIn(on: visitor.get("/authorize", Visitor.request(["response_type": type])))
    let answer = try visitor.decide("allow", on: page)
    let callback = answer.callback
    #expect(answer["Location"]?.hasPrefix(Visitor.redirect + "#") == true)
    let words = type.split(separator: " ")
    #expect((callback["code"] != nil) == words.contains("code"))
    #expect((callback["access_token"] != nil) == words.contains("token"))
    #expect((callback["token_type"] != nil) == words.contains("token"))
    #expect((callback["id_token"] != nil) == words.contains("id_token"))
    if let idToken = callback["id_token"] {
      let claims = try #require(readClaims(idToken))
      #expect(claims["nonce"] == "N")
      #expect(claims["at_hash"]?.string?.utf8.count == (words.contains("token") ? 22 : nil))
      #expect(claims["c_hash"]?.string?.utf8.count == (words.contains("code") ? 22 : nil))
    }
    if let code = callback["code"] { #expect(visitor.exchange(code).status == 200) }
  }

  @Test("The callback of a denial has the error, the state and the issuer")
  func denial() throws {
    let callback = try Visitor().callback(decision: "deny")
    #expect(callback["error"] == "access_denied")
    #expect(callback["state"] == "S")
    #expect(callback["iss"] == Visitor.issuer)
    #expect(callback["code"] == nil)
  }

  @Test(
    "A request with a wrong client or redirect URI gets a page, not a redirect",
    arguments: [
      ["client_id": "other"], ["client_id": ""], ["redirect_uri": ""],
      ["redirect_uri": "https://evil.example/"], ["redirect_uri": "http://127.0.0.1:5000/?other"],
      ["redirect_uri": "javascript:alert(1)"],
    ])
  func noRedirect(changes: [String: String]) throws {
    let answer = try Visitor().get("/authorize", Visitor.request(changes))
    #expect(answer.status == 400)
    #expect(answer["Location"] == nil)
    #expect(!answer.body.contains("evil"))
  }

  @Test("A repeated parameter is an error; if it names the client or the callback, there is no redirect")
  func repeated() throws {
    let visitor = try Visitor()
    let good = FormEncoding.encode(Visitor.request().map { Parameter($0.key, $0.value) })
    for name in ["client_id", "redirect_uri", "state", "response_type"] {
      let answer = visitor.post("/authorize", form: good + "&\(name)=x")
      #expect(answer.status == 400)
      #expect(answer["Location"] == nil)
    }
    #expect(visitor.post("/authorize", form: good + "&nonce=x").callback["error"] == "invalid_request")
  }

  @Test(
    "Each mistake in a request has its error in the callback",
    arguments: [
      (["response_type": ""], "unsupported_response_type"),
      (["response_type": "code code"], "unsupported_response_type"),
      (["response_type": "none"], "unsupported_response_type"),
      (["code_challenge": ""], "invalid_request"),
      (["code_challenge_method": ""], "invalid_request"),
      (["code_challenge_method": "plain"], "invalid_request"),
      (["code_challenge": "short"], "invalid_request"),
      (["scope": "root"], "invalid_scope"),
      (["response_mode": "form_post"], "invalid_request"),
      (["response_type": "token", "response_mode": "query"], "invalid_request"),
      (["response_type": "code token", "response_mode": "query"], "invalid_request"),
      (["response_type": "code token", "code_challenge": ""], "invalid_request"),
      (["response_type": "id_token", "nonce": ""], "invalid_request"),
      (["response_type": "code id_token", "scope": "profile"], "invalid_request"),
      (["response_type": "id_token token", "nonce": ""], "invalid_request"),
      (["response_type": "id_token token", "scope": "profile"], "invalid_request"),
      (["prompt": "none"], "login_required"), (["prompt": "none login"], "login_required"),
      (["request": "x"], "request_not_supported"),
      (["request_uri": "https://evil.example/"], "request_uri_not_supported"),
    ])
  func refusals(changes: [String: String], code: String) throws {
    let answer = try Visitor().get("/authorize", Visitor.request(changes))
    #expect(answer.status == 303)
    #expect(answer.callback["error"] == code)
    #expect(answer.callback["state"] == "S")
    #expect(answer.callback["iss"] == Visitor.issuer)
  }
}

/// Returns the claims of an id_token without verifying it.
func readClaims(_ token: String) -> JSONObject? {
  let parts = token.parts(at: ".")
  guard parts.count == 3, let bytes = base64(parts[1]) else { return nil }
  return (try? JSONReader.read(bytes))?.object
}
