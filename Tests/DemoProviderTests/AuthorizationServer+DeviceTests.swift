import LoginCore
import Testing

@testable import DemoProvider

@Suite("Signing in for a device")
struct DeviceTests {
  private let visitor: Visitor
  private let codes: JSONObject

  init() throws {
    visitor = try Visitor()
    codes =
      visitor.post(
        "/device_authorization", ["client_id": "tokentry-demo", "scope": "openid profile"]
      ).json
  }

  @Test("A device is told what to show, and how long and how often to ask")
  func start() throws {
    let code = try #require(codes["user_code"]?.string)
    #expect(code.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/) != nil)
    #expect(codes["verification_uri"] == .string(Visitor.issuer + "/device"))
    #expect(codes["verification_uri_complete"] == .string(Visitor.issuer + "/device?user_code=" + code))
    #expect(codes["expires_in"] == 600)
    #expect(codes["interval"] == 5)
  }

  @Test("Once somebody has signed in and allowed it, the device has its token")
  func wholeFlow() throws {
    #expect(try poll().error == "authorization_pending")
    #expect(try decide("allow").body.contains("Your device is signed in"))
    visitor.clock.advance(by: 5)
    let token = try poll().json
    #expect(try visitor.userinfo(token["access_token"]).json["name"] == "ada")
    #expect(try poll().error == "invalid_grant", "the grant is handed out once")
  }

  @Test("The code may be typed in small letters, with spaces, or without its dash")
  func typed() throws {
    let code = try #require(codes["user_code"]?.string).lowercased().replacingAll("-", with: " ")
    #expect(visitor.post("/device", ["user_code": " \(code) "]).body.contains("type=\"password\""))
  }

  @Test("A denial is told to the device")
  func denial() throws {
    #expect(try decide("deny").body.contains("The device was refused"))
    #expect(try poll().error == "access_denied")
  }

  @Test("Whoever asks too often is told to slow down, and then has to")
  func slowDown() throws {
    #expect(try poll().error == "authorization_pending")
    visitor.clock.advance(by: 4)
    #expect(try poll().error == "slow_down")
    visitor.clock.advance(by: 9)
    #expect(try poll().error == "slow_down")
    visitor.clock.advance(by: 15)
    #expect(try poll().error == "authorization_pending")
  }

  @Test("After ten minutes the code is good for nothing, and the device is told")
  func expiry() throws {
    visitor.clock.advance(by: 600)
    #expect(try poll().error == "expired_token")
    #expect(visitor.post("/device", ["user_code": codes["user_code"]?.string ?? ""]).status == 403)
  }

  @Test("A code that no device shows, and one that was used, are refused")
  func wrongCode() throws {
    #expect(visitor.post("/device", ["user_code": "BBBB-BBBB"]).status == 403)
    #expect(visitor.post("/device", [:]).status == 403)
    _ = try decide("deny")
    #expect(visitor.post("/device", ["user_code": codes["user_code"]?.string ?? ""]).status == 403)
  }

  @Test("The page shows the code of its link, and never begins by itself")
  func prefilled() throws {
    let code = try #require(codes["user_code"]?.string)
    let page = visitor.get("/device", ["user_code": code])
    #expect(page.body.contains("value=\"\(code)\""))
    #expect(page.interaction == nil)
  }

  @Test("An unknown client or device is refused")
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
