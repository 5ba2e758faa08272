import LoginCore
import SignIn
import WindowProtocol

/// An option of the command line, or a member that only the document of `--options` has. Each is one row in a table below;
/// help, completion, the document and its schema read the rows.
struct Option: Sendable, Equatable {
  /// The name, with hyphens for an option of the command line and underscores for a member of the document.
  let name: String
  let value: Value
  let help: String
  var letter: Character?
  /// True if only the document has it.
  var isMemberOnly = false

  /// The kind of value that follows an option.
  enum Value: Sendable {
    case none
    /// No value, but the option may be repeated for more of it.
    case level
    case text(String)
    case seconds
    /// One of these words, which the help calls by a name.
    case choice(String, [String])
    /// A name and a value in this shape. The option may be repeated.
    case pair(_ shape: String = "NAME=VALUE")
    /// A text. The option may be repeated.
    case texts(String)

    /// One of the cases of a type, or another word.
    static func oneOf<Choice: CaseIterable & RawRepresentable<String>>(
      _ type: Choice.Type, called name: String, or other: String? = nil
    ) -> Value { .choice(name, [other].compactMap(\.self) + type.allCases.map(\.rawValue)) }
  }

  init(_ name: String, _ value: Value, _ help: String, letter: Character? = nil) {
    (self.name, self.value, self.help, self.letter) = (name, value, help, letter)
  }

  init(member: String, _ value: Value, _ help: String) {
    (name, self.value, self.help, isMemberOnly) = (member, value, help, true)
  }

  static func == (one: Option, other: Option) -> Bool { one.name == other.name }

  /// The option as it is typed, or the name of the member.
  var flag: String { isMemberOnly ? name : "--\(name)" }

  /// The member of the document.
  var member: String { name.replacingAll("-", with: "_") }

  /// True if the option may be given more than once.
  var isRepeatable: Bool {
    switch value {
    case .pair, .texts, .level: true
    default: false
    }
  }
}

/// A table of options, with its heading in the help.
struct OptionGroup: Sendable {
  let heading: String
  let options: [Option]

  static let all = [
    provider, request, account, user, result, api, page, keeping, agent, testing, general, members,
  ]
  static let provider = OptionGroup(
    heading: "Provider and client",
    options: [
      .provider, .issuer, .clientID, .clientSecretFile, .clientKeyFile, .redirectURI, .variable, .endpoint,
    ])
  static let request = OptionGroup(
    heading: "The login",
    options: [
      .scope, .resource, .grant, .loginHint, .parameter, .header, .dpop, .tokenFile, .state, .options,
    ])
  static let account = OptionGroup(
    heading: "Account", options: [.account, .ifNeeded, .minValid, .origins, .store, .noWait, .force])
  static let user = OptionGroup(
    heading: "The user",
    options: [
      .way, .browser, .noBrowser, .registerScheme, .kiosk, .timeout, .silent, .session, .application,
      .parent, .trust, .clientCertificate, .negotiate,
    ])
  static let result = OptionGroup(heading: "Result", options: [.output, .verbose])
  static let api = OptionGroup(heading: "The API", options: [.method, .data, .allowOrigin])
  static let page = OptionGroup(heading: "Page", options: [.url, .cookie, .responseHeader, .post])
  static let keeping = OptionGroup(heading: "Token in a file", options: [.file, .once])
  static let agent = OptionGroup(heading: "Service", options: [.socket, .ask, .open, .serve])
  static let testing = OptionGroup(heading: "Tests", options: [.headlessTest, .form, .navigations])
  static let general = OptionGroup(heading: "General", options: [.help, .version])
  static let members = OptionGroup(
    heading: "Only in the document of --options",
    options: [
      .responseType, .responseMode, .clientAuthentication, .initialAccessToken, .password, .prompt, .maxAge,
      .authorizationDetails, .tokenParameter, .withoutState, .nonce, .codeVerifier, .title, .windowSize,
    ])
}

extension Option {
  static let all = OptionGroup.all.flatMap(\.options)

  static let provider = Option("provider", .text("NAME|FILE"), "a preset (`tokentry providers`), or its file")
  static let issuer = Option("issuer", .text("URL"), "the provider, if it publishes its metadata")
  static let clientID = Option("client-id", .text("ID"), "the name that the provider gave your application")
  static let clientSecretFile = Option(
    "client-secret-file", .text("FILE"), "a file with the client's secret, yours alone")
  static let clientKeyFile = Option(
    "client-key-file", .text("FILE"), "the client's private key, as PEM or JWK (RFC 7523)")
  static let redirectURI = Option("redirect-uri", .text("URI"), "where the answer goes, as registered")
  static let variable = Option("var", .pair(), "a variable of the preset, such as tenant=acme")
  static let endpoint = Option(
    "endpoint", .pair("NAME=URL"), "an address of the provider: token=https://…")

  static let scope = Option("scope", .text("SCOPE"), "permissions to ask for, separated by spaces")
  static let resource = Option("resource", .texts("URI"), "the token's API, which can name its provider")
  static let grant = Option(
    "grant", .oneOf(GrantType.self, called: "GRANT"), "how to get the token, such as code or device")
  static let loginHint = Option("login-hint", .text("USER"), "the user's name or e-mail, filled in for them")
  static let parameter = Option("param", .pair(), "an extra parameter of the request")
  static let header = Option(
    "header", .pair(), "an extra header field; NAME: VALUE works, too", letter: "H")
  static let dpop = Option("dpop", .none, "bind the token to a new key (RFC 9449)")
  static let tokenFile = Option("token-file", .text("FILE|-"), "the output of login, to use or refresh")
  static let state = Option("state", .text("VALUE"), "this state instead of a random one, for tests")
  static let options = Option("options", .text("FILE|-"), "options, secrets and rare wishes as JSON")

  static let account = Option("account", .texts("NAME"), "the saved account")
  static let ifNeeded = Option("if-needed", .none, "ask the user only if no saved token works")
  static let minValid = Option("min-valid", .seconds, "how long it must stay valid")
  static let origins = Option("for", .texts("ORIGIN"), "a server for the account (or the preset's)")
  static let store = Option("store", .text("PLACE"), "keyring, file:PATH or agent:PATH")
  static let noWait = Option("no-wait", .none, "fail at once if others use the account")
  static let force = Option("force", .none, "forget it even if the provider refuses")

  static let way = Option(
    "way", .oneOf(AgentKind.self, called: "WAY", or: "auto"), "window, browser, device, paste, or auto")
  static let browser = Option("browser", .text("COMMAND"), "opens the page; its URL replaces %s or follows")
  static let noBrowser = Option("no-browser", .none, "print the address, or a code for another device")
  static let registerScheme = Option("register-scheme", .none, "let a browser answer to a private scheme")
  static let kiosk = Option("kiosk", .none, "a window that stays, without a way to a browser")
  static let timeout = Option("timeout", .seconds, "how long to wait; 0: no limit (not given: 300)")
  static let silent = Option("silent", .none, "never ask; status 8 if the user is needed")
  static let session = Option("session", .text("NAME"), "keep cookies under this name")
  static let application = Option("application", .text("NAME"), "your application's name, for the user")
  static let parent = Option("parent", .text("WINDOW"), "your window: x11:XID or wayland:HANDLE")
  static let trust = Option("trust", .pair("HOST=FILE"), "the host's certificate, or its sha256:HEX")
  static let clientCertificate = Option(
    "client-certificate", .texts("FILE"), "yours, with its key; HOST=FILE, pkcs11:URI")
  static let negotiate = Option("negotiate", .texts("HOST"), "a host that may ask for a Kerberos ticket")

  static let output = Option(
    "output", .oneOf(OutputFormat.self, called: "FORMAT"), "json, token, id_token, header, env, xoauth2",
    letter: "o")
  static let verbose = Option("verbose", .level, "report progress; -vv: each request", letter: "v")

  static let method = Option("method", .text("METHOD"), "GET, or POST with --data, if not given", letter: "X")
  static let data = Option("data", .text("TEXT|@FILE|@-"), "the body: a text, or a file", letter: "d")
  static let allowOrigin = Option("allow-origin", .texts("ORIGIN"), "a server that may have the token, too")

  static let url = Option("url", .text("URL"), "the page to open")
  static let cookie = Option("cookie", .texts("NAME"), "print this cookie of the last page")
  static let responseHeader = Option("response-header", .texts("NAME"), "print this field of the last page")
  static let post = Option("post", .text("FILE"), "a form for the page, or a page that sends one")

  static let file = Option("file", .text("FILE"), "the file for the token, yours alone")
  static let once = Option("once", .none, "write the file once, and end")

  static let socket = Option("socket", .text("PATH"), "where to listen")
  static let ask = Option(
    "ask", .oneOf(Permissions.Policy.self, called: "WHEN"), "never, new (if not given) or always")
  static let open = Option("open", .none, "open pages for programs although --ask is never")
  static let serve = Option("serve", .none, "keep the provider running, to develop against")

  static let headlessTest = Option("headless-test", .none, "no display and no user")
  static let form = Option("form", .pair(), "fill in forms; NAME=@FILE reads a file")
  static let navigations = Option("navigations", .text("FILE|-"), "addresses that a window would be led to")

  static let help = Option("help", .none, "this text", letter: "h")
  static let version = Option("version", .none, "the version; also with --output json", letter: "V")

  static let responseType = Option(
    member: "response_type", .text("TYPE"), "what to request, such as code or token")
  static let responseMode = Option(
    member: "response_mode", .oneOf(ResponseMode.self, called: "MODE"),
    "which part of the callback holds the answer")
  static let clientAuthentication = Option(
    member: "client_authentication", .oneOf(ClientAuthentication.self, called: "METHOD"),
    "how the client authenticates")
  static let initialAccessToken = Option(
    member: "initial_access_token", .text("TOKEN"), "the token that the provider demands for a new client")
  static let password = Option(
    member: "password", .text("PASSWORD"), "the user's password, for the password grant")
  static let prompt = Option(
    member: "prompt", .text("PROMPT"), "what to ask for again: login, consent, …")
  static let maxAge = Option(member: "max_age", .seconds, "how long ago the user may have signed in")
  static let authorizationDetails = Option(
    member: "authorization_details", .text("ARRAY"), "the exact permissions (RFC 9396)")
  static let tokenParameter = Option(member: "token_param", .pair(), "an extra parameter of token requests")
  static let withoutState = Option(
    member: "without_state", .none, "send no state: only for a code with PKCE")
  static let nonce = Option(member: "nonce", .text("VALUE"), "this nonce instead of a random one")
  static let codeVerifier = Option(
    member: "code_verifier", .text("VALUE"), "this code verifier instead of a random one")
  static let title = Option(
    member: "title", .text("TEXT"), "the window's title (default: the provider's name)")
  static let windowSize = Option(
    member: "window_size", .text("WIDTHxHEIGHT"), "the window's size (default: that of the last one)")
}

/// Arguments of one helper each, which no command has.
extension Option {
  static let accessToken = Option(
    "access-token", .none, "print the access token instead of the id_token")
  static let setUp = Option("set-up", .text("SERVER"), "have the program ask this helper about a server")
  static let undo = Option("undo", .none, "take back what --set-up has written")
  static let check = Option("check", .none, "try the token at the address before it is printed")
  static let lines = Option("lines", .none, "print lines, as curl -H @- reads them")
  static let gatewayProtocol = Option(
    "protocol", .oneOf(OpenConnectHelper.GatewayProtocol.self, called: "PROTOCOL"),
    "anyconnect (if not given) or gp")
  static let authenticate = Option(
    "authenticate", .none, "print all that openconnect --authenticate prints")
  // These two are also options of openfortivpn-webview, whose command line its link speaks.
  static let realm = Option("realm", .text("REALM"), "the gateway's realm")
  static let trustedCertificate = Option(
    "trusted-cert", .text("SHA256"), "the same as --trust with the gateway's host")
}

/// Names of options.
extension Option {
  /// Other names that are accepted, since other programs have them.
  private static let otherNames = ["--no-prompt": silent]

  /// Reads an option of the command line, or its short form.
  init?(typed flag: String, among options: [Option] = all) {
    let isMeant = { (option: Option) in
      !option.isMemberOnly && (option.flag == flag || option.letter.map { "-\($0)" } == flag)
    }
    guard let option = options.first(where: isMeant) ?? Self.otherNames[flag] else { return nil }
    self = option
  }

  /// Returns the option that sets a parameter of the request.
  static func setting(parameter: String) -> Option? { all.first { $0.member == parameter } }
}

/// The names of endpoints in `--endpoint NAME=URL`: those of the metadata without their common ending.
extension EndpointName {
  private static let ending = "_endpoint"

  var shortName: String {
    rawValue.hasSuffix(Self.ending) ? String(rawValue.dropLast(Self.ending.count)) : rawValue
  }

  init?(shortName: String) {
    guard let name = Self.allCases.first(where: { $0.shortName == shortName }) else { return nil }
    self = name
  }

  /// The option that sets the address of the endpoint.
  var flag: String { "\(Option.endpoint.flag) \(shortName)=URL" }
}
