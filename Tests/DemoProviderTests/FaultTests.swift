import GnuTLSCrypto
import SoupNetwork
import Testing

@testable import DemoProvider
@testable import LoginCore

@Suite("Faults of the demo provider")
struct FaultTests {
  /// What a program sees of a fault. `naive` is the end of a login and a refresh of a client without checks.
  struct Row: Sendable, CustomTestStringConvertible {
    let fault: String
    let naive: Naive
    let sees: String?
    let look: @Sendable (Visitor) throws -> String?
    var testDescription: String { fault }

    init(
      _ fault: String, _ naive: Naive, _ sees: String?,
      _ look: @escaping @Sendable (Visitor) throws -> String?
    ) {
      (self.fault, self.naive, self.sees, self.look) = (fault, naive, sees, look)
    }
  }

  enum Naive { case noticesNothing, getsNoToken, losesLogin, waits }

  static let rows = [
    Row("denied", .getsNoToken, "access_denied") { $0.answer["error"] },
    Row("denied=1", .getsNoToken, "access_denied") { try $0.deviceAnswer().error },
    Row("login-required", .getsNoToken, "login_required") { $0.answer["error"] },
    Row("wrong-state", .noticesNothing, "state-of-another-request") { $0.answer["state"] },
    Row("no-state", .noticesNothing, nil) { $0.answer["state"] },
    Row("wrong-iss", .noticesNothing, "https://another.example") { $0.answer["iss"] },
    Row("other-user", .noticesNothing, "mallory") { try $0.user(of: $0.refreshed(by: $0.signedIn()).json) },
    Row("other-user=1", .noticesNothing, "mallory") {
      _ = try $0.signedIn()
      return try $0.user(of: $0.signedIn())
    },
    Row("scope-reduced", .noticesNothing, "openid") { try $0.signedIn()["scope"]?.string },
    Row("wrong-nonce", .noticesNothing, "nonce-of-another-request") { try $0.claim("nonce") },
    Row("id-token-expired", .noticesNothing, "1799996400") { try $0.claim("exp") },
    Row("id-token-audience", .noticesNothing, "another-client") { try $0.claim("aud") },
    Row("code-used", .getsNoToken, "invalid_grant") { $0.exchanged.error },
    Row("token-slow=3", .waits, "3") { "\($0.exchanged.delay)" },
    Row("token-500", .getsNoToken, "500") { "\($0.exchanged.status)" },
    Row("token-429=7", .getsNoToken, "7") { $0.exchanged["Retry-After"] },
    Row("token-html", .getsNoToken, "text/html; charset=utf-8") { $0.exchanged["Content-Type"] },
    Row("connection-reset", .getsNoToken, "0") { "\($0.exchanged.status)" },
    Row("big-answer", .noticesNothing, "8") { "\($0.exchanged.body.utf8.count >> 20)" },
    Row("no-expiry", .noticesNothing, nil) { $0.exchanged.json["expires_in"].map { "\($0)" } },
    Row("expires-in-text", .noticesNothing, "3600") { $0.exchanged.json["expires_in"]?.string },
    Row("short-life=2", .noticesNothing, "2 401") {
      let token = $0.exchanged.json
      $0.clock.advance(by: 2)
      return try "\(token["expires_in"]?.truncated ?? 0) \($0.userinfo(token["access_token"]).status)"
    },
    Row("no-refresh-token", .losesLogin, nil) { $0.exchanged.json["refresh_token"]?.string },
    Row("refresh-rotates", .noticesNothing, "invalid_grant") {
      $0.server.settings.refresh = .kept
      let token = try $0.signedIn()
      return try [$0.refreshed(by: token), $0.refreshed(by: token)].last?.error
    },
    Row("refresh-lost=1", .losesLogin, "0 invalid_grant") {
      let token = try $0.signedIn()
      return try "\($0.refreshed(by: token).status) \($0.refreshed(by: token).error ?? "")"
    },
    Row("refresh-slow=4", .waits, "4") { try "\($0.refreshed(by: $0.signedIn()).delay)" },
    Row("refresh-dead", .losesLogin, "invalid_grant") { try $0.refreshed(by: $0.signedIn()).error },
    Row("slow-down=1", .noticesNothing, "slow_down") { try $0.deviceAnswer().error },
    Row("device-expired", .noticesNothing, "expired_token") { try $0.deviceAnswer().error },
    Row("metadata-slow=2", .noticesNothing, "2") { "\($0.get("/.well-known/openid-configuration").delay)" },
    Row("metadata-moved", .noticesNothing, "http://localhost:34567/.well-known/openid-configuration") {
      $0.get("/.well-known/openid-configuration")["Location"]
    },
    Row("api-401", .noticesNothing, "401 invalid_token") { try $0.refusal(at: "/api/echo") },
    Row("api-insufficient-scope", .noticesNothing, "403 insufficient_scope") {
      try $0.refusal(at: "/api/echo")
    },
    Row("page-blank", .getsNoToken, "0") { "\($0.page.body.matches(of: /<form/).count)" },
    Row("page-popup", .getsNoToken, "1") { "\($0.page.body.matches(of: /target="_blank"/).count)" },
    Row("page-csp", .getsNoToken, "form-action 'none'") {
      $0.page.headers.last { $0.name == "Content-Security-Policy" }?.value
    },
    Row("page-endless-redirect", .getsNoToken, "/authorize") {
      $0.page["Location"].map { String($0.prefix { $0 != "?" }) }
    },
  ]

  @Test("Each fault shows as it says, and not without it", arguments: rows)
  func shows(row: Row) throws {
    let visitor = try Visitor(fault: row.fault)
    #expect(try row.look(visitor) == row.sees)
    let isLogged = visitor.log.contains(#""faults":["#)
    #expect(isLogged || ["refresh-rotates", "short-life=2"].contains(row.fault))
    let plain = try Visitor(fault: nil, showsPages: row.fault.hasPrefix("page-"))
    #expect(try row.look(plain) != row.sees)
  }

  @Test("A client without checks does not notice most of them", arguments: rows)
  func naive(row: Row) throws {
    let visitor = try Visitor(fault: row.fault)
    let naive: Naive
    if let token = visitor.naiveLogin() {
      if visitor.waited > 0 {
        naive = .waits
      } else {
        // A client that got no answer asks again.
        let answers = visitor.naiveRefreshes(token)
        naive = answers.last != nil ? (visitor.waited > 0 ? .waits : .noticesNothing) : .losesLogin
      }
    } else {
      naive = .getsNoToken
    }
    #expect(naive == row.naive)
  }

  @Test("Every fault has a row, except for those that need a real key")
  func complete() {
    let tested = Set(Self.rows.map { $0.fault.parts(at: "=")[0] })
    #expect(
      Set(Fault.allCases.map(\.rawValue)).subtracting(tested) == ["id-token-signature", "jwks-rotated"])
  }

  @Test("A broken signature and a key that was replaced are found with the key set alone")
  func signatures() throws {
    func isSigned(_ fault: String?, readsKeysFirst: Bool) throws -> Bool {
      let visitor = try Visitor(fault: fault, signer: GnuTLSSigningKey(generating: .es256))
      let early = visitor.get("/jwks").json
      let text = try #require(visitor.exchanged.json["id_token"]?.string)
      let keys = readsKeysFirst ? early : visitor.get("/jwks").json
      let key = try #require(keys["keys"]?.array?.first?.object.flatMap(JWK.init))
      return try JWS(text).payload(verifiedWith: key.key, GnuTLSCryptography()) != nil
    }
    #expect(try isSigned(nil, readsKeysFirst: true))
    #expect(try !isSigned("id-token-signature", readsKeysFirst: false))
    #expect(try !isSigned("jwks-rotated", readsKeysFirst: true))
    #expect(try isSigned("jwks-rotated", readsKeysFirst: false))
    for fault in ["id-token-signature", "jwks-rotated"] {
      let visitor = try Visitor(fault: fault, signer: GnuTLSSigningKey(generating: .es256))
      #expect(visitor.naiveLogin() != nil, "a client without checks notices neither")
    }
  }

  @Test("A fault with a number of times ends by itself, and one of HTTP 429 when its time has passed")
  func ends() throws {
    let visitor = try Visitor(fault: "token-500=2")
    #expect(
      [visitor.exchanged.status, visitor.exchanged.status, visitor.exchanged.status] == [500, 500, 200])
    let limited = try Visitor(fault: "token-429=3")
    #expect(limited.exchanged.status == 429)
    limited.clock.advance(by: 2)
    #expect(limited.exchanged["Retry-After"] == "1")
    limited.clock.advance(by: 1)
    #expect([limited.exchanged.status, limited.exchanged.status] == [200, 200])
  }

  @Test(
    "An unknown fault and a wrong number are refused",
    arguments: [
      ("tokn-500", "did you mean token-500?"), ("token-500=x", "token-500[=TIMES]"), ("token-500=0", "TIMES"),
      ("refresh-rotates=1", "written refresh-rotates,"), ("everything", "there is no fault"),
      ("", "there is no fault"),
    ])
  func refused(text: String, words: String) throws {
    var faults = Faults()
    let failure = #expect(throws: Failure.self) { try faults.add(text) }
    let said = [failure?.message.description, failure?.hint?.text?.description].compactMap(\.self)
    let isSaid = said.contains { $0.contains(words) }
    #expect(isSaid, "\(said)")
    #expect(faults == Faults())
  }
}

@Suite("Switches and log of the demo provider")
struct FaultSwitchTests {
  @Test("A POST names all faults that are on, and the page shows them")
  func switches() throws {
    let visitor = try Visitor(fault: "denied")
    #expect(
      visitor.post("/faults", ["token-500": "2", "no-state": "on", "wrong-iss": "off"])["Location"] == "/")
    let on = visitor.get("/faults").json["faults"]?.array?.compactMap(\.object).filter { $0["on"] != nil }
    #expect(on?.map { $0["fault"] } == ["no-state", "token-500"])
    #expect(on?.map { $0["on"] } == [true, 2])
    #expect(visitor.get("/").body.contains(#"name="no-state" value="on" checked>"#))
    visitor.post("/faults", [:])
    #expect(visitor.server.settings.faults == Faults())
    #expect(visitor.post("/faults", ["deniet": "on"]).body.contains("did you mean denied?"))
  }

  @Test("Another site can neither switch faults nor reset", arguments: ["/faults", "/reset"])
  func foreign(path: String) throws {
    let visitor = try Visitor(fault: "denied")
    let answer = visitor.post(
      path, ["no-state": "on"], headers: [Parameter("Origin", "https://evil.example")])
    #expect(answer.status == 400)
    #expect(visitor.answer["error"] == "access_denied")
  }

  @Test("The log counts sign-ins, refreshes and reuses, and shows no whole secret")
  func log() throws {
    let visitor = try Visitor(fault: nil)
    let token = try visitor.signedIn()
    _ = try visitor.refreshed(by: token)
    _ = try visitor.refreshed(by: token)
    _ = try visitor.userinfo(token["access_token"])
    let log = visitor.get("/log").json
    #expect([log["sign_ins"], log["refreshes"], log["reuses"]] == [1, 1, 1])
    let requests = (log["requests"]?.array ?? []).compactMap(\.object)
    try #require(requests.count == 5)
    #expect(requests.map { $0["path"] } == ["/authorize", "/token", "/token", "/token", "/userinfo"])
    #expect(requests[3]["error"] == "invalid_grant")
    let secret = try #require(token["refresh_token"]?.string)
    #expect(requests[2]["parameters"]?.object?["refresh_token"]?.string == "\(secret.prefix(4))…")
    #expect(requests[4]["authorization"]?.string?.utf8.count == "Bearer 1234…".utf8.count)
    for secret in [secret, token["access_token"]?.string ?? "", Visitor.verifier] {
      let isShown = visitor.log.contains(secret)
      #expect(!isShown)
    }
  }

  @Test("A reset forgets tokens, the log and changes of the settings")
  func reset() throws {
    let visitor = try Visitor(fault: "no-expiry")
    let token = try visitor.signedIn()
    visitor.post("/", ["token_life": "10"])
    visitor.post("/faults", [:])
    visitor.post("/reset", [:])
    #expect(visitor.get("/log").json["requests"] == [])
    #expect(try visitor.userinfo(token["access_token"]).status == 401)
    #expect(visitor.server.settings.faults.isOn(.noExpiry))
    #expect(visitor.server.settings.life == 3_600)
  }

  @Test("A client with a secret needs it, in the header or in the body")
  func clientSecret() throws {
    let visitor = try Visitor(fault: nil)
    visitor.server.settings.client = try #require(DemoClient("app:s+e/c r"))
    let form = ["grant_type": "refresh_token", "refresh_token": "unknown"]
    func error(_ more: [String: String], _ header: String? = nil) -> String? {
      let headers: ParameterList = header.map { ["Authorization": "Basic \(Base64.encode($0.utf8))"] } ?? []
      return visitor.post("/token", form.merging(more) { $1 }, headers: headers).error
    }
    #expect(error(["client_id": "app"]) == "invalid_client")
    #expect(error(["client_id": "app", "client_secret": "other"]) == "invalid_client")
    #expect(error(["client_id": "app", "client_secret": "s+e/c r"]) == "invalid_grant")
    #expect(error([:], "app:s%2Be%2Fc+r") == "invalid_grant")
    #expect(error([:], "app:other") == "invalid_client")
    #expect(error([:], "another:s%2Be%2Fc+r") == "invalid_client")
    for text in ["", ":secret", "app:"] { #expect(DemoClient(text) == nil) }
  }
}

@Suite("Protected API of the demo provider")
struct ProtectedAPITests {
  @Test("The API answers with the request, for a good token")
  func echo() throws {
    let visitor = try Visitor(fault: nil)
    let bearer = try visitor.bearer()
    let answer = visitor.get("/api/echo", ["a": "b"], headers: bearer)
    #expect(answer.json["query"] == "a=b")
    #expect(answer.json["user"] == "ada")
    let refused = visitor.get("/api/echo")
    #expect(refused.status == 401)
    let metadata = "\(Visitor.issuer)/.well-known/oauth-protected-resource/api"
    #expect(refused["WWW-Authenticate"] == #"Bearer realm="demo", resource_metadata="\#(metadata)""#)
    let document = visitor.get("/.well-known/oauth-protected-resource/api").json
    #expect(document["resource"] == .string(Visitor.issuer + "/api"))
    #expect(document["authorization_servers"] == [.string(Visitor.issuer)])
  }

  @Test("A part of it demands the scope admin, and a sign-in of the last five minutes")
  func admin() throws {
    let visitor = try Visitor(fault: nil)
    let refused = visitor.get("/api/admin", headers: try visitor.bearer())
    #expect(refused.status == 403)
    #expect(refused["WWW-Authenticate"]?.contains(#"scope="openid profile admin""#) == true)
    let bearer = try visitor.bearer(scope: "openid admin")
    #expect(visitor.get("/api/admin", headers: bearer).status == 200)
    visitor.clock.advance(by: 301)
    let old = visitor.get("/api/admin", headers: bearer)
    #expect(old.status == 401)
    #expect(
      old["WWW-Authenticate"]?.contains(#"error="insufficient_user_authentication", max_age="300""#) == true)
  }
}

extension Visitor {
  /// A provider that keeps running and signs users in without a page, unless the fault is one of pages.
  convenience init(
    fault: String?, signer: any SigningKey = FakeSigner(), showsPages: Bool = false
  ) throws {
    var settings = DemoSettings.serving
    if !showsPages, fault?.hasPrefix("page-") != true { settings.access = .allow }
    if let fault { try settings.faults.add(fault) }
    try self.init(signer: signer, settings: settings)
  }

  /// The answer to an authorization request.
  var page: Answer { self.get("/authorize", Self.request()) }
  var answer: [String: String] { page.callback }
  var exchanged: Answer { exchange(answer["code"] ?? "none") }
  var log: String { self.get("/log").body }

  func signedIn(scope: String = "openid profile") throws -> JSONObject {
    let answer = get("/authorize", Self.request(["scope": scope])).callback
    let token = exchange(try #require(answer["code"])).json
    _ = try #require(token["access_token"])
    return token
  }

  func refreshed(by token: JSONObject) throws -> Answer { try refresh(token) }

  func user(of token: JSONObject) throws -> String? {
    try userinfo(token["access_token"]).json["name"]?.string
  }

  func claim(_ name: String) throws -> String? {
    let idToken = try signedIn()["id_token"]?.string
    let value = readClaims(try #require(idToken))?[name]
    return value?.string ?? value?.truncated.map { "\($0)" }
  }

  func bearer(scope: String = "openid profile") throws -> ParameterList {
    let token = try signedIn(scope: scope)["access_token"]?.string
    return [Parameter("Authorization", "Bearer \(try #require(token))")]
  }

  func refusal(at path: String) throws -> String? {
    let answer = get(path, headers: try bearer())
    return answer.error.map { "\(answer.status) \($0)" }
  }

  /// The login of a client that takes any code and any token.
  fileprivate func naiveLogin() -> JSONObject? {
    guard let code = answer["code"] else { return nil }
    let answer = exchange(code)
    waited += answer.delay
    return answer.json["access_token"] == nil ? nil : answer.json
  }

  /// Its refresh, which it repeats if there was no answer.
  fileprivate func naiveRefreshes(_ token: JSONObject) -> [JSONObject] {
    for _ in 1...2 {
      guard token["refresh_token"] != nil, let answer = try? refresh(token) else { return [] }
      waited += answer.delay
      if answer.json["access_token"] != nil { return [answer.json] }
    }
    return []
  }
}
