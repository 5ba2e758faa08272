/// A provider as its sources describe it, and what a program can do with its preset.
struct PresetRow: Sendable {
  let preset: String
  var variables: [String: String] = [:]
  /// The redirect URI of the client, if it is not the preset's.
  var redirect: String? = "http://127.0.0.1:8765/callback"
  var options: [String] = []
  /// Parameters that the authorization request has to carry.
  var asks: [String: String] = [:]
  var client = Client.open
  var pkce = true
  /// Further parameters of the callback.
  var callback = ""
  /// The issuer of the id_token, if the provider sends one.
  var issuer: String?
  var refresh = Refresh.never
  /// The error for a refresh token that is no longer good.
  var deadToken = "invalid_grant"
  /// Members of the answer to the token request, besides the tokens.
  let answer: String
  /// Parts of the output.
  var prints: [String] = []

  /// How a client proves itself.
  enum Client { case open, basic, post, basicAndJSON }

  /// The refresh token in an answer: none, a new one each time, or only the first one.
  enum Refresh { case never, rotating, kept }
}

extension PresetRow {
  static let all = mail + accounts + forges + storage + identityServers + services

  private static let mail = [
    PresetRow(
      preset: "yahoo", redirect: nil, asks: ["scope": "openid", "redirect_uri": "https://127.0.0.1/"],
      issuer: "https://api.login.yahoo.com", refresh: .rotating,
      answer: #""token_type":"bearer","expires_in":3600,"xoauth_yahoo_guid":"JT4""#,
      prints: [#""xoauth_yahoo_guid":"JT4""#]),
    PresetRow(
      preset: "yahoo", variables: ["server": "api.login.aol.com"], redirect: nil,
      issuer: "https://api.login.aol.com", refresh: .rotating, answer: bearer),
    PresetRow(
      preset: "fastmail", callback: "&iss=https%3A%2F%2Fapi.fastmail.com", refresh: .rotating,
      answer: #""token_type":"bearer","expires_in":3600"#, prints: [#""iss":"verified""#]),
    PresetRow(
      preset: "zoho", asks: ["access_type": "offline", "prompt": "consent"], client: .post, pkce: false,
      callback: "&location=us&accounts-server=https%3A%2F%2Faccounts.zoho.com", refresh: .rotating,
      answer: #""expires_in":3600,"api_domain":"https://www.zohoapis.com""#,
      prints: [#""token_type":"Bearer""#, #""api_domain":"https://www.zohoapis.com""#]),
    PresetRow(
      preset: "seznam", redirect: nil,
      asks: ["scope": "identity", "redirect_uri": "http://127.0.0.1/seznam"],
      callback: "&iss=https%3A%2F%2Flogin.seznam.cz",
      answer: #""token_type":"bearer","expires_in":"3600","account_name":"ann@seznam.cz""#,
      prints: [#""iss":"verified""#]),
    PresetRow(
      preset: "mailru-imap", redirect: "http://localhost:8765/", asks: ["scope": "mail.imap"], client: .post,
      pkce: false, refresh: .rotating,
      answer: #""expires_in":3600"#, prints: [#""token_type":"Bearer""#]),
  ]

  private static let forges =
    ["gitea", "forgejo", "codeberg"].map {
      PresetRow(
        preset: $0, variables: $0 == "codeberg" ? [:] : ["server": "git.example"],
        redirect: "http://127.0.0.1:8765/", refresh: .rotating,
        answer: #""token_type":"bearer","expires_in":3600"#)
    } + [
      // https://docs.gitlab.com/api/oauth2/
      PresetRow(
        preset: "gitlab", redirect: "http://127.0.0.1:8765/", options: ["--scope", "openid read_user"],
        issuer: "https://gitlab.com", refresh: .rotating, answer: bearer + #","created_at":1607635748"#,
        prints: [#""created_at":1607635748"#]),
      PresetRow(
        preset: "gitlab", variables: ["server": "git.example:8443/gitlab"],
        redirect: "http://127.0.0.1:8765/", options: ["--scope", "openid"],
        issuer: "https://git.example:8443/gitlab", refresh: .rotating, answer: bearer),
      PresetRow(preset: "bitbucket", client: .basic, pkce: false, refresh: .rotating, answer: bearer),
      PresetRow(
        preset: "sourcehut", asks: ["scope": "meta.sr.ht/PROFILE:RO"], client: .post, pkce: false,
        answer: #""token_type":"bearer","expires_in":31536000,"scope":"meta.sr.ht/PROFILE:RO""#),
    ]

  private static let storage = [
    // https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html
    PresetRow(
      preset: "nextcloud", variables: ["server": "cloud.example/nextcloud"],
      redirect: "http://127.0.0.1:8765/callback", client: .basic, refresh: .rotating,
      deadToken: "invalid_request", answer: bearer + #","user_id":"ann""#, prints: [#""user_id":"ann""#]),
    PresetRow(
      preset: "dropbox", asks: ["token_access_type": "offline"], refresh: .rotating,
      answer:
        #""token_type":"bearer","expires_in":14400,"uid":"12","account_id":"dbid:A""#,
      prints: [#""account_id":"dbid:A""#]),
    PresetRow(
      preset: "box", client: .post, pkce: false, refresh: .rotating,
      answer: #""token_type":"bearer","expires_in":3600,"restricted_to":[]"#),
  ]

  private static let bearer = #""token_type":"Bearer","expires_in":3600"#

  private static let identityServers = [
    PresetRow(
      preset: "adfs", variables: ["server": "fs.example"], redirect: "http://localhost:8765/",
      issuer: "https://fs.example/adfs",
      answer: #""token_type":"bearer","resource":"urn:api","expires_in":3600"#),
    PresetRow(
      preset: "auth0", variables: ["tenant": "acme.eu"], redirect: nil,
      options: ["--scope", "openid offline_access"],
      asks: ["redirect_uri": "https://acme.eu.auth0.com/mobile"], issuer: "https://acme.eu.auth0.com/",
      refresh: .rotating, answer: bearer),
    PresetRow(
      preset: "microsoft", variables: ["tenant": "aaaabbbb-0000-cccc-1111-dddd2222eeee"],
      redirect: "http://localhost:8765/", asks: ["scope": "openid offline_access"],
      callback: "&session_state=00b5",
      issuer: "https://login.microsoftonline.com/aaaabbbb-0000-cccc-1111-dddd2222eeee/v2.0",
      refresh: .rotating, answer: bearer + #","ext_expires_in":4736"#, prints: [#""ext_expires_in":4736"#]),
  ]

  /// Accounts that people have.
  private static let accounts = [
    // https://developers.google.com/identity/protocols/oauth2/native-app
    PresetRow(
      preset: "google", redirect: "http://127.0.0.1:8765/", asks: ["scope": "openid email"], client: .post,
      callback: "&scope=email%20openid&authuser=0&hd=example.com&prompt=consent",
      issuer: "https://accounts.google.com", refresh: .kept, answer: bearer),
    // https://discord.com/developers/docs/topics/oauth2
    PresetRow(
      preset: "discord", redirect: "http://127.0.0.1:8765/", asks: ["scope": "identify"],
      callback: "&iss=https%3A%2F%2Fdiscord.com", refresh: .rotating, answer: bearer,
      prints: [#""iss":"verified""#]),
    PresetRow(
      preset: "discord", redirect: "http://127.0.0.1:8765/", client: .basic, refresh: .rotating,
      answer: bearer + #","scope":"identify""#),
    // https://developer.spotify.com/documentation/web-api/tutorials/code-pkce-flow
    PresetRow(
      preset: "spotify", redirect: "http://127.0.0.1:8765/callback", options: ["--scope", "user-read-email"],
      refresh: .kept, answer: bearer + #","scope":"user-read-email""#),
    PresetRow(preset: "spotify", refresh: .rotating, answer: bearer),
    // https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
    PresetRow(
      preset: "github", redirect: "http://127.0.0.1:8765/", client: .post,
      answer: #""token_type":"bearer","scope":"repo""#),
    PresetRow(
      preset: "facebook", redirect: nil,
      asks: ["redirect_uri": "https://www.facebook.com/connect/login_success.html"], client: .post,
      answer: #""expires_in":5183999"#),
    PresetRow(preset: "linkedin", client: .post, pkce: false, answer: #""expires_in":5184000"#),
    PresetRow(
      preset: "instagram", redirect: "https://app.example/done", client: .post, pkce: false,
      answer: #""user_id":17841400000000000"#, prints: [#""user_id":17841400000000000"#]),
    PresetRow(preset: "pinterest", client: .basic, pkce: false, answer: bearer),
    // https://yandex.ru/dev/id/doc/en/codes/screen-code
    PresetRow(
      preset: "yandex", redirect: nil,
      options: ["--param", "device_id=0123456789abcdef", "--param", "device_name=Ann's laptop"],
      asks: [
        "device_id": "0123456789abcdef", "device_name": "Ann's laptop",
        "redirect_uri": "https://oauth.yandex.ru/verification_code",
      ], client: .post, refresh: .rotating, answer: bearer),
  ]

  private static let services = [
    PresetRow(
      preset: "slack", asks: ["scope": "users:read"],
      answer: #""ok":true,"token_type":"user","scope":"users:read,chat:write","authed_user":{"id":"U1"}"#,
      prints: [#""token_type":"Bearer""#, #""authed_user":{"id":"U1"}"#]),
    PresetRow(
      preset: "twitch", redirect: "http://localhost:8765/callback", client: .post, pkce: false,
      callback: "&scope=openid", issuer: "https://id.twitch.tv/oauth2", refresh: .rotating,
      answer: #""token_type":"bearer","expires_in":14124,"scope":["openid"]"#,
      prints: [#""scope":["openid"]"#]),
    PresetRow(
      preset: "zoom", client: .basic, refresh: .rotating,
      answer: #""token_type":"bearer","expires_in":3599,"scope":"user:read:user""#),
    PresetRow(
      preset: "atlassian",
      asks: ["audience": "api.atlassian.com", "prompt": "consent", "scope": "read:me offline_access"],
      client: .post, pkce: false, answer: bearer),
    PresetRow(
      preset: "notion", asks: ["owner": "user"], client: .basicAndJSON, pkce: false,
      answer: #""token_type":"bearer","bot_id":"B","workspace_id":"W","duplicated_template_id":null"#,
      prints: [#""workspace_id":"W""#]),
    PresetRow(
      preset: "salesforce", redirect: "http://localhost:8765/callback",
      answer:
        #""token_type":"Bearer","instance_url":"https://acme.my.salesforce.com","issued_at":"1790000000000""#,
      prints: [#""instance_url":"https://acme.my.salesforce.com""#]),
    PresetRow(
      preset: "strava", asks: ["approval_prompt": "auto", "scope": "read"], client: .post, pkce: false,
      callback: "&scope=read",
      answer: #""token_type":"Bearer","expires_at":1790000000,"expires_in":21600,"athlete":{"id":1}"#,
      prints: [#""athlete":{"id":1}"#, #""expires_at":"2"#]),
    PresetRow(preset: "todoist", client: .post, answer: #""token_type":"Bearer""#),
    PresetRow(
      preset: "asana", client: .post, refresh: .rotating,
      answer:
        #""token_type":"bearer","expires_in":3600,"data":{"gid":"46","name":"Ann"}"#,
      prints: [#""data":{"gid":"46","name":"Ann"}"#]),
    PresetRow(
      preset: "digitalocean", client: .post, pkce: false, refresh: .rotating,
      answer: #""token_type":"bearer","expires_in":2592000,"info":{"uuid":"u"}"#,
      prints: [#""info":{"uuid":"u"}"#]),
    PresetRow(
      preset: "mastodon", variables: ["server": "social.example"], client: .post,
      answer: #""token_type":"Bearer","scope":"read","created_at":1790000000"#),
    PresetRow(
      preset: "matrix", variables: ["device": "ABCDEFGHIJ"],
      asks: ["scope": "urn:matrix:client:api:* urn:matrix:client:device:ABCDEFGHIJ"],
      callback: "&iss=https%3A%2F%2Faccount.matrix.org%2F", refresh: .rotating,
      answer: #""token_type":"Bearer","expires_in":299"#, prints: [#""iss":"verified""#]),
    PresetRow(
      preset: "openstreetmap", asks: ["scope": "read_prefs"],
      answer: #""token_type":"Bearer","scope":"read_prefs","created_at":1790000000"#),
    PresetRow(preset: "lichess", answer: #""token_type":"Bearer","expires_in":31536000"#),
    PresetRow(
      preset: "x", asks: ["scope": "tweet.read users.read offline.access"], refresh: .rotating,
      answer: #""token_type":"bearer","expires_in":7200"#),
    PresetRow(preset: "huggingface", issuer: "https://huggingface.co", answer: bearer),
  ]
}
