import GnuTLSCrypto
import LoginCore
import Platform
import SignIn
import WindowProtocol

/// The request for a token.
struct RequestWishes: WishGroup {
  /// An empty one replaces the preset's.
  var scope: String?
  /// The URIs of RFC 8707, or the address of the only API, which can name its provider.
  var resources: [String] = []
  var grant: GrantType?
  var loginHint: String?
  var parameters: [Parameter] = []
  var headers: [Parameter] = []
  var isBound = false
  var tokenFile: String?
  var state: OAuthState?
  var document: String?
  var responseType: ResponseType?
  var responseMode: ResponseMode?
  var clientAuthentication: ClientAuthentication?
  var initialAccessToken: AccessToken?
  var password: Password?
  var prompt: String?
  var maxAge: Int?
  /// The JSON array of RFC 9396, in one line.
  var authorizationDetails: String?
  var tokenParameters: [Parameter] = []
  var omitsState = false
  var nonce: Nonce?
  var codeVerifier: CodeVerifier?
  /// A token to refresh.
  var refreshToken: RefreshToken?
  /// A token that an earlier login printed.
  var token: Token?

  static let rows =
    under(
      .request,
      [
        text(\.scope, "scope", .anyLine("SCOPE"), "permissions to ask for, separated by spaces"),
        values(\.resources, "resource", .texts("URI"), "the token's API, which can name its provider") {
          $0.text
        },
        choice(\.grant, "grant", called: "GRANT", "how to get the token, such as code or device"),
        text(\.loginHint, "login-hint", .text("USER"), "the user's name or e-mail, filled in for them"),
        values(\.parameters, "param", .pair(), "an extra parameter of the request") { $0.pair },
        values(
          \.headers, "header", .field, "an extra header field; NAME: VALUE works, too", letter: "H"
        ) { $0.pair },
        flag(\.isBound, "dpop", "bind the token to a new key (RFC 9449)"),
        text(\.tokenFile, "token-file", .text("FILE|-"), "the output of login, to use or refresh"),
        value(\.state, "state", .text("VALUE"), "this state instead of a random one, for tests") {
          OAuthState($0.text)
        }.asSecret,
        text(
          \.document, "options", .text("FILE|-"), "options, secrets and rare wishes as JSON"
        ).onlyTyped,
      ])
    + under(
      .members,
      [
        value(
          \.responseType, "response_type", .text("TYPE"), "what to request, such as code or token",
          wanting: "code, token, id_token or several of them"
        ) { ResponseType($0) },
        choice(
          \.responseMode, "response_mode", called: "MODE", "which part of the callback holds the answer"),
        choice(
          \.clientAuthentication, "client_authentication", called: "METHOD", "how the client authenticates"),
        secret(
          \.initialAccessToken, "initial_access_token", .secret("TOKEN"),
          "the token that the provider demands for a new client"),
        secret(\.password, "password", .secret("PASSWORD"), "the user's password, for the password grant"),
        text(\.prompt, "prompt", .text("PROMPT"), "what to ask for again: login, consent, …"),
        seconds(\.maxAge, "max_age", "how long ago the user may have signed in"),
        value(
          \.authorizationDetails, "authorization_details", .json("ARRAY", ["array"]),
          "the exact permissions (RFC 9396)", permissions),
        values(\.tokenParameters, "token_param", .pair(), "an extra parameter of token requests") {
          $0.pair
        },
        flag(\.omitsState, "without_state", "send no state: only for a code with PKCE"),
        value(\.nonce, "nonce", .text("VALUE"), "this nonce instead of a random one") {
          Nonce($0.text)
        }.asSecret,
        value(
          \.codeVerifier, "code_verifier", .text("VALUE"), "this code verifier instead of a random one"
        ) { CodeVerifier($0.text) }.asSecret,
      ]) + [
      value(
        \.token, "token", .json("TOKEN", ["object"]), "a token as login printed it, to use or refresh",
        printedToken
      ).unlisted(with: "token-file"),
      secret(\.refreshToken, "refresh_token", .secret("TOKEN"), "a token to refresh instead of a login")
        .unlisted(with: "grant"),
    ]

  /// The array of RFC 9396 section 2, in one line. Each of its objects has a type.
  private static func permissions(_ given: Given) throws(Failure) -> String {
    guard let details = given.json.array, !details.isEmpty,
      details.allSatisfy({ $0.object?["type"]?.string != nil })
    else {
      throw .takes(given.name, "an array of objects, each with a type (RFC 9396)")
    }
    return JSONValue.array(details).text
  }

  private static func printedToken(_ given: Given) throws(Failure) -> Token {
    guard let token = given.json.object.flatMap(Token.init(json:)) else {
      throw .takes(given.name, "a token as login printed it")
    }
    Messages.hide(secretsOf: token)
    return token
  }

  mutating func readFiles() async throws(Failure) {
    guard let tokenFile else { return }
    let file = InputFile(Self.option("token-file"), tokenFile)
    if token != nil { throw .contradiction(file.flag, Self.flag("token")) }
    let bytes = try await file.readOwn(limit: OptionsDocument.maximumSize)
    let value = try? JSONReader.read(bytes, maximumSize: OptionsDocument.maximumSize)
    guard let token = value?.object.flatMap(Token.init(json:)) ?? Token(line: bytes) else {
      let reason: Message = "this is not a token as login prints it"
      throw Failure(.invalidOption, "\(file.flag): \(reason)")
    }
    Messages.hide(secretsOf: token)
    self.token = token
  }

  /// Refuses extra parameters that the request sets itself.
  private static func checked(
    _ pairs: [Parameter], of name: String, and reserved: [String] = []
  ) throws(Failure) -> [Parameter] {
    for pair in pairs where ReservedNames.parameters.contains(pair.name) || reserved.contains(pair.name) {
      let name = "\(flag(name)) \(pair.name)"
      throw Failure(
        .invalidOption, "\(name, upTo: 80): the request sets this parameter itself",
        hint: Option.all.first { $0.member == pair.name }.map { "use \($0.flag)" })
    }
    return pairs
  }

  /// The extra parameters of the request.
  func checkedParameters(and reserved: [String] = []) throws(Failure) -> [Parameter] {
    try Self.checked(parameters, of: "param", and: reserved)
  }

  /// The extra parameters of token requests.
  func checkedTokenParameters() throws(Failure) -> [Parameter] {
    try Self.checked(tokenParameters, of: "token_param")
  }

  /// The address of the API, which must be the only one.
  func api() throws(Failure) -> ProtectedResource {
    let option = Self.option("resource")
    guard resources.count == 1 else {
      throw .takes(option.flag, "the address of one API unless --provider or --issuer is given")
    }
    return try option.parse(resources[0], as: ProtectedResource.init)
  }

  /// The parameters of `--param`, and of the wishes that set one parameter each.
  fileprivate func extraParameters(of provider: Provider) throws(Failure) -> ParameterList {
    var parameters = ParameterList()
    let single = [
      ("login_hint", loginHint), ("prompt", prompt), ("max_age", maxAge.map { "\($0)" }),
    ]
    for case (let name, let value?) in single { parameters.append(Parameter(name, value)) }
    for text in resources {
      let isURI = text.contains(":") && !text.contains("#") && text.utf8.allSatisfy(\.isVisible)
      guard isURI else { throw .takes(Self.flag("resource"), "an absolute URI without a fragment") }
      parameters.append(Parameter("resource", text))
    }
    parameters += try checkedParameters(and: Array(provider.parameterNames.values))
    if let authorizationDetails {
      parameters.append(Parameter("authorization_details", authorizationDetails))
    }
    return parameters
  }
}

extension Token {
  /// Reads a bare access token (RFC 6750 section 2.1), as providers show it to copy.
  fileprivate init?(line: [UInt8]) {
    let bytes = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
    guard bytes.allSatisfy({ $0.isLetter || $0.isDigit || "-._~+/=".utf8.contains($0) }), !bytes.isEmpty
    else { return nil }
    self.init(json: ["access_token": .string(String(decoding: bytes, as: UTF8.self)), "token_type": "Bearer"])
  }
}

extension Messages {
  fileprivate static func hide(secretsOf token: Token) {
    hide(secretsIn: Array(token.json(at: SystemClock().now()).text.utf8))
  }
}

extension LoginRequest {
  /// Combines the caller's wishes with the preset; the caller wins. Throws if the provider's `needed` endpoint cannot be
  /// found out.
  init(
    _ wishes: Wishes, needing needed: EndpointName? = nil, catalog: ProviderCatalog
  ) throws(Failure) {
    try self.init(
      wishes, to: try Provider(wishes, for: needed ?? wishes.firstEndpoint, catalog: catalog))
  }

  /// Combines the caller's wishes with those of a known provider.
  init(_ wishes: Wishes, to provider: Provider) throws(Failure) {
    let (client, request) = (wishes.provider, wishes.request)
    let usual = try RedirectURI.onThisMachine(for: provider)
    self.init(
      provider: provider, clientID: client.clientID ?? "", clientSecret: client.clientSecret,
      redirectURI: client.redirectURI ?? provider.redirectURI ?? usual)
    // The preset's aliases are other forms of its own redirect URI.
    if let asked = client.redirectURI, asked != provider.redirectURI { redirectAliases = [] }
    try applyResponse(request)
    if let scope = request.scope { self.scope = scope.isEmpty ? nil : scope }
    try applyAuthentication(request.clientAuthentication, client.clientKey)
    provesByCertificate = !wishes.place.certificates.isEmpty
    parameters = try request.extraParameters(of: provider)
    omitsState = request.omitsState
    if omitsState, request.state != nil {
      throw .contradiction(RequestWishes.flag("state"), RequestWishes.flag("without_state"))
    }
    fixed = FixedValues(state: request.state, nonce: request.nonce, codeVerifier: request.codeVerifier)
  }

  /// Sets how the client authenticates, and with which key.
  private mutating func applyAuthentication(
    _ method: ClientAuthentication?, _ key: ClientKey?
  ) throws(Failure) {
    if let method { clientAuthentication = method }
    clientKey = key
    guard let key else {
      if method == .privateKeyJWT {
        throw .unusableClientKey.with(hint: "give the key with --client-key-file")
      }
      return
    }
    let flag = ProviderWishes.flag("client-key-file")
    if clientSecret != nil { throw .contradiction(flag, ProviderWishes.flag("client-secret-file")) }
    if let method, method != .privateKeyJWT {
      throw .contradiction(flag, "\(RequestWishes.flag("client_authentication")) \(method.rawValue)")
    }
    if try GnuTLSCryptography().clientKey(key.revealed()) == nil { throw .unusableClientKey }
  }

  /// Sets the grant, the response type and the response mode.
  mutating func applyResponse(_ wishes: RequestWishes) throws(Failure) {
    let granted = wishes.grant
    if let type = wishes.responseType {
      if let granted, !granted.usesAuthorizationEndpoint || (granted == .code) != type.includesCode {
        throw .contradiction(RequestWishes.flag("grant"), RequestWishes.flag("response_type"))
      }
      responseType = type
      grant = granted ?? .code
    } else if let granted {
      grant = granted
      responseType = granted == .implicit ? .token : .code
    }
    if !grant.usesAuthorizationEndpoint {
      // The preset's values are for the authorization endpoint.
      responseType = .code
      responseMode = nil
    }
    if let mode = wishes.responseMode { responseMode = mode }
  }
}

extension Wishes {
  /// The endpoint with which a login begins.
  var firstEndpoint: EndpointName {
    switch request.grant {
    case .clientCredentials, .password, .tokenExchange: .token
    case .device: .deviceAuthorization
    case .code, .implicit: .authorization
    case nil: asking.way == .device && !asking.isTest ? .deviceAuthorization : .authorization
    }
  }
}
