import Platform
import SecretStore
import Testing

@testable import LoginCore
@testable import tokentry

@Suite("Hints")
struct HintsTests {
  private static let issuer = Result { try Issuer("https://as.test") }

  /// One row for each rule.
  static let rows: [(failure: Failure, hint: String)] = [
    (.sessionNotEnded, "use --force to forget it here anyway"),
    (.tokenNotRevoked, "use --force to forget it here anyway"),
    (.clientNotDeleted, "use --force to forget it here anyway"),
    (.noEndpoint(.authorization), "give --provider, --issuer or --authorization-endpoint"),
    (
      .noEndpoint(.token),
      "add --token-endpoint URL, or --issuer URL if the provider publishes its metadata"
    ),
    (.noClient, "add --client-id ID, which the provider gave your application"),
    (
      .noClientNorRegistration,
      "add --client-id ID, which the provider gave your application, or --registration-endpoint URL"
    ),
    (.clientWithoutSecret, "give it a secret with --client-secret-file or TOKENTRY_CLIENT_SECRET"),
    (.unverifiableIDToken, "add --issuer URL"),
    (.noProofKey, "keep the dpop_jwk that login prints with the token"),
    (
      .noAuthorizationServer("https://api.test"),
      "if you know that server, name it with --issuer URL or --provider NAME beside --resource"
    ),
    (.otherResource("https://api.test"), "`tokentry login --resource URL` signs in to an API"),
    (.signInPaused(account: "work", seconds: 5), "run `tokentry login --account work` to sign in now"),
    (.signInInVain(account: "work", seconds: 5), "run `tokentry login --account work` to sign in now"),
    (.otherServers(of: "https://api.test", []), "if you trust that server, name it with --issuer URL"),
    (
      Failure.refusal(code: "invalid_scope").with(hint: .loginAgain(to: "work")),
      "run `tokentry login --account work` to sign in again"
    ),
    (
      .untrustedCertificate("as.test", "its issuer is unknown", fingerprint: "AB"),
      "--trust as.test=CERT.pem trusts one certificate for this host"
    ),
    (
      .insecureConnection("as.test", "the server asks for a client certificate"),
      "--client-certificate FILE --client-certificate-host as.test offers it a certificate"
    ),
    (.storeLocked, "unlock it, or keep accounts elsewhere with --store file:PATH"),
    (.noKeyring, "it is created the first time you save an account without --silent"),
    (.noMessageBus, "--store file:PATH keeps accounts in a folder"),
    (.silentKeyring, "--store file:PATH keeps accounts in a folder"),
    (.keyringNotCreated, "--store file:PATH keeps accounts in a folder"),
    (.keyring("the name has no owner"), "--store file:PATH keeps accounts in a folder"),
    (
      .unusableStore(FileError("/a", systemCode: 13)),
      "give --store file:PATH a folder that you can write to"
    ),
    (
      .unknownAccount("x"),
      "`tokentry accounts`, with the same --store if any, lists the kept accounts"
    ),
    (
      .unreadableAccount("work", "token is missing or wrong"),
      "`tokentry logout --account NAME --force` forgets it, so that you can sign in again"
    ),
    (.unknownClient(of: "as.test"), "`tokentry register` creates one"),
    (
      .unreadableClient(of: "as.test", "it was written by a later version of tokentry"),
      "`tokentry register --forget --force` removes it"
    ),
    (
      Failure.refusal(code: "invalid_client").with(hint: Failure.noSecretSent),
      "if the provider gave your application a secret, sign in with --client-secret-file FILE or "
        + "TOKENTRY_CLIENT_SECRET"
    ),
  ]

  @Test("A failure of the core or an adapter gets the hint that fits it, once", arguments: rows)
  func hint(_ failure: Failure, _ hint: String) {
    let hinted = failure.withCommandLineHint()
    #expect(hinted.hint?.description == hint)
    #expect(hinted.with(hint: failure.hint) == failure)
    #expect(hinted.withCommandLineHint() == hinted)
  }

  @Test("A server with an endpoint elsewhere can be named by the user")
  func foreignEndpoint() throws {
    let failure = Failure.foreignEndpoint(.token, at: "https://h.test", of: try Self.issuer.get())
    #expect(
      failure.withCommandLineHint().hint?.description
        == "if you trust that server all the same, name it yourself with --issuer https://as.test")
  }

  @Test(
    "If only the date of a certificate is wrong, the hint begins with the clock",
    arguments: ["it has expired", "it is not valid yet"])
  func clock(_ flaw: String) throws {
    let reason = Message(verbatim: flaw)
    let failure = Failure.untrustedCertificate("as.test", reason, fingerprint: "AB").withCommandLineHint()
    let end = #". If it is, --trust as.test=CERT.pem trusts one certificate for this host"#
    let hint = try #require(failure.hint).description
    #expect(hint.hasPrefix("is this computer's clock right? It says 2") && hint.hasSuffix(end), "\(hint)")
  }

  @Test("The hint of a provider that registers no clients is completed, once")
  func noRegistration() throws {
    let failure = Failure.noRegistration(at: try Self.issuer.get(), documentation: "https://as.test/docs")
    let hinted = failure.withCommandLineHint()
    let end = ", with the redirect URI http://127.0.0.1/callback/as.test, and add --client-id ID"
    #expect(hinted.hint?.description == "create one at the provider (see https://as.test/docs)" + end)
    #expect(hinted.withCommandLineHint() == hinted)
  }

  @Test(
    "A failure keeps its own hint, and other failures get none",
    arguments: [
      .unknownAccount("wrk", nearest: "work"), .unusableStore(.open("/a", isFolder: true)),
      .refusal(code: "temporarily_unavailable"), .offline, .windowClosed,
      .untrustedCertificate("as.test", "it has expired", fingerprint: nil),
    ] as [Failure])
  func unchanged(_ failure: Failure) {
    #expect(failure.withCommandLineHint() == failure)
  }

  @Test("Every option in a hint exists", arguments: rows)
  func options(_ failure: Failure, _ hint: String) {
    for option in hint.matches(of: /--[a-z-]+/) {
      #expect(Option.allCases.contains { $0.flag == option.0 }, "\(option.0)")
    }
  }

  @Test("Every endpoint has an option", arguments: EndpointName.allCases)
  func endpointOption(_ name: EndpointName) {
    #expect(Option.allCases.contains { $0.flag == name.flag })
  }
}

/// Hints that depend on the command line.
@Suite("Hints for a command line")
struct CommandLineHintsTests {
  private func hinted(_ failure: Failure, _ words: String..., secret: String? = nil) throws -> Failure {
    var settings = try Invocation(words).settings
    settings.clientSecret = secret.map { ClientSecret($0) }
    return failure.withHint(for: settings, try #require(Command(rawValue: words[0])))
  }

  @Test("If an endpoint that the caller named does not exist, the hint names its option")
  func wrongEndpoint() throws {
    let (option, lost) = ("--token-endpoint", Failure.status(404, from: .token))
    #expect(try hinted(lost, "login", option, "https://as.test/t").hint == "is --token-endpoint right?")
    #expect(try hinted(lost, "login", "--issuer", "https://as.test").hint == nil)
    let failed = Failure.status(500, from: .token)
    #expect(try hinted(failed, "login", option, "https://as.test/t").hint == nil)
  }

  @Test("If the caller named the issuer, or an account that knows it, the hint names only the endpoint")
  func endpoint() throws {
    let missing = Failure.noEndpoint(.token)
    let hinted = missing.with(hint: "add --token-endpoint URL")
    #expect(try self.hinted(missing, "login", "--issuer", "https://as.test") == hinted)
    #expect(try self.hinted(missing, "userinfo", "--account", "a") == hinted)
    #expect(try self.hinted(missing, "login", "--account", "a") == missing)
  }

  @Test("Without a client, the hint names the registration endpoint for register, and the notes of a preset")
  func registration() throws {
    let missing = Failure.noClientNorRegistration
    #expect(
      try hinted(missing, "register", "--provider", "github")
        == Failure.noEndpoint(.registration).with(hint: "add --registration-endpoint URL"))
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
        == .contradiction("--grant client-credentials", "--client-authentication none"))
  }

  @Test("The hint for a missing variable of a preset explains the variable")
  func variable() throws {
    let preset = try Preset(
      Array(
        #"{"variables":{"host":"the server's name"},"token_endpoint":"https://{host}/token"}"#.utf8))
    let failure = try #require(throws: Failure.self) { try preset.provider(variables: [:], clientID: "c") }
    #expect(failure.withHint(from: preset).hint == "--var host=VALUE (the server's name)")
    #expect(Failure.offline.withHint(from: preset) == .offline)
  }
}
