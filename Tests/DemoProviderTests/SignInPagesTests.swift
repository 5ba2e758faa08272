import LoginCore
import Testing

@testable import DemoProvider

@Suite("Sign-in")
struct SignInTests {
  @Test("Any name can sign in", arguments: ["ada", "Grace Hopper", "Zoë", "李"])
  func anyName(name: String) throws {
    let visitor = try Visitor()
    let page = try visitor.signIn(on: visitor.get("/authorize", Visitor.request()), name: name)
    #expect(page.status == 200)
    #expect(page.body.contains("<strong>\(name)</strong>"))
  }

  @Test("A wrong password is refused, and the name stays in the field")
  func wrongPassword() throws {
    let visitor = try Visitor()
    let page = visitor.get("/authorize", Visitor.request())
    let answer = try visitor.signIn(on: page, password: "wrong")
    #expect(answer.status == 403)
    #expect(answer.body.contains("role=\"alert\""))
    #expect(answer.body.contains("value=\"ada\""))
    #expect(try visitor.decide("allow", on: page)["Location"] == nil)
    #expect(try visitor.signIn(on: page).body.contains("Allow access?"))
  }

  @Test(
    "Values from outside never become markup",
    arguments: [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='alert(1)", "<\u{338}b>",
      "\"\u{301} onfocus=alert(1)",
    ])
  func injection(text: String) throws {
    let visitor = try Visitor()
    let request = Visitor.request([
      "login_hint": text, "state": text, "scope": "openid \(text)", "nonce": text,
    ])
    let page = visitor.get("/authorize", request)
    let pages = [
      page, try visitor.signIn(on: page, name: text, password: "wrong"),
      try visitor.signIn(on: page, name: text),
      visitor.get("/authorize", Visitor.request(["client_id": text])),
      visitor.get("/authorize", Visitor.request(["redirect_uri": text])),
      visitor.get("/device", ["user_code": text]), visitor.post("/device", ["user_code": text]),
      visitor.get("/" + text), visitor.get("/consent", ["interaction": text, text: "1"]),
      visitor.post("/consent", form: "\(FormEncoding.encode(text))=1&\(FormEncoding.encode(text))=2"),
    ]
    for page in pages {
      for markup in ["<script", "<img", "<\u{338}", "\"\u{301}", "' onfocus"] {
        #expect(!page.body.unicodeScalars.contains(markup.unicodeScalars), "\(markup)")
      }
      #expect(page["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
    }
  }

  @Test("Another browser cannot continue a sign-in")
  func otherBrowser() throws {
    let visitor = try Visitor()
    let login = visitor.get("/authorize", Visitor.request())
    let cookies = visitor.cookies
    visitor.cookies = [:]
    #expect(try visitor.signIn(on: login).status == 400)
    visitor.cookies = ["demo-34567": "other"]
    #expect(try visitor.signIn(on: login).status == 400)
    visitor.cookies = cookies
    let consent = try visitor.signIn(on: login)
    visitor.cookies = cookies
    #expect(try visitor.decide("allow", on: consent).status == 400, "the cookie from before the sign-in")
    #expect(visitor.post("/consent", ["interaction": "guess", "decision": "allow"]).status == 400)
    #expect(visitor.post("/consent", ["decision": "allow"]).status == 400)
  }

  @Test("A decision counts once, and only within ten minutes")
  func once() throws {
    let visitor = try Visitor()
    let page = try visitor.signIn(on: visitor.get("/authorize", Visitor.request()))
    #expect(try visitor.decide("allow", on: page).status == 303)
    #expect(try visitor.decide("allow", on: page).status == 400)
    let old = visitor.get("/authorize", Visitor.request())
    visitor.clock.advance(by: 600)
    #expect(try visitor.decide("allow", on: old).status == 400)
  }

  @Test("Another user can sign in instead")
  func change() throws {
    let visitor = try Visitor()
    let page = try visitor.signIn(on: visitor.get("/authorize", Visitor.request()))
    let again = try visitor.signIn(on: visitor.decide("change", on: page), name: "grace")
    #expect(again.body.contains("<strong>grace</strong>"))
    #expect(try visitor.decide("allow", on: again).callback["code"] != nil)
  }

  @Test("Scripts and other sites cannot read the cookie")
  func cookie() throws {
    let cookie = try Visitor().get("/authorize", Visitor.request())["Set-Cookie"]
    #expect(cookie?.hasPrefix("demo-34567=") == true)
    #expect(cookie?.hasSuffix("; Path=/; HttpOnly; SameSite=Lax") == true)
  }
}

extension String.UnicodeScalarView {
  fileprivate func contains(_ other: String.UnicodeScalarView) -> Bool {
    indices.contains { self[$0...].starts(with: other) }
  }
}
