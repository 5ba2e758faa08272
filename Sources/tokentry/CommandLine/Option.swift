import LoginCore
import WindowProtocol

/// The options of the command line, by their long names.
enum Option: String, CaseIterable, Sendable {
  case provider
  case clientID = "client-id"
  case clientSecretFile = "client-secret-file"
  case clientKeyFile = "client-key-file"
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
  case ifNeeded = "if-needed"
  case introspect
  case check
  case lines
  case accessToken = "access-token"
  case forget
  case force
  case socket
  case ask
  case idle

  case url
  case cookie
  case responseHeader = "response-header"
  case post
  case realm
  case trustedCertificate = "trusted-cert"
  case vpnProtocol = "protocol"
  case authenticate
  case agent
  case browser
  case noBrowser = "no-browser"
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
  case clientCertificate = "client-certificate"
  case clientKey = "client-key"
  case clientCertificateHost = "client-certificate-host"
  case negotiate

  case output
  case file
  case once
  case verbose
  case trace

  case headlessTest = "headless-test"
  case navigations
  case form
  case serve
  case state
  case nonce
  case codeVerifier = "code-verifier"

  case help
  case version
  case json
}

extension Option {
  /// The kind of value that follows an option.
  enum Value {
    case none
    case text(String)
    case seconds
    case choice([String])
    /// A name and a value in this shape. The option may be repeated.
    case pair(_ shape: String = "NAME=VALUE")
    /// A text. The option may be repeated.
    case texts(String)

    /// One of the cases of a type, or another word.
    static func oneOf<Choice: CaseIterable & RawRepresentable<String>>(
      _ type: Choice.Type, or other: String? = nil
    ) -> Value { .choice([other].compactMap(\.self) + type.allCases.map(\.rawValue)) }
  }

  /// The kind of value, and the help.
  private var entry: (value: Value, help: String) {
    switch self {
    case .provider: (.text("NAME|FILE"), "a preset: a name or a file; see `tokentry providers`")
    case .clientID: (.text("ID"), "the identifier that the provider gave your application")
    case .clientSecretFile: (.text("FILE"), "a file with the client's secret, readable by you alone")
    case .clientKeyFile: (.text("FILE"), "the client's private key (RFC 7523), as PEM or JWK")
    case .clientAuthentication: (.oneOf(ClientAuthentication.self), "how the client authenticates")
    case .redirectURI: (.text("URI"), "where the provider sends the answer, as registered")
    case .variable: (.pair(), "a variable of the preset, such as tenant=acme")
    case .issuer: (.text("URL"), "the provider's identifier, which leads to its metadata")
    case .authorizationEndpoint: (.text("URL"), "where the user signs in")
    case .tokenEndpoint: (.text("URL"), "where codes are exchanged for tokens")
    case .userinfoEndpoint: (.text("URL"), "where the provider says who signed in")
    case .revocationEndpoint: (.text("URL"), "where tokens are revoked")
    case .introspectionEndpoint: (.text("URL"), "where tokens are looked up")
    case .registrationEndpoint: (.text("URL"), "where clients are registered")
    case .endSessionEndpoint: (.text("URL"), "where the provider's session is ended")
    case .deviceAuthorizationEndpoint: (.text("URL"), "where device codes are issued")
    case .pushedAuthorizationRequestEndpoint: (.text("URL"), "where requests are pushed")
    case .keySet: (.text("URL"), "the provider's keys")
    case .grant: (.oneOf(GrantType.self), "how to get the token (default: code)")
    case .responseType: (.text("TYPE"), "what to request, such as code or token")
    case .responseMode: (.oneOf(ResponseMode.self), "which part of the callback holds the answer")
    case .scope: (.text("SCOPE"), "what the token may be used for")
    case .parameter: (.pair(), "an extra parameter of the request")
    case .tokenParameter: (.pair(), "an extra parameter of token requests")
    case .header: (.pair(), "an extra header field; NAME: VALUE works, too")
    case .resource: (.texts("URI"), "the API the token is for; it can name its provider")
    case .authorizationDetails: (.text("FILE"), "the exact permissions, as JSON (RFC 9396)")
    case .loginHint: (.text("USER"), "the user who signs in")
    case .passwordFile: (.text("FILE"), "a file with the password, for --grant password")
    case .prompt: (.text("PROMPT"), "what to ask for again: login, consent, …")
    case .maxAge: (.seconds, "how long ago the user may have signed in")
    case .withoutState: (.none, "send no state: only for a code with PKCE")
    case .dpop: (.none, "bind the token to a new key (RFC 9449)")
    case .request: (.text("FILE|-"), "read these options from a JSON object, secrets included")
    case .tokenFile: (.text("FILE|-"), "the output of login, to use or refresh its token")
    case .method: (.text("METHOD"), "the request method (default: GET; POST with --data)")
    case .data: (.text("TEXT|@FILE|@-"), "the body: a text, a file, or standard input")
    case .allowOrigin: (.texts("ORIGIN"), "a server that may have the token, besides the preset's")
    case .clientName: (.text("TEXT"), "the name of a new client (default: Tokentry)")
    case .initialAccessTokenFile: (.text("FILE"), "a file with the token that registration requires")
    case .account: (.texts("NAME"), "the name of the kept account")
    case .origins: (.texts("ORIGIN"), "a server the account is for (default: the preset's)")
    case .accessToken: (.none, "print the access token instead of the id_token")
    case .store: (.text("keyring|file:PATH|agent:PATH"), "where accounts are kept (default: the keyring)")
    case .minValid: (.seconds, "how long it must stay valid (default: 60; keep: 300)")
    case .noWait: (.none, "fail at once if another program uses the account")
    case .ifNeeded: (.none, "ask the user only if no kept token will do")
    case .introspect: (.none, "ask about the token itself (RFC 7662)")
    case .check: (.none, "try the token at the address before printing it")
    case .lines: (.none, "print header fields in lines, as curl -H @- reads them")
    case .forget: (.none, "forget the client, after the provider has deleted it")
    case .force: (.none, "forget it even if the provider does not confirm")
    case .socket: (.text("PATH"), "where to listen (default: agent.sock in the runtime folder)")
    case .ask: (.oneOf(Permissions.Policy.self), "when to ask before a token is given (default: new)")
    case .idle: (.seconds, "end when there was no connection for so long (default: 0, never)")
    case .url: (.text("URL"), "the page to open")
    case .cookie: (.texts("NAME"), "print this cookie of the page at the end")
    case .responseHeader: (.texts("NAME"), "print this header field of the page at the end")
    case .post: (.text("FILE"), "a form to send to the page, or a page that sends one")
    case .realm: (.text("REALM"), "the gateway's realm")
    case .trustedCertificate: (.text("SHA256"), "trust the gateway's certificate with this fingerprint")
    case .vpnProtocol:
      (.oneOf(OpenConnectHelper.GatewayProtocol.self), "the gateway's protocol (default: anyconnect)")
    case .authenticate: (.none, "print all that openconnect --authenticate prints")
    case .agent: (.oneOf(AgentKind.self, or: "auto"), "the way to the user")
    case .browser: (.text("COMMAND"), "the command that opens a page; the URL replaces %s, or comes last")
    case .noBrowser: (.none, "never open a browser, and do not offer one")
    case .registerScheme: (.none, "let the browser bring the answer to a private scheme")
    case .timeout: (.seconds, "how long to wait (default: 300; 0: no limit)")
    case .session: (.text("NAME"), "keep cookies under this name (default: keep none)")
    case .silent: (.none, "never ask; end with status 8 if the user is needed")
    case .parent: (.text("x11:XID|wayland:HANDLE"), "your window, in front of which the login opens")
    case .application: (.text("NAME"), "your application's name, which the user sees")
    case .title: (.text("TEXT"), "the window's title (default: the provider's name)")
    case .windowSize: (.text("WIDTHxHEIGHT"), "the window's size (default: that of the last one)")
    case .noClose: (.none, "do not let the user close the window")
    case .rendering:
      (.oneOf(Rendering.self, or: "auto"), "how the window draws pages; auto picks what works")
    case .trust: (.pair("HOST=CERT.pem"), "trust this one certificate for this host")
    case .clientCertificate: (.texts("FILE|pkcs11:URI"), "your certificate, for servers that ask for one")
    case .clientKey: (.text("FILE"), "the certificate's key, if it is in a file of its own")
    case .clientCertificateHost: (.texts("HOST"), "a host that may ask for it (default: the first page's)")
    case .negotiate: (.texts("HOST"), "a host that may ask for a Kerberos ticket")
    case .output: (.oneOf(OutputFormat.self), "the format of the answer (default: json; keep: token)")
    case .file: (.text("FILE"), "the file for the token, which only you can read")
    case .once: (.none, "write the file once, and end")
    case .verbose: (.none, "report progress on standard error")
    case .trace: (.none, "report every navigation, without secrets")
    case .headlessTest: (.none, "for tests: no display and no user")
    case .navigations: (.text("FILE|-"), "the URIs that a web view would be asked to allow")
    case .form: (.pair(), "a value for forms on pages: NAME=VALUE or NAME=@FILE")
    case .serve: (.none, "keep the provider running, for programs under development")
    case .state: (.text("VALUE"), "this state instead of a random one")
    case .nonce: (.text("VALUE"), "this nonce instead of a random one")
    case .codeVerifier: (.text("VALUE"), "this code verifier instead of a random one")
    case .help: (.none, "this text")
    case .version: (.none, "the version; with --json also that of the contract")
    case .json: (.none, "JSON instead of text: with --version, or at a terminal")
    }
  }

  var value: Value { entry.value }
  var help: String { entry.help }

  /// The endpoint whose address the option sets.
  var endpoint: EndpointName? {
    EndpointName(rawValue: rawValue.replacingAll("-", with: "_"))
  }

  /// The letter of the short form.
  var letter: Character? {
    switch self {
    case .verbose: "v"
    case .help: "h"
    case .version: "V"
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

  /// Returns the option that sets a parameter of the request.
  static func setting(parameter: String) -> Option? {
    allCases.first { $0.member == parameter }
  }

  /// True if the option may be given more than once.
  var isRepeatable: Bool {
    switch value {
    case .pair, .texts: true
    default: false
    }
  }
}

/// The groups of options in the help.
enum OptionGroup: String, CaseIterable {
  case provider = "Provider and client"
  case request = "Request"
  case api = "Request of an API"
  case registration = "Registration"
  case account = "Accounts"
  case user = "User"
  case result = "Result"
  case testing = "Testing"
  case general = "General"

  /// The options of commands that ask the user to sign in only if they have to.
  static let asking: [Option] =
    [
      .silent, .agent, .browser, .noBrowser, .timeout, .session, .parent, .title, .application, .windowSize,
      .noClose, .rendering, .trust, .headlessTest, .navigations, .form,
    ] + identity

  /// The options about who the user is below HTTP.
  static let identity: [Option] = [.clientCertificate, .clientKey, .clientCertificateHost, .negotiate]

  /// The options that only a window can obey, since a browser hands neither cookies nor header fields back.
  static let windowOnly: [Option] = [.cookie, .responseHeader, .post]

  /// Options that few logins need. The help of a command names them without an explanation.
  static let rare: Set<Option> = Set(
    Option.allCases.filter { $0.endpoint != nil } + [
      .clientKeyFile, .clientAuthentication, .keySet, .responseType, .responseMode, .header, .passwordFile,
      .maxAge,
      .withoutState, .dpop, .loginHint, .prompt, .tokenFile, .parameter, .tokenParameter,
      .authorizationDetails, .silent, .session, .clientName, .initialAccessTokenFile, .noWait, .ifNeeded,
      .responseHeader, .post, .url, .realm, .trustedCertificate, .vpnProtocol, .authenticate, .lines,
      .browser,
      .noBrowser, .registerScheme, .parent, .title, .windowSize, .noClose, .rendering, .trust, .trace,
      .navigations,
      .form, .state,
      .nonce, .codeVerifier,
    ] + identity)

  var options: [Option] {
    switch self {
    case .provider:
      [
        .provider, .clientID, .clientSecretFile, .clientKeyFile, .clientAuthentication, .redirectURI,
        .variable, .issuer,
      ]
        + Option.allCases.filter { $0.endpoint != nil }
    case .request:
      [
        .grant, .responseType, .responseMode, .scope, .parameter, .tokenParameter, .header, .resource,
        .authorizationDetails, .loginHint, .passwordFile, .prompt, .maxAge, .withoutState, .dpop, .request,
        .tokenFile,
      ]
    case .api: [.method, .data, .allowOrigin]
    case .registration: [.clientName, .initialAccessTokenFile]
    case .account:
      [
        .account, .ifNeeded, .origins, .store, .minValid, .noWait, .accessToken, .introspect, .check, .forget,
        .force, .socket, .ask, .idle,
      ]
    case .user:
      [
        .url, .cookie, .responseHeader, .post, .realm, .trustedCertificate, .vpnProtocol, .authenticate,
        .agent,
        .browser, .noBrowser, .registerScheme, .timeout,
        .session, .silent, .parent, .title,
        .application,
        .windowSize, .noClose, .rendering, .trust,
      ] + Self.identity
    case .result: [.output, .lines, .file, .once, .verbose, .trace]
    case .testing: [.headlessTest, .navigations, .form, .serve, .state, .nonce, .codeVerifier]
    case .general: [.help, .version, .json]
    }
  }
}
