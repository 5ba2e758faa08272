import LoginCore
import Testing

@testable import DemoProvider

@Suite("What can be done with a token, and how a session ends")
struct SessionTests {
  @Test("The user's claims follow the scope")
  func claims() throws {
    let visitor = try Visitor()
    let all = try visitor.userinfo(visitor.token(["scope": "openid profile email"])["access_token"]).json
    #expect(all.map(\.name) == ["sub", "name", "preferred_username", "email", "email_verified"])
    #expect(all["sub"]?.string?.utf8.allSatisfy { $0 < 0x80 } == true)
    let bare = try Visitor()
    #expect(try bare.userinfo(bare.token(["scope": "openid"])["access_token"]).json.map(\.name) == ["sub"])
  }

  @Test("Without a good token there are no claims", arguments: ["Bearer guess", "Basic YTpi", "Bearer", ""])
  func noClaims(field: String) throws {
    let answer = try Visitor().get("/userinfo", headers: [Parameter("Authorization", field)])
    #expect(answer.status == 401)
    #expect(answer["WWW-Authenticate"]?.hasPrefix("Bearer realm=\"demo\"") == true)
  }

  @Test("A token in the query or in a form is not looked at")
  func otherTransports() throws {
    let visitor = try Visitor()
    let token = try #require(visitor.token()["access_token"]?.string)
    #expect(visitor.get("/userinfo", ["access_token": token]).status == 401)
    #expect(visitor.post("/userinfo", ["access_token": token]).status == 401)
  }

  @Test("The scope email alone does not tell who it is")
  func insufficientScope() throws {
    let visitor = try Visitor()
    #expect(try visitor.userinfo(visitor.token(["scope": "email"])["access_token"]).status == 403)
  }

  @Test("A revoked refresh token ends its access tokens; a revoked access token ends alone")
  func revocation() throws {
    let visitor = try Visitor()
    let token = try visitor.token()
    func revoke(_ token: JSONValue?) -> Answer {
      visitor.post("/revoke", ["client_id": "tokentry-demo", "token": token?.string ?? ""])
    }
    #expect(revoke(token["access_token"]).status == 200)
    #expect(try visitor.userinfo(token["access_token"]).status == 401)
    let next = try visitor.refresh(token["refresh_token"]).json
    #expect(revoke(next["refresh_token"]).status == 200)
    #expect(try visitor.userinfo(next["access_token"]).status == 401)
    #expect(try visitor.refresh(next["refresh_token"]).error == "invalid_grant")
  }

  @Test("Revoking what is not there is success; doing it for nobody or for nothing is not")
  func revocationRefusals() throws {
    let visitor = try Visitor()
    #expect(visitor.post("/revoke", ["client_id": "tokentry-demo", "token": "guess"]).status == 200)
    #expect(visitor.post("/revoke", ["token": "guess"]).error == "invalid_client")
    #expect(visitor.post("/revoke", ["client_id": "tokentry-demo"]).error == "invalid_request")
  }

  @Test("Signing out is asked for, done, and told to the application")
  func signOut() throws {
    let visitor = try Visitor()
    _ = try visitor.callback()
    let request = [
      "client_id": "tokentry-demo", "post_logout_redirect_uri": Visitor.redirect, "state": "S&2",
    ]
    let stay = try visitor.decide("deny", on: visitor.get("/end_session", request))
    #expect(stay.body.contains("still signed in"))
    let answer = try visitor.decide("allow", on: visitor.get("/end_session", request))
    #expect(answer["Location"] == Visitor.redirect + "?state=S%262")
    let silent = visitor.get("/authorize", Visitor.request(["prompt": "none"]))
    #expect(silent.callback["error"] == "login_required")
    #expect(visitor.get("/end_session").body.contains("You are signed out"))
  }

  @Test(
    "Nobody is sent to an address that is not the client's after signing out",
    arguments: [
      ["post_logout_redirect_uri": "https://evil.example/"], ["client_id": "other"],
      ["post_logout_redirect_uri": "javascript:alert(1)"],
    ])
  func signOutElsewhere(request: [String: String]) throws {
    let answer = try Visitor().get("/end_session", request)
    #expect(answer.status == 400)
    #expect(answer["Location"] == nil)
  }
}
