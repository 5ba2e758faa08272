import LoginCore
import LoginWays

/// The options of the command line: their long names.
enum Option: String, CaseIterable, Sendable {
  case provider
  case clientID = "client-id"
  case clientSecretFile = "client-secret-file"
  case clientAuthentication = "client-authentication"
  case redirectURI = "redirect-uri"
  case variable = "var"
  case issuer
  case authorizationEndpoint = "authorization-endpoint"
  case tokenEndpoint = "token-endpoint"
  case userinfoEndpoint = "userinfo-endpoint"
  case revocationEndpoint = "revocation-endpoint"
  case introspectionEndpoint = "introspection-endpoint"
  case registrationEndpoint = "registration-endpoint"
  case endSessionEndpoint = "end-session-endpoint"
  case deviceAuthorizationEndpoint = "device-authorization-endpoint"
  case pushedAuthorizationRequestEndpoint = "pushed-authorization-request-endpoint"
  case keySet = "jwks-uri"

  case grant
  case responseType = "response-type"
  case responseMode = "response-mode"
  case scope
  case parameter = "param"
  case tokenParameter = "token-param"
  case header
  case resource
  case authorizationDetails = "authorization-details"
  case loginHint = "login-hint"
  case passwordFile = "password-file"
  case prompt
  case maxAge = "max-age"
  case withoutState = "without-state"
  case dpop
  case request
  case tokenFile = "token-file"

  case method
  case data
  case allowOrigin = "allow-origin"
  case clientName = "client-name"
  case initialAccessTokenFile = "initial-access-token-file"

  case account
  case origins = "for"
  case store
  case minValid = "min-valid"
  case noWait = "no-wait"
  case introspect
  case check
  case lines
  case accessToken = "access-token"
  case forget
  case force

  case url
  case agent
  case browser
  case registerScheme = "register-scheme"
  case timeout
  case session
  case silent
  case parent
  case title
  case application
  case windowSize = "window-size"
  case noClose = "no-close"
  case rendering
  case trust

  case output
  case verbose
  case trace

  case headlessTest = "headless-test"
  case navigations
  case form
  case state
  case nonce
  case codeVerifier = "code-verifier"

  case help
  case version
  case json
}

extension Option {
  /// What follows an option.
  enum Value {
    case none
    case text(String)
    case seconds
    case choice([String])
    /// A name and a value in this shape, any number of times.
    case pair(_ shape: String = "NAME=VALUE")
    /// A text, any number of times.
    case texts(String)

    /// One of the names that a type knows, or this one.
    static func oneOf<Choice: CaseIterable & RawRepresentable<String>>(
      _ type: Choice.Type, or other: String? = nil
    ) -> Value { .choice([other].compactMap(\.self) + type.allCases.map(\.rawValue)) }
  }

  /// What follows it, and what the help says.
  private var entry: (value: Value, help: String) {
    switch self {
    case .provider: (.text("NAME|FILE"), "a preset: a name, or a file; see `tokentry providers`")
    case .clientID: (.text("ID"), "the identifier that the provider gave your application")
    case .clientSecretFile: (.text("FILE"), "a file with the client's secret, readable by you alone")
    case .clientAuthentication: (.oneOf(ClientAuthentication.self), "how the secret is sent")
    case .redirectURI: (.text("URI"), "where the provider sends the answer, as registered")
    case .variable: (.pair(), "a variable of the preset, such as tenant=acme")
    case .issuer: (.text("URL"), "the provider's identifier, which leads to its metadata")
    case .authorizationEndpoint: (.text("URL"), "where the user signs in")
    case .tokenEndpoint: (.text("URL"), "where codes become tokens")
    case .userinfoEndpoint: (.text("URL"), "where the provider says who signed in")
    case .revocationEndpoint: (.text("URL"), "where tokens are revoked")
    case .introspectionEndpoint: (.text("URL"), "where tokens are looked up")
    case .registrationEndpoint: (.text("URL"), "where clients are registered")
    case .endSessionEndpoint: (.text("URL"), "where the provider's session is ended")
    case .deviceAuthorizationEndpoint: (.text("URL"), "where device codes are issued")
    case .pushedAuthorizationRequestEndpoint: (.text("URL"), "where requests are pushed to")
    case .keySet: (.text("URL"), "the provider's keys")
    case .grant: (.oneOf(GrantType.self), "how to get the token (default: code)")
    case .responseType: (.text("TYPE"), "what is asked for, such as code or token")
    case .responseMode: (.oneOf(ResponseMode.self), "where in the callback the answer comes")
    case .scope: (.text("SCOPE"), "what the token may be used for")
    case .parameter: (.pair(), "a further parameter of the request")
    case .tokenParameter: (.pair(), "a further parameter of token requests")
    case .header: (.pair(), "a further header field; NAME: VALUE works, too")
    case .resource: (.texts("URI"), "the API the token is for; alone it finds the rest")
    case .authorizationDetails: (.text("FILE"), "what exactly is asked for, as JSON (RFC 9396)")
    case .loginHint: (.text("USER"), "who is going to sign in")
    case .passwordFile: (.text("FILE"), "a file with the password, for --grant password")
    case .prompt: (.text("PROMPT"), "what the provider should ask again: login, consent, …")
    case .maxAge: (.seconds, "how long ago the user may have signed in")
    case .withoutState: (.none, "send no state: only for a code with PKCE")
    case .dpop: (.none, "bind the token to a key that is made for it (RFC 9449)")
    case .request: (.text("FILE|-"), "read these options from a JSON object, secrets included")
    case .tokenFile: (.text("FILE|-"), "a token as login printed it, to be used or renewed")
    case .method: (.text("METHOD"), "the request method (default: GET; POST with --data)")
    case .data: (.text("TEXT|@FILE|@-"), "the body: a text, a file, or standard input")
    case .allowOrigin: (.texts("ORIGIN"), "a server that may have the token, besides the preset's")
    case .clientName: (.text("TEXT"), "the name of a new client (default: Tokentry)")
    case .initialAccessTokenFile: (.text("FILE"), "a file with the token that registering takes, if any")
    case .account: (.text("NAME"), "the name under which the token is kept")
    case .origins: (.texts("ORIGIN"), "a server the account is for (default: the preset's)")
    case .accessToken: (.none, "hand out the access token in place of the id_token")
    case .store: (.text("keyring|file:PATH"), "where accounts are kept (default: the keyring)")
    case .minValid: (.seconds, "how long the token must stay valid (default: 60)")
    case .noWait: (.none, "end at once if another program is using the account")
    case .introspect: (.none, "ask about the token itself (RFC 7662)")
    case .check: (.none, "try the token at the address before it is handed out")
    case .lines: (.none, "print header fields in lines, as curl -H @- reads them")
    case .forget: (.none, "forget the client, after the provider has deleted it")
    case .force: (.none, "forget it even if the provider cannot be told")
    case .url: (.text("URL"), "the page to open")
    case .agent: (.oneOf(Way.self, or: "auto"), "the way to the user")
    case .browser: (.text("COMMAND"), "the command that opens a page; the URL replaces %s, or comes last")
    case .registerScheme: (.none, "let the browser bring the answer to a private scheme")
    case .timeout: (.seconds, "how long to wait (default: 300; 0: for ever)")
    case .session: (.text("NAME"), "the name to keep cookies under; else none are kept")
    case .silent: (.none, "ask nobody: end with status 8 if the user is needed")
    case .parent: (.text("x11:XID|wayland:HANDLE"), "the window of yours that the login belongs to")
    case .application: (.text("NAME"), "your application's name, which the user is shown")
    case .title: (.text("TEXT"), "the window's title (default: the provider's name)")
    case .windowSize: (.text("WIDTHxHEIGHT"), "the window's size: as the user left the last one")
    case .noClose: (.none, "give the user no way to close the window")
    case .rendering:
      (.oneOf(Rendering.self, or: "auto"), "how the window draws its pages; auto finds out what works")
    case .trust: (.pair("HOST=CERT.pem"), "trust this one certificate for this host")
    case .output: (.oneOf(OutputFormat.self), "the shape of the answer (default: json)")
    case .verbose: (.none, "say what happens, on standard error")
    case .trace: (.none, "say it for every navigation, without secrets")
    case .headlessTest: (.none, "no display and no user: for tests")
    case .navigations: (.text("FILE|-"), "the URIs that a web view would be asked to allow")
    case .form: (.pair(), "what a form of a page is filled with: NAME=VALUE or NAME=@FILE")
    case .state: (.text("VALUE"), "this state in place of a random one")
    case .nonce: (.text("VALUE"), "this nonce in place of a random one")
    case .codeVerifier: (.text("VALUE"), "this code verifier in place of a random one")
    case .help: (.none, "this text")
    case .version: (.none, "the version; with --json also that of the contract")
    case .json: (.none, "JSON in place of a text: of --version, or at a terminal")
    }
  }

  var value: Value { entry.value }
  var help: String { entry.help }

  var endpoint: EndpointName? {
    EndpointName(rawValue: rawValue.replacingAll("-", with: "_"))
  }

  /// The letter of its short form.
  var letter: Character? {
    switch self {
    case .verbose: "v"
    case .help: "h"
    case .method: "X"
    case .header: "H"
    case .data: "d"
    default: nil
    }
  }

  /// The option as it is typed.
  var flag: String { "--\(rawValue)" }

  /// The member of a request document.
  var member: String { rawValue.replacingAll("-", with: "_") }

  /// The option that sets a parameter of the request.
  static func setting(parameter: String) -> Option? {
    allCases.first { $0.member == parameter }
  }

  /// Whether it may be given more than once.
  var isRepeatable: Bool {
    switch value {
    case .pair, .texts: true
    default: false
    }
  }
}
