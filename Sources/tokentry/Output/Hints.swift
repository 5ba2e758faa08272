import Glibc
import LoginCore
import Platform
import SecretStore
import SignIn
import WindowProtocol

/// Hints that name command-line options, for failures from the core and its adapters: only the command line knows the
/// options. A failure of `tokentry` itself has its hint where it is thrown.
extension Failure {
  /// Returns the failure with the hint that fits it. A failure with a hint of its own usually keeps it.
  func withCommandLineHint() -> Failure {
    if hint == Failure.noSecretSent { return with(hint: Self.noSecretHint) }
    if let hint, hint.pattern == Message.loginAgain(to: "").pattern {
      return with(hint: "run `tokentry login --account \(hint.values[0])` to sign in again")
    }
    if let hint, isNoRegistration {
      let complete: Message = "\(hint), and add --client-id ID"
      return hint.pattern == complete.pattern ? self : with(hint: complete)
    }
    return hint == nil ? with(hint: commandLineHint) : self
  }

  private var commandLineHint: Message? {
    // Refusals with the same code have one message pattern, so `~=` cannot tell these apart.
    if [.sessionNotEnded, .tokenNotRevoked, .clientNotDeleted].contains(self) {
      return "use --force to forget it here anyway"
    }
    if let name = EndpointName.allCases.first(where: { Failure.noEndpoint($0) == self }) {
      return name == .authorization
        ? "give --provider, --issuer or --authorization-endpoint"
        : "add \(name.flag) URL, or --issuer URL if the provider publishes its metadata"
    }
    if let host = details["host"]?.string, Failure.untrustedCertificate("", "", fingerprint: nil) ~= self {
      return isOfWrongDate
        ? "is this computer's clock right? It says \(SystemClock().now().day). If it is, --trust \(host)=CERT.pem trusts one certificate for this host"
        : "--trust \(host)=CERT.pem trusts one certificate for this host"
    }
    if Failure.insecureConnection("", "") ~= self, let host = message.values.first,
      message.values.last == Failure.lacksClientCertificate("").message.values.last
    {
      return "--client-certificate FILE --client-certificate-host \(host) offers it a certificate"
    }
    if let issuer = details["issuer"]?.string, isForeignEndpoint {
      return "if you trust that server all the same, name it yourself with --issuer \(issuer)"
    }
    return switch self {
    case .noClient: Self.clientHint
    case .noClientNorRegistration: "\(Self.clientHint), or --registration-endpoint URL"
    case .clientWithoutSecret: "give it a secret with --client-secret-file or TOKENTRY_CLIENT_SECRET"
    case .unverifiableIDToken: "add --issuer URL"
    case .noProofKey: "keep the dpop_jwk that login prints with the token"
    case .noAuthorizationServer(""):
      "if you know that server, name it with --issuer URL or --provider NAME beside --resource"
    case .otherResource(""): "`tokentry login --resource URL` signs in to an API"
    case .otherServers(of: "", []): "if you trust that server, name it with --issuer URL"
    case .signInPaused(account: "", seconds: 0), .signInInVain(account: "", seconds: 0):
      "run `tokentry login --account \(message.values[0])` to sign in now"
    case .storeLocked: "unlock it, or keep accounts elsewhere with --store file:PATH"
    case .noKeyring: "it is created the first time you save an account without --silent"
    case .noMessageBus, .silentKeyring, .keyringNotCreated, .keyring(""): .fileStore
    case Self.unusableFolder: "give --store file:PATH a folder that you can write to"
    case .unknownAccount("", nearest: nil):
      "`tokentry accounts`, with the same --store if any, lists the kept accounts"
    case .unreadableAccount("", ""):
      "`tokentry logout --account NAME --force` forgets it, so that you can sign in again"
    case .unknownClient(of: ""): "`tokentry register` creates one"
    case .unreadableClient(of: "", ""): "`tokentry register --forget --force` removes it"
    default: nil
    }
  }

  /// True if only the date is wrong with a certificate. A wrong clock is then the likely reason.
  private var isOfWrongDate: Bool {
    [CertificateFlaw.expired, .notYetValid].contains { $0.message.description == message.values.last }
  }

  private static let clientHint: Message = "add --client-id ID, which the provider gave your application"
  private static let noSecretHint: Message =
    """
    if the provider gave your application a secret, sign in with --client-secret-file FILE or \
    TOKENTRY_CLIENT_SECRET
    """
  private static let unusableFolder = Failure.unusableStore(FileError("", systemCode: 0))

  private var isForeignEndpoint: Bool {
    code == .untrustedMetadata && details["endpoint"] != nil
  }

  private var isNoRegistration: Bool {
    guard let issuer = try? Issuer("https://issuer.example") else { return false }
    return Failure.noRegistration(at: issuer, documentation: nil) ~= self
  }
}

extension Failure {
  /// Returns the failure with the hint that fits what the caller has said already, and the command.
  func withHint(for settings: Settings, _ command: Command) -> Failure {
    func with(_ endpoint: EndpointName) -> Failure {
      Failure.noEndpoint(endpoint).with(hint: "add \(endpoint.flag) URL")
    }
    if settings.has(.issuer) || settings.has(.account) && command != .login,
      let name = EndpointName.allCases.first(where: { Failure.noEndpoint($0) == self })
    {
      return with(name)
    }
    if let name = EndpointName.allCases.first(where: {
      Failure.status(404, from: $0) == self && settings.names($0)
    }) {
      return self.with(hint: "is \(name.flag) right?")
    }
    if self == Environment().foreignDisplay { return self.with(hint: Self.otherUserHint) }
    switch self {
    case .noClientNorRegistration where command == .register: return with(.registration)
    case .noClient, .noClientNorRegistration:
      guard let preset = settings[.provider], !preset.contains("/") else { return self }
      return self.with(
        hint: "add --client-id ID; `tokentry providers \(preset, upTo: 60)` says what to register for one")
    case .clientWithoutSecret where settings.clientSecret != nil:
      return .contradiction(
        "\(Option.grant.flag) \(GrantType.clientCredentials.rawValue)",
        "\(Option.clientAuthentication.flag) \(ClientAuthentication.none.rawValue)")
    default: return self
    }
  }

  /// The command line for the owner of the display.
  private static var otherUserHint: Message? {
    guard let owner = Environment().ownerOfDisplay else { return nil }
    let name = getpwuid(owner).map { String(cString: $0.pointee.pw_name) } ?? "#\(owner)"
    let words =
      ["sudo", "-u", name, "XDG_RUNTIME_DIR=/run/user/\(owner)", "tokentry"]
      + CommandLine.arguments.dropFirst()
    let command = words.map(\.quotedIfNeeded).joined(separator: " ")
    return "run it as that user: \(command, upTo: 400)"
  }

  /// Returns the failure of a preset with a hint to the option that sets its missing variable.
  func withHint(from preset: Preset) -> Failure {
    guard let variable = preset.variables.first(where: { Failure.missingVariable($0.name) == self }) else {
      return self
    }
    return with(hint: "--var \(variable.name)=VALUE (\(variable.meaning.forDisplay(limit: 100)))")
  }
}

extension EndpointName {
  /// The option that sets the address of the endpoint.
  var flag: String { "--" + rawValue.replacingAll("_", with: "-") }
}

extension Message {
  /// The alternative to a keyring.
  static let fileStore: Message = "--store file:PATH keeps accounts in a folder"
}

extension String {
  /// The word as a shell reads it.
  fileprivate var quotedIfNeeded: String {
    let isPlain = !isEmpty && utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_./:=,@+%#".utf8.contains($0) }
    return isPlain ? self : "'" + replacingAll("'", with: "'\\''") + "'"
  }
}

extension Failure {
  /// Matches failures whose code and sentence are equal, with any values in the sentence.
  fileprivate static func ~= (pattern: Failure, failure: Failure) -> Bool {
    pattern.code == failure.code && pattern.message.pattern == failure.message.pattern
  }
}
