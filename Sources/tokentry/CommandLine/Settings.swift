import Glibc
import LoginCore
import Wording

/// What the caller has said, wherever it was said: options by their names, and the secrets that no option
/// may carry.
struct Settings: Sendable {
  /// Few, which are sooner looked through than hashed.
  private var values: [(option: Option, texts: [String])] = []
  /// The names in the values of options that take `NAME=VALUE`, each with its option in front.
  private var pairNames = NameSet()
  /// The client's secret, from a request document or the environment.
  var clientSecret: ClientSecret?
  /// The user's password, from a request document, a file or the environment.
  var password: Password?
  /// What is to be renewed in place of a login, from a request document.
  var refreshToken: RefreshToken?
  /// What the provider wants of a new client, from a file or a request document.
  var initialAccessToken: AccessToken?
  /// A token that an earlier login printed, from a file or a request document.
  var token: Token?
  /// What exactly is asked for, from a file: a JSON array in one line (RFC 9396).
  var authorizationDetails: String?
  /// What follows the command without an option.
  var operands: [String] = []
  /// The protocol that a helper speaks.
  var helperProtocol: (any HelperProtocol.Type)?
  /// What the forms of a test are filled with, when their files have been read.
  var formValues: [Parameter] = []
  /// Whether a token without an end is good for ever, if a request document says so or denies it.
  var assumesUnexpired: Bool?

  /// The value of an option that is given once.
  subscript(option: Option) -> String? { texts(option)?.last }

  func all(_ option: Option) -> [String] { texts(option) ?? [] }

  private func texts(_ option: Option) -> [String]? { values.first { $0.option == option }?.texts }

  private mutating func add(_ texts: [String], to option: Option) {
    if let place = values.firstIndex(where: { $0.option == option }) {
      values[place].texts += texts
    } else {
      values.append((option, texts))
    }
  }

  /// The one word that most commands take.
  var operand: String? { operands.first }

  /// Whether a flag is set.
  func has(_ option: Option) -> Bool { texts(option) != nil }

  /// The options that are set, in the order of the table.
  var given: [Option] { Option.allCases.filter(has) }

  /// The pairs of an option that takes `NAME=VALUE`.
  func pairs(_ option: Option) -> [Parameter] {
    all(option).map { text in
      let (name, value) = text.splitOnce(at: "=")
      return Parameter(name, value ?? "")
    }
  }

  /// Adds a value after checking that the option takes it. `name` is what the caller wrote.
  mutating func set(_ option: Option, _ value: String, as name: String) throws(Failure) {
    if has(option), !option.isRepeatable {
      throw .commandLine(.givenTwice(name))
    }
    let value = option == .header ? Self.headerPair(value) : value
    try check(value, of: option, as: name)
    if case .pair = option.value {
      guard pairNames.insert(Self.pairName(option, value)) else {
        throw .commandLine(.nameGivenTwice(name, name: value.splitOnce(at: "=").0))
      }
    }
    add([value], to: option)
  }

  /// Takes over what `other` says and this does not; of pairs, each name by itself.
  mutating func fill(from other: Settings) {
    for (option, theirs) in other.values {
      if !has(option) {
        add(theirs, to: option)
      } else if case .pair = option.value {
        add(theirs.filter { !pairNames.contains(Self.pairName(option, $0)) }, to: option)
      }
      if case .pair = option.value {
        for value in theirs { pairNames.insert(Self.pairName(option, value)) }
      }
    }
    clientSecret = clientSecret ?? other.clientSecret
    password = password ?? other.password
    refreshToken = refreshToken ?? other.refreshToken
    initialAccessToken = initialAccessToken ?? other.initialAccessToken
    token = token ?? other.token
    assumesUnexpired = assumesUnexpired ?? other.assumesUnexpired
  }

  private static func pairName(_ option: Option, _ value: String) -> String {
    "\(option.flag)=\(value.splitOnce(at: "=").0)"
  }

  /// A header field as HTTP writes it becomes a pair: neither sign can be in its name.
  private static func headerPair(_ text: String) -> String {
    let (name, value) = text.splitOnce(at: ":")
    guard let value, !name.utf8.contains(UInt8(ascii: "=")), !value.hasPrefix("=") else { return text }
    return name + "=" + value.drop { $0 == " " }
  }

  private func check(_ value: String, of option: Option, as name: String) throws(Failure) {
    if option == .data {
      // It is sent as it is, but what was no text is not as it was any more.
      if value.unicodeScalars.contains("\u{FFFD}"), !CommandLine.isText {
        throw .commandLine(.notUTF8(name))
      }
      return
    }
    guard !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\u{7F}" || $0 == "\u{FFFD}" })
    else {
      throw .commandLine(.wants(name, .cleanText))
    }
    switch option.value {
    case .none: break
    case .text, .texts:
      // An empty scope takes back the preset's.
      if value.isEmpty, option != .scope { throw .commandLine(.needsValue(name)) }
    case .seconds:
      guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), Int32(value) != nil else {
        throw .commandLine(.wants(name, .seconds))
      }
    case .choice(let choices):
      guard choices.contains(value) else {
        throw .commandLine(.choice(name, of: choices, nearest: nearestName(to: value, among: choices)))
      }
    case .pair(let shape):
      let (key, text) = value.splitOnce(at: "=")
      // A certificate is one of a host, whatever its port; the address of one has several colons.
      let hasPort = option == .trust && (key.contains("]") || key.filter { $0 == ":" }.count == 1)
      guard !key.isEmpty, text != nil, !hasPort else { throw .commandLine(.wants(name, .pair(shape))) }
    }
  }
}

extension Settings {
  /// What the text of an option stands for, if it is given.
  func value<Value>(
    of option: Option, wanting wanted: CommandLineFault.Wanted, _ parse: (String) -> Value?
  ) throws(Failure) -> Value? {
    guard let text = self[option] else { return nil }
    guard let value = parse(text) else { throw .commandLine(.wants(option.flag, wanted)) }
    return value
  }

  /// Whether a person reads the answer of a command that can put it in a table.
  var isForReader: Bool { !has(.json) && isatty(StandardOutput.descriptor) == 1 }

  /// How long to wait for the user, in seconds; zero is for ever.
  var timeout: Int { self[.timeout].flatMap { Int($0) } ?? 300 }
}
