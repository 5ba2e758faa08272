import LoginCore

/// The options as one JSON object, from `--options`. Its members are those of the command line with underscores in their
/// names, wishes of few programs, endpoints by their names in metadata, secrets that no option may carry, and the settings
/// of p2/OAuth2.
struct OptionsDocument {
  let settings: Settings

  /// The limit for the size, in bytes.
  static let maximumSize = 256 * 1_024

  /// Returns the format of the answer that the document asks for. The document may be wrong.
  static func output(in bytes: [UInt8]) -> String? {
    (try? JSONReader.read(bytes, maximumSize: maximumSize))?.object?[Option.output.member]?.string
  }

  /// Refuses unknown members and wrong values.
  init(_ bytes: [UInt8], for command: Command) throws(Failure) {
    let object = try JSONReader.members(of: bytes, maximumSize: Self.maximumSize) { error in
      Failure(.invalidOption, "\(Option.options.flag): \(error.located)")
    }
    var settings = Settings()
    for member in object { try Self.read(member, into: &settings, for: command) }
    self.settings = settings
  }

  /// The names in p2/OAuth2 of options that are called otherwise here. p2/OAuth2 has one object for everything that is done
  /// with a provider, so a command ignores the settings that it has no use for.
  static let aliases: [String: Option] = [
    "redirect_uris": .redirectURI, "parameters": .parameter, "headers": .header,
  ]

  /// The names of endpoints, which are those of metadata or of p2/OAuth2.
  static let endpoints: [String: EndpointName] = EndpointName.allCases.reduce(
    into: ["authorize_uri": .authorization, "token_uri": .token, "registration_url": .registration]
  ) { $0[$1.rawValue] = $1 }

  /// Settings of p2/OAuth2 that are accepted without effect.
  static let withoutEffect = ["keychain", "verbose"]

  /// Options that a document must not contain.
  static let excluded: [Option] = [.options, .endpoint, .help, .verbose]

  private static func read(
    _ member: JSONObject.Member, into settings: inout Settings, for command: Command
  ) throws(Failure) {
    let name = member.name
    let shown = "\(Option.options.flag): \"\(name.forDisplay(limit: 60))\""
    func flag() throws(Failure) -> Bool {
      guard let flag = member.value.bool else { throw .takes(shown, "true or false") }
      return flag
    }
    func secret<Role>() throws(Failure) -> Secret<Role> {
      guard let text = member.value.string, !text.isEmpty else { throw .takes(shown, "a string") }
      return Secret(text)
    }
    if case .null = member.value, notOptions.contains(where: name.isIdentical) { return }
    switch name {
    case _ where withoutEffect.contains(where: name.isIdentical): _ = try flag()
    case "client_secret" where command.options.contains(.clientSecretFile):
      if member.value != "" { settings.clientSecret = try secret() }
    case "client_key" where command.options.contains(.clientKeyFile):
      if let jwk = member.value.object {
        settings.clientKey = ClientKey(jwk.text)
      } else {
        settings.clientKey = try secret()
      }
    case "password" where command.options.contains(.password): settings.password = try secret()
    case "refresh_token" where command.options.contains(.grant): settings.refreshToken = try secret()
    case "initial_access_token" where command.options.contains(.initialAccessToken):
      settings.initialAccessToken = try secret()
    case "authorization_details" where command.options.contains(.authorizationDetails):
      settings.authorizationDetails = try Self.permissions(member.value, as: shown)
    case "token" where command.options.contains(.tokenFile):
      guard let token = member.value.object.flatMap(Token.init(json:)) else {
        throw .takes(shown, "a token as login printed it")
      }
      settings.token = token
    case "secret_in_body":
      let isPosted = try flag()
      if isPosted, command.options.contains(.clientAuthentication) {
        try settings.set(.clientAuthentication, ClientAuthentication.post.rawValue, as: shown)
      }
    case "token_assume_unexpired": settings.assumesUnexpired = try flag()
    case _ where endpoints[name] != nil && command.options.contains(.endpoint):
      guard let endpoint = endpoints[name] else { return }
      for text in try texts(member.value, of: .issuer, as: shown) {
        try settings.set(.endpoint, "\(endpoint.shortName)=\(text)", as: shown)
      }
    case _ where endpoints[name] != nil: return
    default:
      guard
        let option = aliases[name] ?? options(of: command).first(where: { $0.member.isIdentical(to: name) })
      else {
        throw unknown(name, for: command)
      }
      let texts = try texts(member.value, of: option, as: shown)
      guard command.options.contains(option) else { return }
      for text in texts { try settings.set(option, text, as: shown) }
    }
  }

  private static func options(of command: Command) -> [Option] {
    command.options.filter { !excluded.contains($0) }
  }

  private static func texts(
    _ value: JSONValue, of option: Option, as name: String
  ) throws(Failure) -> [String] {
    switch (option.value, value) {
    case (_, .null): return []
    case (.none, .bool(let isSet)): return isSet ? [""] : []
    case (.seconds, .number(let number)): return [number.literal]
    case (.text, .string(let text)), (.texts, .string(let text)), (.choice, .string(let text)): return [text]
    case (.seconds, .string(let text)): return [text]
    case (.texts, .array(let values)),
      (.text, .array(let values)) where option.takesList:
      let texts = values.compactMap(\.string)
      guard texts.count == values.count, let first = texts.first else { throw .takes(name, "strings") }
      return option.isRepeatable ? texts : [first]
    case (.pair, .object(let members)):
      return try members.map { member throws(Failure) in
        // These characters end the name in the value of an option.
        let ends = option == .header ? "=:" : "="
        guard !member.name.utf8.contains(where: ends.utf8.contains) else {
          throw .takes(name, "names without = and :")
        }
        return "\(member.name)=\(try Self.text(of: member.value, as: name))"
      }
    default:
      throw .takes(name, option.wanted)
    }
  }

  /// The value of a parameter. The dictionaries of p2/OAuth2 also contain numbers and flags.
  private static func text(of value: JSONValue, as name: String) throws(Failure) -> String {
    switch value {
    case .string(let text): return text
    case .number(let number): return number.literal
    case .bool(let flag): return flag ? "true" : "false"
    default: throw .takes(name, "strings as its values")
    }
  }

  /// The array of RFC 9396 section 2, in one line. Each of its objects has a type.
  private static func permissions(_ value: JSONValue, as name: String) throws(Failure) -> String? {
    if case .null = value { return nil }
    let details = value.array
    guard let details, !details.isEmpty, details.allSatisfy({ $0.object?["type"]?.string != nil }) else {
      throw .takes(name, "an array of objects, each with a type (RFC 9396)")
    }
    return JSONValue.array(details).text
  }

  /// Members that are not options. Each is allowed for commands that have this option.
  private static let withoutOption: [String: Option] = [
    "client_secret": .clientSecretFile, "client_key": .clientKeyFile, "refresh_token": .grant,
    "secret_in_body": .clientAuthentication, "token": .tokenFile,
  ]

  private static let notOptions =
    withoutEffect + ["token_assume_unexpired", "password", "initial_access_token"] + withoutOption.keys

  private static func unknown(_ name: String, for command: Command) -> Failure {
    let known =
      options(of: command).map(\.member) + aliases.keys + endpoints.keys + withoutEffect
      + ["token_assume_unexpired"]
      + withoutOption.filter { command.options.contains($0.value) }.keys
    let reason: Message = "unknown member \"\(name, upTo: 60)\""
    return Failure(
      .invalidOption, "\(Option.options.flag): \(reason)",
      hint: nearestName(to: name, among: known).map(Failure.Hint.didYouMean))
  }
}

extension Option {
  /// True if a member may be a list. p2/OAuth2 uses the first of several redirect URIs.
  fileprivate var takesList: Bool { self == .redirectURI || isRepeatable }

  /// The value that a member needs.
  fileprivate var wanted: Message {
    switch value {
    case .none, .level: "true or false"
    case .seconds: "a number"
    case .pair: "an object of strings"
    case .texts: "a string or an array of strings"
    default: "a string"
    }
  }
}
