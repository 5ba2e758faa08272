import Foundation
import LoginCore
import TestSupport
import Testing

/// A login with each preset whose provider has no file of its own here, against a stand-in that behaves as the preset's
/// sources say.
@Suite("Presets", .blocking)
struct PresetTests {
  /// A provider as its sources describe it.
  struct Behaviour: CustomTestStringConvertible, Sendable {
    let preset: String
    var variables: [String: String] = [:]
    /// The redirect URI of the client, if it is not the preset's.
    var redirect: String? = "http://127.0.0.1:8765/callback"
    /// Parameters that the authorization request has to carry.
    var asks: [String: String] = [:]
    var client = Client.open
    var pkce = true
    /// Further parameters of the callback.
    var callback = ""
    /// The issuer of the id_token, if the provider sends one.
    var issuer: String?
    /// Members of the answer to the token request, besides the access token.
    let answer: String
    /// Parts of the output.
    var prints: [String] = []

    /// How a client proves itself.
    enum Client { case open, basic, post, basicAndJSON }

    var testDescription: String { preset }
  }

  private static let providers = mail + forges + storage + identityServers + services

  private static let mail = [
    Behaviour(
      preset: "yahoo", redirect: nil, asks: ["scope": "openid", "redirect_uri": "https://127.0.0.1/"],
      issuer: "https://api.login.yahoo.com",
      answer: #""token_type":"bearer","expires_in":3600,"refresh_token":"R","xoauth_yahoo_guid":"JT4""#,
      prints: [#""xoauth_yahoo_guid":"JT4""#]),
    Behaviour(
      preset: "aol", redirect: nil, issuer: "https://api.login.aol.com",
      answer: #""token_type":"bearer","expires_in":3600,"refresh_token":"R""#),
    Behaviour(
      preset: "fastmail", callback: "&iss=https%3A%2F%2Fapi.fastmail.com",
      answer: #""token_type":"bearer","expires_in":3600,"refresh_token":"R""#, prints: [#""iss":"verified""#]),
    Behaviour(
      preset: "zoho", asks: ["access_type": "offline", "prompt": "consent"], client: .post, pkce: false,
      callback: "&location=us&accounts-server=https%3A%2F%2Faccounts.zoho.com",
      answer: #""expires_in":3600,"refresh_token":"R","api_domain":"https://www.zohoapis.com""#,
      prints: [#""token_type":"Bearer""#, #""api_domain":"https://www.zohoapis.com""#]),
    Behaviour(
      preset: "seznam", redirect: nil,
      asks: ["scope": "identity", "redirect_uri": "http://127.0.0.1/seznam"],
      callback: "&iss=https%3A%2F%2Flogin.seznam.cz",
      answer: #""token_type":"bearer","expires_in":"3600","account_name":"ann@seznam.cz""#,
      prints: [#""iss":"verified""#]),
    Behaviour(
      preset: "mailru-imap", asks: ["scope": "mail.imap"], client: .post, pkce: false,
      answer: #""expires_in":3600,"refresh_token":"R""#, prints: [#""token_type":"Bearer""#]),
  ]

  private static let forges =
    ["gitea", "forgejo", "codeberg"].map {
      Behaviour(
        preset: $0, variables: $0 == "codeberg" ? [:] : ["server": "git.example"],
        redirect: "http://127.0.0.1:8765/",
        answer: #""token_type":"bearer","expires_in":3600,"refresh_token":"R""#)
    } + [
      Behaviour(
        preset: "sourcehut", asks: ["scope": "meta.sr.ht/PROFILE:RO"], client: .post, pkce: false,
        answer: #""token_type":"bearer","expires_in":31536000,"scope":"meta.sr.ht/PROFILE:RO""#)
    ]

  private static let storage = [
    Behaviour(
      preset: "dropbox", asks: ["token_access_type": "offline"],
      answer:
        #""token_type":"bearer","expires_in":14400,"refresh_token":"R","uid":"12","account_id":"dbid:A""#,
      prints: [#""account_id":"dbid:A""#]),
    Behaviour(
      preset: "box", client: .post, pkce: false,
      answer: #""token_type":"bearer","expires_in":3600,"restricted_to":[],"refresh_token":"R""#),
  ]

  private static let bearer = #""token_type":"Bearer","expires_in":3600"#

  private static let identityServers = [
    Behaviour(
      preset: "authentik", variables: ["server": "sso.example", "application": "mail"],
      issuer: "https://sso.example/application/o/mail/", answer: bearer),
    Behaviour(
      preset: "authelia", variables: ["server": "auth.example"],
      callback: "&iss=https%3A%2F%2Fauth.example&scope=openid", issuer: "https://auth.example",
      answer: #""token_type":"bearer","expires_in":3599,"scope":"openid""#, prints: [#""iss":"verified""#]),
    Behaviour(
      preset: "zitadel", variables: ["server": "a-1.zitadel.cloud"], issuer: "https://a-1.zitadel.cloud",
      answer: bearer),
    Behaviour(
      preset: "ory-hydra", variables: ["server": "hydra.example"], callback: "&scope=openid",
      issuer: "https://hydra.example", answer: #""token_type":"bearer","expires_in":3599,"scope":"openid""#),
    Behaviour(
      preset: "dex", variables: ["server": "sso.example/dex"], issuer: "https://sso.example/dex",
      answer: #""token_type":"bearer","expires_in":86399"#),
    Behaviour(
      preset: "kanidm", variables: ["server": "idm.example:8443"], redirect: "http://localhost:8765/callback",
      issuer: "https://idm.example:8443/oauth2/openid/53", answer: bearer),
    Behaviour(
      preset: "okta", variables: ["server": "dev-1.okta.com"],
      issuer: "https://dev-1.okta.com/oauth2/default",
      answer: bearer),
    Behaviour(
      preset: "cognito",
      variables: ["domain": "sso.example", "region": "eu-central-1", "pool": "eu-central-1_a"],
      redirect: "http://localhost:8765/callback",
      issuer: "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_a", answer: bearer),
    Behaviour(
      preset: "adfs", variables: ["server": "fs.example"], redirect: "http://localhost:8765/",
      issuer: "https://fs.example/adfs",
      answer: #""token_type":"bearer","resource":"urn:api","expires_in":3600"#),
  ]

  private static let services = [
    Behaviour(
      preset: "slack", asks: ["scope": "users:read"],
      answer: #""ok":true,"token_type":"user","scope":"users:read,chat:write","authed_user":{"id":"U1"}"#,
      prints: [#""token_type":"Bearer""#, #""authed_user":{"id":"U1"}"#]),
    Behaviour(
      preset: "twitch", redirect: "http://localhost:8765/callback", client: .post, pkce: false,
      callback: "&scope=openid", issuer: "https://id.twitch.tv/oauth2",
      answer: #""token_type":"bearer","expires_in":14124,"refresh_token":"R","scope":["openid"]"#,
      prints: [#""scope":["openid"]"#]),
    Behaviour(
      preset: "zoom", client: .basic,
      answer: #""token_type":"bearer","expires_in":3599,"refresh_token":"R","scope":"user:read:user""#),
    Behaviour(
      preset: "atlassian",
      asks: ["audience": "api.atlassian.com", "prompt": "consent", "scope": "read:me offline_access"],
      client: .post, pkce: false, answer: bearer),
    Behaviour(
      preset: "notion", asks: ["owner": "user"], client: .basicAndJSON, pkce: false,
      answer: #""token_type":"bearer","bot_id":"B","workspace_id":"W","duplicated_template_id":null"#,
      prints: [#""workspace_id":"W""#]),
    Behaviour(
      preset: "salesforce", redirect: "http://localhost:8765/callback",
      answer:
        #""token_type":"Bearer","instance_url":"https://acme.my.salesforce.com","issued_at":"1790000000000""#,
      prints: [#""instance_url":"https://acme.my.salesforce.com""#]),
    Behaviour(
      preset: "strava", asks: ["approval_prompt": "auto", "scope": "read"], client: .post, pkce: false,
      callback: "&scope=read",
      answer: #""token_type":"Bearer","expires_at":1790000000,"expires_in":21600,"athlete":{"id":1}"#,
      prints: [#""athlete":{"id":1}"#, #""expires_at":"2"#]),
    Behaviour(preset: "todoist", client: .post, answer: #""token_type":"Bearer""#),
    Behaviour(
      preset: "asana", client: .post,
      answer:
        #""token_type":"bearer","expires_in":3600,"data":{"gid":"46","name":"Ann"},"refresh_token":"R""#,
      prints: [#""data":{"gid":"46","name":"Ann"}"#]),
    Behaviour(
      preset: "digitalocean", client: .post, pkce: false,
      answer: #""token_type":"bearer","expires_in":2592000,"refresh_token":"R","info":{"uuid":"u"}"#,
      prints: [#""info":{"uuid":"u"}"#]),
    Behaviour(
      preset: "mastodon", variables: ["server": "social.example"], client: .post,
      answer: #""token_type":"Bearer","scope":"read","created_at":1790000000"#),
    Behaviour(
      preset: "matrix", variables: ["device": "ABCDEFGHIJ"],
      asks: ["scope": "urn:matrix:client:api:* urn:matrix:client:device:ABCDEFGHIJ"],
      callback: "&iss=https%3A%2F%2Faccount.matrix.org%2F",
      answer: #""token_type":"Bearer","expires_in":299,"refresh_token":"R""#, prints: [#""iss":"verified""#]),
    Behaviour(
      preset: "openstreetmap", asks: ["scope": "read_prefs"],
      answer: #""token_type":"Bearer","scope":"read_prefs","created_at":1790000000"#),
    Behaviour(preset: "lichess", answer: #""token_type":"Bearer","expires_in":31536000"#),
    Behaviour(
      preset: "x", asks: ["scope": "tweet.read users.read offline.access"],
      answer: #""token_type":"bearer","expires_in":7200,"refresh_token":"R""#),
    Behaviour(preset: "huggingface", issuer: "https://huggingface.co", answer: bearer),
  ]

  private static let secret = ["TOKENTRY_CLIENT_SECRET": "s"]

  /// Returns a stand-in that refuses a token request which the provider would refuse.
  private static func standIn(_ provider: Behaviour) throws -> PresetStandIn {
    let authority = try IDTokenAuthority(.rs256)
    return try PresetStandIn(
      provider.preset, variables: provider.variables,
      page: { PresetStandIn.redirect($0, with: "code=C" + provider.callback) },
      answer: { request in
        if request.method == "GET" { return authority.keys }
        guard isRight(request, for: provider) else {
          return .json(#"{"error":"invalid_request"}"#, status: 400)
        }
        let idToken = provider.issuer.flatMap { try? authority.token(of: $0, ["aud": "53"]) }
        return .json(
          #"{"access_token":"T",\#(provider.answer)"# + (idToken.map { #","id_token":"\#($0)""# } ?? "") + "}"
        )
      })
  }

  private static func isRight(_ request: StandInServer.Request, for provider: Behaviour) -> Bool {
    let isJSON = provider.client == .basicAndJSON
    let json = try? JSONSerialization.jsonObject(with: Data(request.body.utf8))
    let form = isJSON ? json as? [String: String] ?? [:] : request.form
    let isNamed = form["client_id"] == "53"
    let isProven =
      switch provider.client {
      case .open: isNamed && form["client_secret"] == nil && request.headers["authorization"] == nil
      case .post: isNamed && form["client_secret"] == "s" && request.headers["authorization"] == nil
      case .basic, .basicAndJSON: request.headers["authorization"] == "Basic NTM6cw=="
      }
    return isProven && form["grant_type"] == "authorization_code" && form["code"] == "C"
      && form["redirect_uri"] != nil && (form["code_verifier"] != nil) == provider.pkce
  }

  @Test("A login works as the provider's documents say", arguments: providers)
  func login(_ provider: Behaviour) throws {
    let standIn = try Self.standIn(provider)
    let outcome = try standIn.login(
      optionsFile(["nonce": "N"]) + (provider.redirect.map { ["--redirect-uri", $0] } ?? []),
      environment: provider.client == .open ? [:] : Self.secret)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.accessToken == "T")
    #expect((outcome["token_type"] as? String)?.lowercased() == "bearer")
    #expect(outcome.checks["id_token"] == (provider.issuer == nil ? nil : "verified"))
    for part in provider.prints { #expect(outcome.output.contains(part), "\(part)") }
    let page = try #require(standIn.server.requests.first)
    for (name, value) in provider.asks { #expect(page.query[name] == value) }
    #expect((page.query["code_challenge_method"] == "S256") == provider.pkce)
  }

  @Test("Zoho's scheme is not Bearer, and Strava and Box revoke in ways of their own")
  func afterwards() throws {
    let token = #"{"access_token":"T","token_type":"Bearer","expires_in":3600}"#
    func keep(_ preset: String) throws -> PresetStandIn {
      let standIn = try PresetStandIn(
        preset, page: { PresetStandIn.redirect($0, with: "code=C") }, answer: { _ in .json(token) })
      let login = try standIn.keep(["--redirect-uri", "http://127.0.0.1:8765/"], environment: Self.secret)
      #expect(login.status == 0, "\(login.messages)")
      return standIn
    }
    let zoho = try keep("zoho")
    #expect(try zoho.use("request", zoho.server.base + "/api/accounts").status == 0)
    #expect(zoho.server.requests.last?.headers["authorization"] == "Zoho-oauthtoken T")
    for (preset, name) in [("strava", "access_token"), ("box", "token")] {
      let standIn = try keep(preset)
      let logout = try standIn.use("logout")
      #expect(logout["revoked"] as? [String] == ["access_token"], "\(logout.messages)")
      #expect(standIn.server.requests.last?.form[name] == "T")
      #expect(standIn.server.requests.last?.form["client_secret"] == "s")
    }
  }
}
