import LoginCore
import Wording

/// A login request as one JSON object: the options under their names with underscores, the secrets that no
/// option may carry, and the names of p2/OAuth2's settings.
struct RequestDocument {
  let settings: Settings

  /// The most that a document may have, in bytes.
  static let maximumSize = 256 * 1_024

  /// Whether the document asks for something other than JSON, as far as that can be told of one that may be
  /// wrong.
  static func asksForText(_ bytes: [UInt8]) -> Bool {
    let output = (try? JSONReader.read(bytes, maximumSize: maximumSize))?.object?[Option.output.member]?
      .string
    return output.map { $0 != OutputFormat.json.rawValue } ?? false
  }

  /// Every member has to be known and of the right kind.
  init(_ bytes: [UInt8], for command: Command) throws(Failure) {
    let object = try JSONReader.members(of: bytes, maximumSize: Self.maximumSize) { fault -> Failure in
      .commandLine(.document(fault))
    }
    var settings = Settings()
    for member in object { try Self.read(member, into: &settings, for: command) }
    self.settings = settings
  }

  /// p2/OAuth2's names for what has another name here. Its settings are one object for all that is done with a provider: a
  /// command that has no use for one of them overlooks it.
  static let aliases: [String: Option] = [
    "authorize_uri": .authorizationEndpoint, "token_uri": .tokenEndpoint, "redirect_uris": .redirectURI,
    "registration_url": .registrationEndpoint, "parameters": .parameter, "headers": .header,
  ]

  /// p2/OAuth2's settings of things that are not decided here; they are accepted and have no effect.
  static let withoutEffect = ["keychain", "verbose"]

  private static func read(
    _ member: JSONObject.Member, into settings: inout Settings, for command: Command
  ) throws(Failure) {
    let name = member.name
    let shown = "--request: \"\(name.forDisplay(limit: 60))\""
    func flag() throws(Failure) -> Bool {
      guard let flag = member.value.bool else { throw .commandLine(.wants(shown, .flag)) }
      return flag
    }
    func secret<Role>() throws(Failure) -> Secret<Role> {
      guard let text = member.value.string, !text.isEmpty else { throw .commandLine(.wants(shown, .string)) }
      return Secret(text)
    }
    if case .null = member.value, notOptions.contains(where: name.isIdentical) { return }
    switch name {
    case _ where withoutEffect.contains(where: name.isIdentical): _ = try flag()
    case "client_secret" where command.options.contains(.clientSecretFile):
      if member.value != "" { settings.clientSecret = try secret() }
    case "password" where command.options.contains(.passwordFile): settings.password = try secret()
    case "refresh_token" where command.options.contains(.responseType): settings.refreshToken = try secret()
    case "initial_access_token" where command.options.contains(.initialAccessTokenFile):
      settings.initialAccessToken = try secret()
    case "token" where command.options.contains(.tokenFile):
      guard let token = member.value.object.flatMap(Token.init(json:)) else {
        throw .commandLine(.wants(shown, .token))
      }
      settings.token = token
    case "secret_in_body":
      let isPosted = try flag()
      if isPosted, command.options.contains(.clientAuthentication) {
        try settings.set(.clientAuthentication, ClientAuthentication.post.rawValue, as: shown)
      }
    case "token_assume_unexpired": settings.assumesUnexpired = try flag()
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

  /// What a document may say: neither where it is itself nor what is for people alone.
  private static func options(of command: Command) -> [Option] {
    command.options.filter { !excluded.contains($0) }
  }

  static let excluded: [Option] = [.request, .help, .verbose, .trace]

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
      guard texts.count == values.count, let first = texts.first else {
        throw .commandLine(.wants(name, .strings))
      }
      return option.isRepeatable ? texts : [first]
    case (.pair, .object(let members)):
      return try members.map { member throws(Failure) in
        // There the value of an option begins.
        let ends = option == .header ? "=:" : "="
        guard !member.name.utf8.contains(where: ends.utf8.contains) else {
          throw .commandLine(.wants(name, .pairNames))
        }
        return "\(member.name)=\(try Self.text(of: member.value, as: name))"
      }
    default:
      throw .commandLine(.wants(name, option.wanted))
    }
  }

  /// The value of a parameter: p2/OAuth2's dictionaries hold numbers and flags as well.
  private static func text(of value: JSONValue, as name: String) throws(Failure) -> String {
    switch value {
    case .string(let text): return text
    case .number(let number): return number.literal
    case .bool(let flag): return flag ? "true" : "false"
    default: throw .commandLine(.wants(name, .pairsOfStrings))
    }
  }

  /// Members that are no option of their own, by the option that a command has if it has a use for them.
  private static let withoutOption: [String: Option] = [
    "client_secret": .clientSecretFile, "initial_access_token": .initialAccessTokenFile,
    "password": .passwordFile, "refresh_token": .responseType, "secret_in_body": .clientAuthentication,
    "token": .tokenFile,
  ]

  private static let notOptions = withoutEffect + ["token_assume_unexpired"] + withoutOption.keys

  private static func unknown(_ name: String, for command: Command) -> Failure {
    let known =
      options(of: command).map(\.member) + aliases.keys + withoutEffect + ["token_assume_unexpired"]
      + withoutOption.filter { command.options.contains($0.value) }.keys
    return .commandLine(.unknownMember(name, nearest: nearestName(to: name, among: known)))
  }
}

extension Option {
  /// Whether a request document may give a list; of redirect URIs the first is used, as p2/OAuth2 does.
  fileprivate var takesList: Bool { self == .redirectURI || isRepeatable }

  /// What a member must be.
  fileprivate var wanted: CommandLineFault.Wanted {
    switch value {
    case .none: .flag
    case .seconds: .number
    case .pair: .pairs
    case .texts: .stringOrStrings
    default: .string
    }
  }
}
