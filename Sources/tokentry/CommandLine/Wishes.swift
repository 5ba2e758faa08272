import GLibSupport
import Glibc
import Language
import LoginCore
import SignIn

/// The caller's wishes, by their groups: from the command line, the document of `--options`, files and the environment.
///
/// ``completed(for:_:_:)`` adds all but the command line.
struct Wishes: Sendable {
  /// The groups, in the order of the help.
  static let groups: [any WishGroup.Type] = [
    ProviderWishes.self, RequestWishes.self, AccountWishes.self, AskingWishes.self, AnswerWishes.self,
    PlaceWishes.self, LogoutWishes.self, APIWishes.self, PageWishes.self, KeepWishes.self, AgentWishes.self,
    GateWishes.self, DemoWishes.self, GeneralWishes.self,
  ]

  private var groups: [ObjectIdentifier: any WishGroup] = [:]
  /// All wishes, in the order in which they were given.
  private(set) var given: [Given] = []
  /// The part of it that stands on the command line.
  var typed: [Given] = []
  /// The names in the values of options with `NAME=VALUE`, each after its option.
  private var pairNames = NameSet()
  /// The words after the command that do not belong to an option.
  var operands: [String] = []
  /// The words after `--`: a program to start, and its arguments.
  var program: [String] = []
  /// The protocol of the command `helper`.
  var helper: (any HelperProtocol.Type)?

  subscript<Group: WishGroup>(_ type: Group.Type) -> Group {
    get { groups[ObjectIdentifier(type)] as? Group ?? Group() }
    set { groups[ObjectIdentifier(type)] = newValue }
  }

  /// Changes a group. It is taken out meanwhile, so that a long list is not copied for each of its values.
  mutating func change<Group: WishGroup>(
    _ type: Group.Type, _ body: (inout Group) throws(Failure) -> Void
  ) throws(Failure) {
    var group = groups.removeValue(forKey: ObjectIdentifier(type)) as? Group ?? Group()
    defer { groups[ObjectIdentifier(type)] = group }
    try body(&group)
  }

  var provider: ProviderWishes {
    get { self[ProviderWishes.self] }
    set { self[ProviderWishes.self] = newValue }
  }
  var request: RequestWishes {
    get { self[RequestWishes.self] }
    set { self[RequestWishes.self] = newValue }
  }
  var account: AccountWishes {
    get { self[AccountWishes.self] }
    set { self[AccountWishes.self] = newValue }
  }
  var asking: AskingWishes {
    get { self[AskingWishes.self] }
    set { self[AskingWishes.self] = newValue }
  }
  var place: PlaceWishes { self[PlaceWishes.self] }
  var answer: AnswerWishes { self[AnswerWishes.self] }

  /// The first word after the command. Most commands take only one.
  var operand: String? { operands.first }

  /// True if the option of this name was given.
  func has(_ name: String) -> Bool { given.contains { $0.option.name == name } }

  /// The first of these options that was given.
  func first(of options: [Option]) -> Option? {
    options.first { option in given.contains { $0.option == option } }
  }

  /// Takes the wishes of one source over, except for those that an earlier source has. For options with `NAME=VALUE`, each
  /// name counts by itself.
  mutating func take(_ source: [Given]) throws(Failure) {
    let (earlier, earlierNames) = (given.map(\.option), pairNames)
    for wish in source {
      let option = wish.option
      if option.hasPairs {
        let pair = "\(option.flag)=\(wish.pair.name)"
        if earlierNames.contains(pair) { continue }
        if !pairNames.insert(pair) {
          throw Failure(.invalidOption, "\(wish.name) gives \"\(wish.pair.name, upTo: 60)\" twice")
        }
      } else if earlier.contains(option) {
        continue
      } else if !option.isRepeatable, given.contains(where: { $0.option == option }) {
        throw Failure(.invalidOption, "\(wish.name) is given twice")
      }
      if option.isSecret { Messages.hide(wish.text) }
      try option.set(&self, wish)
      given.append(wish)
    }
  }

  /// Reads the files that the wishes name.
  @GLibActor
  mutating func readFiles() async throws(Failure) {
    for type in Self.groups {
      guard var group = groups[ObjectIdentifier(type)] else { continue }
      try await group.readFiles()
      groups[ObjectIdentifier(type)] = group
    }
  }
}

/// One wish, as a source has it.
struct Given: Sendable {
  let option: Option
  /// The option or member as the caller wrote it, for messages.
  let name: String
  let text: String
  /// The value in the document.
  let json: JSONValue

  /// Checks the value.
  init(
    _ option: Option, _ text: String, _ json: JSONValue = .null, as name: String
  ) throws(Failure) {
    (self.option, self.name, self.json) = (option, name, json)
    if case .field = option.value { self.text = Self.headerPair(text) } else { self.text = text }
    try check()
  }

  /// Turns a header field as HTTP writes it, `NAME: VALUE`, into a pair. A field name contains neither `:` nor `=`.
  private static func headerPair(_ text: String) -> String {
    let (name, value) = text.splitOnce(at: ":")
    guard let value, !name.utf8.contains(UInt8(ascii: "=")), !value.hasPrefix("=") else { return text }
    return name + "=" + value.drop { $0 == " " }
  }

  /// The name and the value of an option with `NAME=VALUE`.
  var pair: Parameter {
    let (name, value) = text.splitOnce(at: "=")
    return Parameter(name, value ?? "")
  }

  private func check() throws(Failure) {
    switch option.value {
    case .none, .level, .secret, .json: return
    case .data:
      // Bytes that are not text would be sent as U+FFFD.
      if text.unicodeScalars.contains("\u{FFFD}"), !CommandLine.isText { throw .notUTF8(name) }
      return
    default: break
    }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\u{7F}" || $0 == "\u{FFFD}" })
    else {
      throw .takes(name, "UTF-8 text without control characters")
    }
    switch option.value {
    case .none, .level, .secret, .json, .data, .anyLine: break
    case .text, .texts:
      if text.isEmpty { throw .needsValue(name) }
    case .seconds:
      guard text.utf8.allSatisfy(\.isDigit), Int32(text) != nil else {
        throw .takes(name, "a whole number of seconds, at most \(Int64(Int32.max))").with(
          hint: Self.seconds(in: text).map(Failure.Hint.didYouMean))
      }
    case .choice(_, let choices):
      let choices = choices()
      guard choices.contains(text) else {
        let nearest = nearestName(to: text, among: choices)
        throw .takes(name, choices.verbatim.list).with(
          hint: nearest.map(Failure.Hint.didYouMean) ?? option.hint)
      }
    case .pair(let shape):
      if !isPair { throw .takes(name, Message(verbatim: shape)) }
    case .field:
      if !isPair { throw .takes(name, Message(verbatim: "NAME=VALUE")) }
    }
  }

  private var isPair: Bool { !pair.name.isEmpty && text.splitOnce(at: "=").1 != nil }

  /// Returns the seconds in a time such as `5m`.
  private static func seconds(in text: String) -> String? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [Substring: Int32] = ["s": 1, "sec": 1, "m": 60, "min": 60, "h": 3_600, "d": 86_400]
    guard let number = Int32(digits), let unit = units[text[digits.endIndex...]] else { return nil }
    let (seconds, isTooLong) = number.multipliedReportingOverflow(by: unit)
    return isTooLong ? nil : "\(seconds)"
  }
}

/// Values that are parsed.
extension Given {
  /// Parses the value. If `read` returns nil, the failure says that the option takes what is `wanted`.
  func parsed<Value>(_ wanted: Message, _ read: (String) -> Value?) throws(Failure) -> Value {
    guard let value = read(text) else { throw .takes(option.flag, wanted) }
    return value
  }
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
    guard name == "redirect-uri", let rest, rest.hasPrefix("0"),
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
