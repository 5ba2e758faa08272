import LoginCore

/// The options as one JSON object, from `--options`. Its members are those of the command line with underscores in their
/// names, wishes of few programs, endpoints by their names in metadata, secrets that no option may carry, and the settings
/// of p2/OAuth2.
enum OptionsDocument {
  /// The limit for the size, in bytes.
  static let maximumSize = 256 * 1_024

  /// Returns the format of the answer that the document asks for. The document may be wrong.
  static func output(in bytes: [UInt8]) -> String? {
    let object = (try? JSONReader.read(bytes, maximumSize: maximumSize))?.object
    return object?[AnswerWishes.option("output").member]?.string
  }

  /// Reads the wishes. Refuses unknown members and wrong values.
  static func wishes(in bytes: [UInt8], for command: Command) throws(Failure) -> [Given] {
    let object = try JSONReader.members(of: bytes, maximumSize: maximumSize) { error in
      Failure(.invalidOption, "\(RequestWishes.flag("options")): \(error.located)")
    }
    let members = Members(of: command)
    var wishes: [Given] = []
    for member in object { wishes += try members.wishes(in: member) }
    return wishes
  }

  /// The names in p2/OAuth2 of options that are called otherwise here. p2/OAuth2 has one object for everything that is done
  /// with a provider, so a command ignores the settings that it has no use for.
  static let aliases = [
    "redirect_uris": ProviderWishes.option("redirect-uri"), "parameters": RequestWishes.option("param"),
    "headers": RequestWishes.option("header"),
  ]

  /// The names of endpoints, which are those of metadata or of p2/OAuth2.
  static let endpoints: [String: EndpointName] = EndpointName.allCases.reduce(
    into: ["authorize_uri": .authorization, "token_uri": .token, "registration_url": .registration]
  ) { $0[$1.rawValue] = $1 }

  /// A setting of p2/OAuth2 that stands for a way to authenticate.
  static let secretInBody = "secret_in_body"

  /// Settings of p2/OAuth2 that are accepted without effect.
  static let withoutEffect = ["keychain", "verbose"]

  /// The members that no help shows.
  static let unlisted = Wishes.groups.flatMap { $0.rows }.filter(\.isUnlisted)
}

/// The members of a document for one command.
private struct Members {
  /// The options of the command.
  private let options: [Option]
  /// Those that a document may have, with those that no help shows.
  private let own: [Option]

  init(of command: Command) {
    let options = command.options
    self.options = options
    own =
      options.filter { $0.place != .commandLine }
      + OptionsDocument.unlisted.filter { member in
        guard let companion = member.companion else { return true }
        return options.contains { $0.name == companion }
      }
  }

  func wishes(in member: JSONObject.Member) throws(Failure) -> [Given] {
    let (name, value) = (member.name, member.value)
    let shown = "\(RequestWishes.flag("options")): \"\(name.forDisplay(limit: 60))\""
    if let option = OptionsDocument.aliases[name] ?? own.first(where: { $0.member.isIdentical(to: name) }) {
      let wishes = try Self.wishes(option, value, as: shown)
      return options.contains(option) || own.contains(option) ? wishes : []
    }
    if let endpoint = OptionsDocument.endpoints[name] {
      let option = ProviderWishes.option("endpoint")
      guard options.contains(option) else { return [] }
      let texts = try Self.texts(ProviderWishes.option("issuer"), value, as: shown)
      return try texts.map { text throws(Failure) in
        try Given(option, "\(endpoint.shortName)=\(text)", as: shown)
      }
    }
    let notOptions = OptionsDocument.unlisted + Option.all.filter { $0.isMemberOnly && $0.isSecret }
    if case .null = value, isKnown(name, among: notOptions.map(\.member)) { return [] }
    guard isKnown(name, among: OptionsDocument.withoutEffect + [OptionsDocument.secretInBody]) else {
      throw unknown(name)
    }
    if case .null = value { return [] }
    guard let flag = value.bool else { throw .takes(shown, "true or false") }
    let method = RequestWishes.option("client_authentication")
    guard flag, name.isIdentical(to: OptionsDocument.secretInBody), options.contains(method) else {
      return []
    }
    return [try Given(method, ClientAuthentication.post.rawValue, as: shown)]
  }

  private func isKnown(_ name: String, among names: [String]) -> Bool {
    names.contains(where: name.isIdentical)
  }

  private static func wishes(
    _ option: Option, _ value: JSONValue, as name: String
  ) throws(Failure) -> [Given] {
    switch option.value {
    case .json:
      if case .null = value { return [] }
      return [try Given(option, value.string ?? value.text, value, as: name)]
    case .secret(_, let mayBeEmpty):
      if case .null = value { return [] }
      guard let text = value.string, mayBeEmpty || !text.isEmpty else { throw .takes(name, "a string") }
      if text.isEmpty { return [] }
      return [try Given(option, text, as: name)]
    default:
      return try texts(option, value, as: name).map { text throws(Failure) in
        try Given(option, text, as: name)
      }
    }
  }

  private static func texts(
    _ option: Option, _ value: JSONValue, as name: String
  ) throws(Failure) -> [String] {
    switch (option.value, value) {
    case (_, .null): return []
    case (.none, .bool(let isSet)): return isSet ? [""] : []
    case (.seconds, .number(let number)): return [number.literal]
    case (.text, .string(let text)), (.anyLine, .string(let text)), (.texts, .string(let text)),
      (.choice, .string(let text)), (.seconds, .string(let text)):
      return [text]
    case (.texts, .array(let values)),
      (.text, .array(let values)) where option.takesList:
      let texts = values.compactMap(\.string)
      guard texts.count == values.count, let first = texts.first else { throw .takes(name, "strings") }
      return option.isRepeatable ? texts : [first]
    case (.pair, .object(let members)): return try pairs(members, without: "=", as: name)
    case (.field, .object(let members)): return try pairs(members, without: "=:", as: name)
    default:
      throw .takes(name, option.wanted)
    }
  }

  /// The characters in `ends` end the name in the value of an option.
  private static func pairs(
    _ members: JSONObject, without ends: String, as name: String
  ) throws(Failure) -> [String] {
    try members.map { member throws(Failure) in
      guard !member.name.utf8.contains(where: ends.utf8.contains) else {
        throw .takes(name, "names without = and :")
      }
      return "\(member.name)=\(try text(of: member.value, as: name))"
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

  private func unknown(_ name: String) -> Failure {
    var known = own.map(\.member) + OptionsDocument.aliases.keys + OptionsDocument.endpoints.keys
    known += OptionsDocument.withoutEffect
    if options.contains(RequestWishes.option("client_authentication")) {
      known.append(OptionsDocument.secretInBody)
    }
    let reason: Message = "unknown member \"\(name, upTo: 60)\""
    return Failure(
      .invalidOption, "\(RequestWishes.flag("options")): \(reason)",
      hint: nearestName(to: name, among: known).map(Failure.Hint.didYouMean))
  }
}

extension Option {
  /// True if a member may be a list. p2/OAuth2 uses the first of several redirect URIs.
  var takesList: Bool { name == "redirect-uri" || isRepeatable }

  /// The value that a member needs.
  fileprivate var wanted: Message {
    switch value {
    case .none, .level: "true or false"
    case .seconds: "a number"
    case .pair, .field: "an object of strings"
    case .texts: "a string or an array of strings"
    default: "a string"
    }
  }
}
