import Language
@testable import LoginCore
import LoginKit
import Platform
import SecretStore
import Testing

@testable import tokentry

/// The steps of ``Failure/Hint``, as the command line and LoginKit word them.
@Suite("Hints")
struct HintsTests {
  /// A step, its words for a command line, and its words for a program.
  typealias Row = (hint: Failure.Hint, words: String?, advice: String?)

  static let rows: [Row] = [
    ("install glib-networking", "install glib-networking", "install glib-networking"),

    (
      .addEndpoint(.authorization), "give --provider, --issuer or --endpoint authorization=URL",
      "set login.provider.issuer or login.provider.endpoints[.authorization]"
    ),
    (
      .addEndpoint(.token),
      "add --endpoint token=URL, or --issuer URL if the provider publishes its metadata",
      "set login.provider.endpoints[.token], or login.provider.issuer if the provider publishes its metadata"
    ),
    (.checkEndpoint(.token), nil, "is login.provider.endpoints[.token] right?"),
    (.addIssuer, "add --issuer URL", "set login.provider.issuer"),
    (
      .setVariable("host", meaning: "the server's name"), "--var host=VALUE (the server's name)",
      "give the preset's variable host a value (the server's name)"
    ),

    (
      .nameClient, "add --client-id ID, which the provider gave your application",
      "set login.clientID, which the provider gave your application"
    ),
    (
      .nameClientOrRegistration,
      "add --client-id ID, which the provider gave your application, or --endpoint registration=URL",
      "set login.clientID, which the provider gave your application, or set login.provider.endpoints[.registration]"
    ),
    (
      .createClient("create one at the provider"), "create one at the provider, and add --client-id ID",
      "create one at the provider, and set login.clientID"
    ),
    (
      .registerClient, "`tokentry login` registers one", "signIn() registers one if login.clientID is empty"
    ),
    (
      .giveSecret, "give it a secret with --client-secret-file or TOKENTRY_CLIENT_SECRET",
      "set login.clientSecret"
    ),
    (
      .checkSecret,
      "check that the client's identifier and secret are those that the provider gave your application, and that the secret has not been replaced there",
      "check login.clientID and login.clientSecret"
    ),
    (
      .giveSecretIfAny,
      "if the provider gave your application a secret, sign in with --client-secret-file FILE or "
        + "TOKENTRY_CLIENT_SECRET",
      "if the provider gave your application a secret, set login.clientSecret"
    ),

    (
      .checkClient,
      "check that --client-id and the redirect URI are as registered with the provider; `tokentry explain` shows them",
      "check that login.clientID and login.redirectURI are as registered with the provider"
    ),
    (
      .answerForm(fields: ["user=VALUE"], buttons: ["allow=Allow it", "allow=No"]),
      "fill in its form with --form 'user=VALUE' and press its button with --form 'allow=Allow it' or --form 'allow=No'",
      "way = .headless(form:) answers the page with user=VALUE, allow=Allow it, allow=No"
    ),
    (
      .registerRedirectURI,
      "register exactly this redirect URI with the provider, or give the registered one with --redirect-uri",
      "register exactly this redirect URI with the provider, or set login.redirectURI to the registered one"
    ),

    (
      .addDeviceEndpointIfOffered, "if it does, add --endpoint device_authorization=URL",
      "if it does, set login.provider.endpoints[.deviceAuthorization]"
    ),
    (.pasteFromBrowser, "--way browser lets you paste it", "way = .browser lets the user paste it"),
    (
      .askForCodeOrUseWindow, "use --grant code, or --way window",
      "set login.responseType = .code, or way = .window"
    ),
    (.registerSchemeOrUseWindow, "add --register-scheme, or use --way window", "set way = .window"),
    (
      .useWindowWithoutState, "use --way window, which works without a state",
      "set way = .window, which works without a state"
    ),
    (
      .nameBrowser, "use --browser COMMAND to open the page",
      "set the variable BROWSER to a command that opens the page"
    ),
    (
      .nameBrowserOrTest, "use --browser COMMAND to open the page, or --headless-test in tests",
      "set the variable BROWSER to a command that opens the page, or way = .headless(form:) in tests"
    ),
    (
      .checkBrowser, "see BROWSER and --browser", "set the variable BROWSER to a command that opens the page"
    ),
    (
      .installWindow, nil,
      "install tokentry-window, or set windowProgram or the variable TOKENTRY_WINDOW to its path"
    ),
    (
      .allowOrigin("https://a.test"),
      "if the token is meant for that server, add --allow-origin https://a.test",
      "if the token is meant for that server, add \"https://a.test\" to allowedOrigins"
    ),
    (
      .nameDisplayOrTest, "a window needs DISPLAY or WAYLAND_DISPLAY; tests can use --headless-test",
      "a window needs DISPLAY or WAYLAND_DISPLAY; tests can use way = .headless(form:)"
    ),

    (
      .nameClientOfKey, "add its identifier with --client-id", "set login.clientID"
    ),
    (.nameUser, "add --login-hint USER", "signIn(user:password:) signs in with a password"),
    (
      .givePassword, "give it with TOKENTRY_PASSWORD or --options",
      "signIn(user:password:) signs in with a password"
    ),
    (.listProviders, "`tokentry providers` lists the presets; an account is named with --account", nil),
    (.giveToken, "give the output of login or token with --token-file", nil),
    (
      .useCodeGrant, "add --grant code, or leave --way out", "set login.grant = .code, or leave way out"
    ),
    (
      .nameServerOfSecret, "name that server with --issuer URL",
      "create the client with the issuer of that server"
    ),
    (.signInToAPI, "`tokentry login --resource URL` signs in to an API", "use an account for that API"),
    (
      .nameServer, "if you know that server, name it with --issuer URL or --provider NAME beside --resource",
      "if you know and trust that server, create the client with its issuer"
    ),
    (
      .nameServerIfTrusted, "if you trust that server, name it with --issuer URL",
      "if you know and trust that server, create the client with its issuer"
    ),
    (
      .nameIssuerIfTrusted("https://as.test"),
      "if you trust that server all the same, name it yourself with --issuer https://as.test",
      "if you trust that server all the same, create the client with the issuer https://as.test"
    ),
    (
      .keepProofKey, "keep the dpop_jwk that login prints with the token",
      "keep the whole token, with its proofKey"
    ),

    (
      .trustCertificate(host: "as.test", isOfWrongDate: false),
      "--trust as.test=CERT.pem trusts one certificate for this host", nil
    ),
    (
      .trustCertificate(host: "as.test", isOfWrongDate: true),
      "is this computer's clock right? It says TODAY. "
        + "If it is, --trust as.test=CERT.pem trusts one certificate for this host",
      "is this computer's clock right? It says TODAY"
    ),
    (
      .offerCertificate(host: "as.test"),
      "--client-certificate as.test=FILE offers it a certificate", nil
    ),

    (
      .signInNow(account: "work"), "run `tokentry login --account work` to sign in now",
      #"signIn(account: "work") signs in now"#
    ),
    (
      .signInAgain(account: "work"), "run `tokentry login --account work` to sign in again",
      #"signIn(account: "work") signs in again"#
    ),
    (
      .listAccounts, "`tokentry accounts`, with the same --store if any, lists the saved accounts",
      "store.list() returns the saved accounts"
    ),
    (
      .forgetUnreadableAccount,
      "`tokentry logout --account NAME --force` forgets it, so that you can sign in again",
      "forget(account:) removes it, so that the user can sign in again"
    ),
    (
      .forgetUnreadableClient, "`tokentry logout --issuer URL --force` removes it",
      "store.deleteClient(at:) removes it"
    ),
    (
      .forgetAccountAnyway, "use --force to forget it here anyway",
      "forget(account:) forgets it here anyway"
    ),
    (
      .forgetClientAnyway, "use --force to forget it here anyway",
      "store.deleteClient(at:) forgets it here anyway"
    ),

    (
      .unlockKeyring, "unlock it, or keep accounts elsewhere with --store file:PATH",
      "unlock it, or keep accounts elsewhere with store = .folder(path)"
    ),
    (
      .createKeyring, "it is created the first time you save an account without --silent",
      "a store of .keyring creates it, or store = .folder(path) keeps accounts in a folder"
    ),
    (
      .keepInFolder, "--store file:PATH keeps accounts in a folder",
      "store = .folder(path) keeps accounts in a folder"
    ),
    (
      .useOwnFolder, "give --store file:PATH a folder that you can write to",
      "give .folder(path) a folder that you can write to"
    ),
  ]

  @Test(
    "A step is worded with the options of the command line, or with the members of the library",
    arguments: rows)
  func step(_ row: Row) {
    let before = SystemClock().now().day
    let worded = [row.hint.words?.description, Failure(.internalError, "a", hint: row.hint).advice]
    // The rows are made when the run begins. A day may end after that, also between these lines.
    let expected = [before, SystemClock().now().day].map { day in
      [row.words, row.advice].map { $0?.replacing("TODAY", with: day) }
    }
    #expect(expected.contains(worded))
  }

  @Test("Every option in a hint exists", arguments: rows.compactMap(\.words))
  func options(words: String) {
    for option in words.matches(of: /--[a-z-]+/) {
      #expect(Option.all.contains { $0.flag == option.0 }, "\(option.0)")
    }
  }

  @Test("Every endpoint has an option", arguments: EndpointName.allCases)
  func endpointOption(_ name: EndpointName) {
    #expect(name.flag == "--endpoint \(name.shortName)=URL")
    #expect(EndpointName(shortName: name.shortName) == name)
  }

  @Test("A folder whose error knows no remedy needs another folder")
  func folders() {
    #expect(Failure.unusableStore(FileError("/a", systemCode: 13)).hint == .useOwnFolder)
    #expect(Failure.unusableStore(.open("/a", isFolder: true)).hint == "chmod 700 /a")
  }
}

/// Hints that depend on the command line.
@Suite("Hints for a command line")
struct CommandLineHintsTests {
  private func hinted(_ failure: Failure, _ words: String..., secret: String? = nil) throws -> Failure {
    var wishes = try Invocation(words).wishes
    wishes.provider.clientSecret = secret.map { ClientSecret($0) }
    return failure.withHint(for: wishes, try #require(Command(rawValue: words[0])))
  }

  @Test("If an endpoint that the caller named does not exist, the hint names its option")
  func wrongEndpoint() throws {
    let (option, lost) = ("--endpoint=token=https://as.test/t", Failure.status(404, from: .token))
    #expect(try hinted(lost, "login", option).hint == "is --endpoint token=URL right?")
    #expect(try hinted(lost, "login", "--issuer", "https://as.test") == lost)
    let failed = Failure.status(500, from: .token)
    #expect(try hinted(failed, "login", option) == failed)
  }

  @Test("If the caller named the issuer, or an account that knows it, the hint names only the endpoint")
  func endpoint() throws {
    let missing = Failure.noEndpoint(.token)
    let hinted = missing.with(hint: "add --endpoint token=URL")
    #expect(try self.hinted(missing, "login", "--issuer", "https://as.test") == hinted)
    #expect(try self.hinted(missing, "userinfo", "--account", "a") == hinted)
    #expect(try self.hinted(missing, "login", "--account", "a") == missing)
  }

  @Test("Without a client, the hint names the notes of a preset")
  func registration() throws {
    let missing = Failure.noClientNorRegistration
    #expect(
      try hinted(missing, "login", "--provider", "github").hint
        == "add --client-id ID; `tokentry providers github` says what to register for one")
    #expect(try hinted(missing, "login", "--provider", "./own.json") == missing)
  }

  @Test("A secret that is given but not used is a contradiction")
  func unusedSecret() throws {
    let missing = Failure.clientWithoutSecret
    #expect(try hinted(missing, "login") == missing)
    #expect(
      try hinted(missing, "login", secret: "secret")
        == .contradiction("--grant client-credentials", "client_authentication none"))
  }
}
