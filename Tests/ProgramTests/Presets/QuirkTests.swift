import Foundation
import LoginCore
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

  @Test("A callback may end in #_=_, and without a token type the answer has a bearer token")
  func noTokenType() throws {
    let standIn = try standIn(
      "instagram", suffix: "#_=_", .json(#"{"access_token":"T","user_id":17841400000000000}"#))
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

  @Test("An answer may be a form, with expires for expires_in", arguments: ["facebook", "github"])
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
    arguments: [
      ("google", "verification_url", 428), ("github", "verification_uri", 200),
      ("gitlab", "verification_uri", 400),
    ])
  func device(name: String, address: String, status: Int) throws {
    let polls = Mutex(0)
    let standIn = try PresetStandIn(
      name, callback: { _ in "" },
      answer: { request in
        if request.path.hasSuffix("/device/code") || request.path == "/oauth/authorize_device" {
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
    let poll = standIn.server.requests[2]
    #expect(poll.form["client_secret"] == "s+/ é" || poll.headers["authorization"] != nil)
  }

  /// https://developers.google.com/identity/protocols/oauth2/limited-input-device: a desktop client gets no device code,
  /// and Google shows no page in a window.
  @Test(
    "Google is reached in a browser alone, however the user names it and wherever the user is",
    arguments: [["--provider", "google"], ["--issuer", "https://accounts.google.com"]])
  func google(name: [String]) throws {
    func way(_ options: [String], _ environment: [String: String]) throws -> String? {
      let explained = try Tokentry.run(
        ["explain", "--client-id", "53"] + name + options, environment: environment)
      return explained["way"] as? String
    }
    let ssh = ["SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"]
    #expect(try way([], ssh) == "browser")
    // With this redirect URI only the window could hand the answer back.
    #expect(try way(["--redirect-uri", "https://app.example/done"], ["DISPLAY": ":4096"]) == "browser")
    // A client for televisions can ask for a code.
    if name[0] == "--provider" { #expect(try way(["--way", "device"], ssh) == "device") }
  }

  // OpenID Connect Discovery section 4.1: the metadata are below the path of the issuer.
  @Test("A realm of Keycloak needs no preset")
  func keycloak() throws {
    let authority = try IDTokenAuthority(.rs256)
    let server = try StandInServer { request, base in
      let realm = base + "/realms/staff"
      let endpoint = realm + "/protocol/openid-connect"
      switch request.path {
      case "/realms/staff/.well-known/openid-configuration":
        return .json(
          #"{"issuer":"\#(realm)","authorization_endpoint":"\#(endpoint)/auth","token_endpoint":"\#(endpoint)/token","#
            + #""jwks_uri":"\#(endpoint)/certs","authorization_response_iss_parameter_supported":true,"#
            + #""id_token_signing_alg_values_supported":["RS256"]}"#)
      case "/realms/staff/protocol/openid-connect/auth":
        return PresetStandIn.redirect(
          request, with: "session_state=8d2a&code=0cde&iss=\(FormEncoding.encode(realm))")
      case "/realms/staff/protocol/openid-connect/certs": return authority.keys(["use": "sig"])
      default:
        let idToken = (try? authority.token(of: realm, ["aud": "53", "azp": "53", "nonce": "N"])) ?? ""
        return .json(
          #"{"access_token":"A","token_type":"Bearer","expires_in":300,"not-before-policy":0,"id_token":"\#(idToken)"}"#
        )
      }
    }
    let outcome = try Tokentry.run(
      [
        "login", "--issuer", server.base + "/realms/staff", "--client-id", "53", "--scope", "openid",
        "--redirect-uri", "https://app.example/done", "--headless-test",
      ] + optionsFile(["nonce": "N"]))
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.checks["iss"] == "verified" && outcome.checks["id_token"] == "verified")
    #expect(outcome.output.contains(#""not-before-policy":0"#))
  }
}
