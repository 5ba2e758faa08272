import LoginCore
import Testing

@testable import DemoProvider

@Suite("Device endpoint")
struct DeviceEndpointTests {
  private let visitor: Visitor
  private let codes: JSONObject

  init() throws {
    visitor = try Visitor()
    codes =
      visitor.post(
        "/device_authorization", ["client_id": "tokentry-demo", "scope": "openid profile"]
      ).json
  }

  @Test("The device gets a code, the pages to show, a lifetime and an interval")
  func start() throws {
    let code = try #require(codes["user_code"]?.string)
    #expect(code.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/) != nil)
    #expect(codes["verification_uri"] == .string(Visitor.issuer + "/device"))
    #expect(codes["verification_uri_complete"] == .string(Visitor.issuer + "/device?user_code=" + code))
    #expect(codes["expires_in"] == 600)
    #expect(codes["interval"] == 5)
  }

  @Test("The device gets its token once the user has allowed it")
  func wholeFlow() throws {
    #expect(try poll().error == "authorization_pending")
    #expect(try decide("allow").body.contains("Your device is signed in"))
    visitor.clock.advance(by: 5)
    let token = try poll().json
    #expect(try visitor.userinfo(token["access_token"]).json["name"] == "ada")
    #expect(try poll().error == "invalid_grant", "a grant is used once")
  }

  @Test("The device gets access_denied when the user refuses")
  func denial() throws {
    #expect(try decide("deny").body.contains("The device was refused"))
    #expect(try poll().error == "access_denied")
  }

  @Test("A device that polls too often gets slow_down, and its interval grows each time")
  func slowDown() throws {
    #expect(try poll().error == "authorization_pending")
    visitor.clock.advance(by: 4)
    #expect(try poll().error == "slow_down")
    visitor.clock.advance(by: 9)
    #expect(try poll().error == "slow_down")
    visitor.clock.advance(by: 15)
    #expect(try poll().error == "authorization_pending")
  }

  @Test("The code expires after ten minutes")
  func expiry() throws {
    visitor.clock.advance(by: 600)
    #expect(try poll().error == "expired_token")
    #expect(visitor.post("/device", ["user_code": codes["user_code"]?.string ?? ""]).status == 403)
  }

  @Test("The page fills in the code of its link but waits for the user")
  func prefilled() throws {
    let code = try #require(codes["user_code"]?.string)
    let page = visitor.get("/device", ["user_code": code])
    #expect(page.body.contains("value=\"\(code)\""))
    #expect(page.interaction == nil)
  }

  @Test("An unknown client, scope or device code is refused")
  func refusals() throws {
    #expect(visitor.post("/device_authorization", ["client_id": "other"]).error == "invalid_client")
    let scope = visitor.post("/device_authorization", ["client_id": "tokentry-demo", "scope": "x"])
    #expect(scope.error == "invalid_scope")
    let grant = ["client_id": "tokentry-demo", "grant_type": "urn:ietf:params:oauth:grant-type:device_code"]
    #expect(visitor.post("/token", grant).error == "invalid_request")
    #expect(visitor.post("/token", grant.merging(["device_code": "guess"]) { $1 }).error == "invalid_grant")
  }

  private func poll() throws -> Answer {
    visitor.post(
      "/token",
      [
        "client_id": "tokentry-demo", "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": try #require(codes["device_code"]?.string),
      ])
  }

  private func decide(_ decision: String) throws -> Answer {
    let code = try #require(codes["user_code"]?.string)
    let consent = try visitor.signIn(on: visitor.post("/device", ["user_code": code]))
    #expect(consent.body.contains("on a device of yours"))
    return try visitor.decide(decision, on: consent)
  }
}
