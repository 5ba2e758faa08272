import Glibc
import Language
import LoginCore
import SignIn

/// The caller's wishes: options from the command line and the document of `--options`, and the secrets that no option may
/// carry.
///
/// ``completed(for:_:_:)`` adds the contents of files and the environment.
struct Settings: Sendable {
  /// An array, because searching a few options is faster than hashing them.
  private var values: [(option: Option, texts: [String])] = []
  /// The names in the values of options with `NAME=VALUE`, each after its option.
  private var pairNames = NameSet()
  /// From the document, a file or the environment.
  var clientSecret: ClientSecret?
  /// From the document or a file.
  var clientKey: ClientKey?
  /// From the document or the environment.
  var password: Password?
  /// A token to refresh, from the document.
  var refreshToken: RefreshToken?
  /// The token with which a client is registered, from the document.
  var initialAccessToken: AccessToken?
  /// A token that an earlier login printed, from a file or the document.
  var token: Token?
  /// The JSON array of RFC 9396, in one line, from the document.
  var authorizationDetails: String?
  /// The words after the command that do not belong to an option.
  var operands: [String] = []
  /// The protocol of the command `helper`.
  var helperProtocol: (any HelperProtocol.Type)?
  /// The form that is sent to the first page, from a file.
  var postedForm: PostedForm?
  /// The values with which a test fills in forms, with the contents of their files.
  var formValues: [Parameter] = []
  /// True if a token without an expiry is assumed to be good. nil if the document does not say.
  var assumesUnexpired: Bool?

  /// The value of an option.
  subscript(option: Option) -> String? { texts(option)?.last }

  /// All values of an option that may be repeated.
  func all(_ option: Option) -> [String] { texts(option) ?? [] }

  private func texts(_ option: Option) -> [String]? { values.first { $0.option == option }?.texts }

  private mutating func add(_ texts: [String], to option: Option) {
    if let place = values.firstIndex(where: { $0.option == option }) {
      values[place].texts += texts
    } else {
      values.append((option, texts))
    }
  }

  /// The first word after the command. Most commands take only one.
  var operand: String? { operands.first }

  /// True if the option is set.
  func has(_ option: Option) -> Bool { texts(option) != nil }

  /// The options that are set, in the order in which they were given.
  var given: [Option] { values.map(\.option) }

  /// The values of an option with `NAME=VALUE`.
  func pairs(_ option: Option) -> [Parameter] {
    all(option).map { text in
      let (name, value) = text.splitOnce(at: "=")
      return Parameter(name, value ?? "")
    }
  }

  /// Checks a value and adds it. Messages call the option `name`, as the caller wrote it.
  mutating func set(_ option: Option, _ value: String, as name: String) throws(Failure) {
    if has(option), !option.isRepeatable { throw Failure(.invalidOption, "\(name) is given twice") }
    let value = option == .header ? Self.headerPair(value) : value
    try check(value, of: option, as: name)
    if case .pair = option.value, !pairNames.insert(Self.pairName(option, value)) {
      throw Failure(.invalidOption, "\(name) gives \"\(value.splitOnce(at: "=").0, upTo: 60)\" twice")
    }
    add([value], to: option)
  }

  /// Adds the settings of `other` that are not set yet. For options with `NAME=VALUE`, each name counts by itself.
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
    clientKey = clientKey ?? other.clientKey
    password = password ?? other.password
    refreshToken = refreshToken ?? other.refreshToken
    initialAccessToken = initialAccessToken ?? other.initialAccessToken
    token = token ?? other.token
    authorizationDetails = authorizationDetails ?? other.authorizationDetails
    assumesUnexpired = assumesUnexpired ?? other.assumesUnexpired
  }

  private static func pairName(_ option: Option, _ value: String) -> String {
    "\(option.flag)=\(value.splitOnce(at: "=").0)"
  }

  /// Turns a header field as HTTP writes it, `NAME: VALUE`, into a pair. A field name contains neither `:` nor `=`.
  private static func headerPair(_ text: String) -> String {
    let (name, value) = text.splitOnce(at: ":")
    guard let value, !name.utf8.contains(UInt8(ascii: "=")), !value.hasPrefix("=") else { return text }
    return name + "=" + value.drop { $0 == " " }
  }

  private func check(_ value: String, of option: Option, as name: String) throws(Failure) {
    if option == .data {
      // Data may contain any text. Bytes that are not text would be sent as U+FFFD.
      if value.unicodeScalars.contains("\u{FFFD}"), !CommandLine.isText { throw .notUTF8(name) }
      return
    }
    guard !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\u{7F}" || $0 == "\u{FFFD}" })
    else {
      throw .takes(name, "UTF-8 text without control characters")
    }
    switch option.value {
    case .none, .level: break
    case .text, .texts:
      // An empty scope replaces the preset's.
      if value.isEmpty, option != .scope { throw .needsValue(name) }
    case .seconds:
      guard value.utf8.allSatisfy(\.isDigit), Int32(value) != nil else {
        throw .takes(name, "a whole number of seconds, at most \(Int64(Int32.max))").with(
          hint: Self.seconds(in: value).map(Failure.Hint.didYouMean))
      }
    case .choice(_, let choices):
      guard choices.contains(value) else {
        let nearest = nearestName(to: value, among: choices)
        let hint = nearest.map(Failure.Hint.didYouMean) ?? (option == .way ? Self.browserHint : nil)
        throw .takes(name, choices.verbatim.list).with(hint: hint)
      }
    case .pair(let shape):
      let (key, text) = value.splitOnce(at: "=")
      // A certificate is trusted for a host, not for one of its ports. An IPv6 address has several colons.
      let isNoHost =
        option == .trust && (key.contains { "]/@*".contains($0) } || key.filter { $0 == ":" }.count == 1)
      guard !key.isEmpty, text != nil, !isNoHost else { throw .takes(name, Message(verbatim: shape)) }
      if option == .endpoint, EndpointName(shortName: key) == nil {
        let names = EndpointName.allCases.map(\.shortName)
        throw .takes(name, names.verbatim.list).with(
          hint: nearestName(to: key, among: names).map(Failure.Hint.didYouMean))
      }
    }
  }
}

/// Values that are almost right.
extension Settings {
  private static let browserHint: Failure.Hint =
    "--way browser opens your default browser, and --browser COMMAND another one"

  /// Returns the seconds in a time such as `5m`.
  private static func seconds(in text: String) -> String? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [Substring: Int32] = ["s": 1, "sec": 1, "m": 60, "min": 60, "h": 3_600, "d": 86_400]
    guard let number = Int32(digits), let unit = units[text[digits.endIndex...]] else { return nil }
    let (seconds, isTooLong) = number.multipliedReportingOverflow(by: unit)
    return isTooLong ? nil : "\(seconds)"
  }
}

extension Settings {
  /// Returns the parsed value of an option, or nil if it is not set. If `parse` returns nil, the failure says that the
  /// option takes what is `wanted`.
  func value<Value>(
    of option: Option, wanting wanted: Message, _ parse: (String) -> Value?
  ) throws(Failure) -> Value? {
    guard let text = self[option] else { return nil }
    guard let value = parse(text) else { throw .takes(option.flag, wanted) }
    return value
  }

  /// Returns the address in an option, or nil if it is not set.
  func value<Address>(
    of option: Option, as read: (String) throws(Message) -> Address
  ) throws(Failure) -> Address? {
    try self[option].map { text throws(Failure) in try option.parse(text, as: read) }
  }

  /// True if the user reads standard output, so that some commands print a table instead of JSON.
  var isForReader: Bool { !has(.output) && isatty(StandardOutput.descriptor) == 1 }

  var output: OutputFormat { self[.output].flatMap(OutputFormat.init) ?? .json }

  /// The messages that the caller wants.
  var messages: Messages { Messages([.quiet, .verbose, .trace][min(all(.verbose).count, 2)]) }

  /// The seconds to wait for the user. Zero means no limit.
  var timeout: Int { self[.timeout].flatMap { Int($0) } ?? 300 }
}

extension Option {
  /// Parses the address in the option.
  func parse<Address>(
    _ text: String, as read: (String) throws(Message) -> Address, in place: String? = nil
  ) throws(Failure) -> Address {
    try failing(read(text)) { .address(place ?? flag, text, $0).with(hint: correction(of: text, as: read)) }
  }

  /// The hint about an address that only lacks its scheme, or that names port 0 to get a free one.
  private func correction<Address>(
    of text: String, as read: (String) throws(Message) -> Address
  ) -> Failure.Hint? {
    func isGood(_ text: String) -> Bool { (try? read(text)) != nil }
    guard let start = text.startOfAuthority else {
      let host = text.prefix { !":/".contains($0) }
      let isHere = host == "localhost" || host.hasPrefix("127.")
      let address = (isHere ? "http://" : "https://") + text
      return (isHere || host.contains(".")) && isGood(address)
        ? .didYouMean(Redaction.given(address).forDisplay(limit: 100)) : nil
    }
    let (host, rest) = String(text[start...]).splitOnce(at: ":")
    guard self == .redirectURI, let rest, rest.hasPrefix("0"),
      isGood(String(text[..<start]) + host + rest.withoutFirstByte)
    else { return nil }
    return "leave the port out: a free one is chosen for each login"
  }
}

extension CommandLine {
  /// True if all arguments are UTF-8. Other bytes are U+FFFD in ``arguments``.
  fileprivate static var isText: Bool {
    UnsafeBufferPointer(start: unsafeArgv, count: Int(argc)).allSatisfy {
      $0.map { String(validatingCString: $0) != nil } ?? true
    }
  }
}
