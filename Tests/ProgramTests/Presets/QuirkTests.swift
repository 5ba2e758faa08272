import Foundation
import Synchronization
import TestSupport
import Testing

/// Deviations of single providers from the standards, each against a stand-in that behaves as the provider's
/// documents say.
@Suite("Quirks of providers", .blocking)
struct QuirkTests {
  private static let redirect = "https://app.example/done"
  private static let own = ["--redirect-uri", redirect]
  private static let secret = ["TOKENTRY_CLIENT_SECRET": "s+/ é"]

  private func standIn(
    _ name: String, redirect: String = redirect, suffix: String = "", _ answer: StandInServer.Answer
  ) throws -> PresetStandIn {
    try PresetStandIn(name, callback: { "\(redirect)?code=C&state=\($0)\(suffix)" }, answer: { _ in answer })
  }

  @Test(
    "The secret is in the body of providers that want it there, and not in a header",
    arguments: ["github", "facebook", "linkedin", "instagram", "bitly", "recurse-center", "uber"])
  func secretInBody(_ name: String) throws {
    let standIn = try standIn(name, .json(#"{"access_token":"T","token_type":"bearer","user_id":1}"#))
    let outcome = try standIn.login(Self.own, environment: Self.secret)
    #expect(outcome.status == 0, "\(outcome.output)")
    let exchange = try #require(standIn.server.requests.last)
    #expect(exchange.form["client_secret"] == "s+/ é")
    #expect(exchange.form["client_id"] == "53")
    #expect(exchange.headers["authorization"] == nil)
    #expect(exchange.headers["accept"] == "application/json")
  }

  @Test(
    "The secret is in the header of providers that want it there",
    arguments: ["bitbucket", "pinterest", "mailru"])
  func secretInHeader(_ name: String) throws {
    let standIn = try standIn(name, .json(#"{"access_token":"T","token_type":"bearer"}"#))
    let outcome = try standIn.login(Self.own, environment: Self.secret)
    #expect(outcome.status == 0, "\(outcome.output)")
    let exchange = try #require(standIn.server.requests.last)
    #expect(
      exchange.headers["authorization"] == "Basic " + Data("53:s%2B%2F%20%C3%A9".utf8).base64EncodedString())
    #expect(exchange.form["client_secret"] == nil)
  }

  // https://github.com/reddit-archive/reddit/wiki/OAuth2: an installed app has an empty password.
  @Test("An application of Reddit without a secret sends an empty one")
  func reddit() throws {
    let standIn = try standIn(
      "reddit", .json(#"{"access_token":"T","token_type":"bearer","expires_in":3600}"#))
    let outcome = try standIn.login(Self.own + ["--header", "User-Agent=linux:org.example:1"])
    #expect(outcome.status == 0, "\(outcome.output)")
    let exchange = try #require(standIn.server.requests.last)
    #expect(exchange.headers["authorization"] == "Basic " + Data("53:".utf8).base64EncodedString())
    #expect(exchange.headers["user-agent"] == "linux:org.example:1")
    #expect(standIn.server.requests.first?.query["duration"] == "permanent")
  }

  @Test("Additions of a preset are in the requests that it names")
  func additions() throws {
    let standIn = try PresetStandIn(
      "github",
      own: [
        "headers": ["User-Agent": "app/{client_id}"], "token_parameters": ["audience": "api"],
        "authorization_parameters": ["allow_signup": "false"],
      ],
      callback: { "\(Self.redirect)?code=C&state=\($0)" },
      answer: { _ in .json(#"{"access_token":"T","token_type":"bearer"}"#) })
    #expect(try standIn.login(Self.own, environment: Self.secret).status == 0)
    let page = try #require(standIn.server.requests.first),
      exchange = try #require(standIn.server.requests.last)
    #expect(page.query["allow_signup"] == "false" && page.query["audience"] == nil)
    #expect(page.headers["user-agent"] != "app/53", "the user's browser sends its own")
    #expect(exchange.form["audience"] == "api" && exchange.form["allow_signup"] == nil)
    #expect(exchange.headers["user-agent"] == "app/53")
  }

  @Test(
    "Without a token type the answer has a bearer token",
    arguments: ["instagram", "bitly", "linkedin", "mailru"])
  func noTokenType(_ name: String) throws {
    let standIn = try standIn(
      name, suffix: "#_=_", .json(#"{"access_token":"T","user_id":17841400000000000}"#))
    let outcome = try standIn.login(Self.own, environment: Self.secret)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome["token_type"] as? String == "Bearer")
    #expect(outcome.output.contains(#""user_id":17841400000000000"#))
  }

  @Test("An answer of Instagram without a user has no token")
  func missingUser() throws {
    let outcome = try standIn("instagram", .json(#"{"access_token":"T"}"#))
      .login(Self.own, environment: Self.secret)
    #expect(outcome.status == 6)
    #expect(outcome.output.contains(#""details":{"missing":["user_id"]}"#), "\(outcome.output)")
  }

  @Test("A provider that always sends the token type has to send it")
  func missingTokenType() throws {
    let outcome = try standIn("github", .json(#"{"access_token":"T"}"#)).login(Self.own)
    #expect(outcome.status == 6)
    #expect(outcome.error == "missing_token")
  }

  @Test("An answer may be a form, with expires for expires_in", arguments: ["facebook", "github", "bitly"])
  func formAnswer(_ name: String) throws {
    let answer = StandInServer.Answer(
      200, ["Content-Type: application/x-www-form-urlencoded; charset=UTF-8"],
      "access_token=T&token_type=bearer&expires=5183999")
    let redirect = name == "facebook" ? "https://www.facebook.com/connect/login_success.html" : Self.redirect
    let outcome = try standIn(name, redirect: redirect, answer).login(name == "facebook" ? [] : Self.own)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.accessToken == "T")
    #expect((outcome["expires_in"] as? Int).map { (5_183_000...5_183_999).contains($0) } == true)
  }

  @Test("An error with status 200 is an error", arguments: ["github", "slack", "zoho"])
  func errorWithSuccess(_ name: String) throws {
    let outcome = try standIn(
      name, .json(#"{"error":"bad_verification_code","error_description":"expired"}"#)
    )
    .login(Self.own)
    #expect(outcome.status == 1)
    #expect(outcome.error == "bad_verification_code")
  }

  // https://developers.google.com/identity/protocols/oauth2/limited-input-device and
  // https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#device-flow.
  @Test(
    "Older answers of a device endpoint are understood, and errors with any status",
    arguments: [("google", "verification_url", 428), ("github", "verification_uri", 200)])
  func device(name: String, address: String, status: Int) throws {
    let polls = Mutex(0)
    let standIn = try PresetStandIn(
      name, callback: { _ in "" },
      answer: { request in
        if request.path.hasSuffix("/device/code") {
          return .json(
            #"{"device_code":"D","user_code":"GQVQ-JKEC","\#(address)":"https://as.example/device","#
              + #""expires_in":1800,"interval":1}"#)
        }
        return polls.withLock { polls in
          polls += 1
          return polls == 1
            ? .json(#"{"error":"authorization_pending"}"#, status: status)
            : .json(#"{"access_token":"T","token_type":"bearer","scope":""}"#)
        }
      })
    let outcome = try standIn.run(
      ["login", "--way", "device", "--scope", "email"], environment: Self.secret)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(
      outcome.messages
        == "tokentry: info: to sign in, open https://as.example/device and enter the code GQVQ-JKEC\n")
    #expect(standIn.server.requests.count == 3)
    #expect(standIn.server.requests[2].form["device_code"] == "D")
    #expect(standIn.server.requests[2].form["client_secret"] == "s+/ é")
  }
}
