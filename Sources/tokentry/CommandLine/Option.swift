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
  case header
  case resource
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
  case store
  case minValid = "min-valid"
  case noWait = "no-wait"
  case introspect
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
    /// `NAME=VALUE`, any number of times.
    case pair
    /// A text, any number of times.
    case texts(String)
  }

  var value: Value {
    switch self {
    case .provider: .text("NAME|FILE")
    case .clientID: .text("ID")
    case .clientSecretFile, .passwordFile, .initialAccessTokenFile: .text("FILE")
    case .clientAuthentication: .choice(ClientAuthentication.allCases.map(\.rawValue))
    case .redirectURI: .text("URI")
    case .variable, .parameter, .header, .form, .trust: .pair
    case .grant: .choice(GrantType.allCases.map(\.rawValue))
    case .responseType: .text("TYPE")
    case .responseMode: .choice(ResponseMode.allCases.map(\.rawValue))
    case .scope: .text("SCOPE")
    case .resource: .texts("URI")
    case .allowOrigin: .texts("ORIGIN")
    case .method: .text("METHOD")
    case .data: .text("TEXT|@FILE|@-")
    case .loginHint: .text("USER")
    case .prompt: .text("PROMPT")
    case .account: .text("NAME")
    case .store: .text("keyring|file:PATH")
    case .maxAge, .minValid, .timeout: .seconds
    case .withoutState, .dpop, .registerScheme, .forget, .force, .verbose, .trace, .headlessTest, .silent,
      .noWait, .introspect, .noClose, .help, .version, .json:
      .none
    case .request, .tokenFile, .navigations: .text("FILE|-")
    case .browser: .text("COMMAND")
    case .agent: .choice(["auto"] + Way.allCases.map(\.rawValue))
    case .rendering: .choice(["auto"] + Rendering.allCases.map(\.rawValue))
    case .output: .choice(OutputFormat.allCases.map(\.rawValue))
    case .state, .nonce, .codeVerifier: .text("VALUE")
    case .session: .text("NAME")
    case .parent: .text("x11:XID|wayland:HANDLE")
    case .title, .clientName: .text("TEXT")
    default: .text("URL")
    }
  }

  /// The endpoint that the option sets.
  var endpoint: EndpointName? {
    EndpointName(rawValue: rawValue.replacingAll("-", with: "_"))
  }

  /// What the help says.
  var help: String {
    switch self {
    case .provider: "a preset: its name, or a file (see `tokentry providers`)"
    case .clientID: "what the provider gave to your application"
    case .clientSecretFile: "a file with the client's secret, readable by you alone"
    case .clientAuthentication: "how the secret is sent"
    case .redirectURI: "where the provider sends the answer, as registered"
    case .variable: "a variable of the preset, such as tenant=acme"
    case .issuer: "the provider's identifier, held against `iss`"
    case .authorizationEndpoint: "where the user signs in"
    case .tokenEndpoint: "where codes become tokens"
    case .userinfoEndpoint: "where the provider says who signed in"
    case .revocationEndpoint: "where tokens are revoked"
    case .introspectionEndpoint: "where tokens are looked up"
    case .registrationEndpoint: "where clients are registered"
    case .endSessionEndpoint: "where the provider's session is ended"
    case .deviceAuthorizationEndpoint: "where device codes are issued"
    case .pushedAuthorizationRequestEndpoint: "where requests are pushed to"
    case .keySet: "the provider's keys"
    case .clientName: "what people call a client that is registered: Tokentry"
    case .initialAccessTokenFile: "a file with what the provider wants of new clients"
    case .forget: "forget the client, after the provider has deleted it"
    case .force: "forget it even if the provider cannot be told"
    case .account: "the name under which the token is kept"
    case .store: "where accounts are kept: the desktop's keyring, or a folder"
    case .minValid: "how long the token must be good for: 60"
    case .noWait: "end at once if another program is at the account"
    case .introspect: "ask about the token itself (RFC 7662)"
    case .url: "the page to open"
    case .grant: "how the token is got: code"
    case .responseType: "what is asked for, such as code or token"
    case .responseMode: "where in the callback the answer is"
    case .scope: "what the token shall be good for"
    case .parameter: "a further parameter of the request"
    case .header: "a further header field; NAME: VALUE will do as well"
    case .method: "what is to be done: GET, or POST with --data"
    case .data: "what is sent along: a text, a file, or standard input"
    case .allowOrigin: "a server that may have the token, besides the preset's"
    case .resource: "the API the token is for (RFC 8707)"
    case .loginHint: "who is going to sign in"
    case .passwordFile: "a file with the password, for --grant password"
    case .prompt: "what the provider shall ask again: login, consent, …"
    case .maxAge: "how long ago the user may have signed in"
    case .withoutState: "send no state: only for a code with PKCE"
    case .dpop: "bind the token to a key that is made for it (RFC 9449)"
    case .request: "read these options from a JSON object, secrets included"
    case .tokenFile: "a token as login printed it, to be used or renewed"
    case .agent: "the way to the user"
    case .browser: "what opens a page; its address comes last, or at %s"
    case .registerScheme: "let the browser bring the answer to a private scheme"
    case .trust: "the one certificate for a host: HOST=CERT.pem"
    case .timeout: "how long to wait for the user: 300; 0 is for ever"
    case .session: "the name to keep cookies under; else none are kept"
    case .silent: "ask nobody: end with status 8 if the user is needed"
    case .parent: "the window of yours that the login belongs to"
    case .title: "the window's title: the provider's name"
    case .noClose: "give the user no way to close the window"
    case .rendering: "how the window draws its pages; auto finds out what works"
    case .output: "the shape of the answer: json"
    case .verbose: "say what happens, on standard error"
    case .trace: "say it for every navigation, without secrets"
    case .headlessTest: "no display and no user: for tests"
    case .navigations: "the URIs that a web view would be asked to allow"
    case .form: "what a form of a page is filled with: NAME=VALUE or NAME=@FILE"
    case .state: "this state in place of a random one"
    case .nonce: "this nonce in place of a random one"
    case .codeVerifier: "this code verifier in place of a random one"
    case .help: "this text"
    case .version: "the version; with --json also that of the contract"
    case .json: "print --version as JSON"
    }
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
