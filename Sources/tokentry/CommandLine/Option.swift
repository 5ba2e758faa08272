import GLibSupport
import Language
import LoginCore
import SignIn

/// An option of the command line, or a member of the document of `--options`. Each stands in one row of its group; help,
/// completion, the document and its schema, redaction and the tests of the man pages read the rows.
struct Option: Sendable, Equatable {
  /// The name, with hyphens for an option of the command line and underscores for a member of the document.
  let name: String
  let value: Value
  let help: String
  var letter: Character?
  /// The heading in the help. Without one, the option belongs to one helper, or only the document has it and no help shows it.
  var heading: Heading?
  var place = Place.everywhere
  /// True if no message may repeat the value.
  var isSecret = false
  /// The hint for a value that resembles none of the choices.
  var hint: Failure.Hint?
  /// The option that a command has if its document may have this member.
  var companion: String?
  /// Sets the property of the group.
  let set: @Sendable (inout Wishes, Given) throws(Failure) -> Void

  enum Place: Sendable {
    case everywhere, commandLine, document
  }

  /// The kind of value that follows an option.
  enum Value: Sendable {
    case none
    /// No value, but the option may be repeated for more of it.
    case level
    case text(String)
    /// A text that may be empty.
    case anyLine(String)
    /// Any text, of several lines as well.
    case data(String)
    case seconds
    /// One of these words, which the help calls by a name.
    case choice(String, @Sendable () -> [String])
    /// A name and a value in this shape. The option may be repeated.
    case pair(_ shape: String = "NAME=VALUE")
    /// A header field, as a pair or as HTTP writes it. The option may be repeated.
    case field
    /// A text. The option may be repeated.
    case texts(String)
    /// A text in the document that no option may carry. An empty text may mean that there is no secret.
    case secret(String, mayBeEmpty: Bool = false)
    /// A JSON value of one of these types in the document.
    case json(String, [String])
  }

  static func == (one: Option, other: Option) -> Bool { one.name == other.name }

  /// The option as it is typed, or the name of the member.
  var flag: String { isMemberOnly ? name : "--\(name)" }

  /// The member of the document.
  var member: String { name.replacingAll("-", with: "_") }

  /// True if only the document has it.
  var isMemberOnly: Bool { place == .document }

  /// True if the option may be given more than once.
  var isRepeatable: Bool {
    switch value {
    case .pair, .field, .texts, .level: true
    default: false
    }
  }

  /// True if each of its values has a name, which may be given once.
  var hasPairs: Bool {
    switch value {
    case .pair, .field: true
    default: false
    }
  }

  /// True if a value follows.
  var takesValue: Bool {
    switch value {
    case .none, .level: false
    default: true
    }
  }

  /// The same option, which the document does not have.
  var onlyTyped: Option {
    var option = self
    option.place = .commandLine
    return option
  }

  /// The same option, whose value no message repeats.
  var asSecret: Option {
    var option = self
    option.isSecret = true
    return option
  }

  /// The same member of the document, which no help shows: for commands that have the option of `companion`, or for all.
  func unlisted(with companion: String? = nil) -> Option {
    var option = self
    (option.place, option.companion) = (.document, companion)
    return option
  }

  /// True for a member of the document that no help shows.
  var isUnlisted: Bool { place == .document && heading == nil }
}

/// A group of wishes with a row for each.
protocol WishGroup: Sendable {
  init()
  static var rows: [Option] { get }
  /// Reads the files that the wishes name.
  @GLibActor mutating func readFiles() async throws(Failure)
}

extension WishGroup {
  mutating func readFiles() async throws(Failure) {}

  /// The options that a command can have.
  static var options: [Option] { rows.filter { !$0.isUnlisted } }

  static func options(_ names: String...) -> [Option] { names.map(option) }

  static func options(but names: String...) -> [Option] { options.filter { !names.contains($0.name) } }

  /// Returns the option of this name. A test finds names that are wrong.
  static func option(_ name: String) -> Option {
    guard let option = rows.first(where: { $0.name == name }) else {
      preconditionFailure("no option \(name)")
    }
    return option
  }

  /// The option as it is typed.
  static func flag(_ name: String) -> String { option(name).flag }
}

/// The rows of a table. The key path of a property is not made before the option is given: making all of them would take a
/// fifth of the time in which a kept token is printed.
extension WishGroup {
  typealias Property<Value> = @Sendable () -> WritableKeyPath<Self, Value>

  /// The rows of a heading.
  static func under(_ heading: Option.Heading, _ rows: [Option]) -> [Option] {
    rows.map { row in
      var row = row
      row.heading = heading
      if heading == .members { row.place = .document }
      return row
    }
  }

  /// A row that calls `set` with each value.
  static func row(
    _ name: String, _ value: Option.Value, _ help: String,
    letter: Character? = nil, hint: Failure.Hint? = nil,
    _ set: @escaping @Sendable (inout Self, Given) throws(Failure) -> Void
  ) -> Option {
    Option(name: name, value: value, help: help, letter: letter, hint: hint) {
      wishes, given throws(Failure) in
      try wishes.change(Self.self) { group throws(Failure) in try set(&group, given) }
    }
  }

  static func flag(
    _ path: @autoclosure @escaping Property<Bool>, _ name: String,
    _ help: String,
    letter: Character? = nil
  ) -> Option {
    row(name, .none, help, letter: letter) { group, _ in group[keyPath: path()] = true }
  }

  static func text(
    _ path: @autoclosure @escaping Property<String?>, _ name: String,
    _ value: Option.Value,
    _ help: String,
    letter: Character? = nil
  ) -> Option {
    row(name, value, help, letter: letter) { group, given in group[keyPath: path()] = given.text }
  }

  /// A row with one value, which is parsed.
  static func value<Value>(
    _ path: @autoclosure @escaping Property<Value?>, _ name: String,
    _ shape: Option.Value,
    _ help: String, _ parse: @escaping @Sendable (Given) throws(Failure) -> Value
  ) -> Option {
    row(name, shape, help) { group, given throws(Failure) in group[keyPath: path()] = try parse(given) }
  }

  /// A row with one value. If `read` returns nil, the failure says that the option takes what is `wanted`.
  static func value<Value>(
    _ path: @autoclosure @escaping Property<Value?>, _ name: String,
    _ shape: Option.Value,
    _ help: String, wanting wanted: @autoclosure @escaping @Sendable () -> Message,
    _ read: @escaping @Sendable (String) -> Value?
  ) -> Option {
    value(path(), name, shape, help) { given throws(Failure) in try given.parsed(wanted(), read) }
  }

  /// A row with an address.
  static func address<Address>(
    _ path: @autoclosure @escaping Property<Address?>, _ name: String,
    _ shape: Option.Value,
    _ help: String, as read: @escaping @Sendable (String) throws(Message) -> Address
  ) -> Option {
    value(path(), name, shape, help) { given throws(Failure) in
      try given.option.parse(given.text, as: read)
    }
  }

  /// A row with several values, which are parsed.
  static func values<Value>(
    _ path: @autoclosure @escaping Property<[Value]>, _ name: String,
    _ shape: Option.Value,
    _ help: String, letter: Character? = nil,
    _ parse: @escaping @Sendable (Given) throws(Failure) -> Value
  ) -> Option {
    row(name, shape, help, letter: letter) { group, given throws(Failure) in
      group[keyPath: path()].append(try parse(given))
    }
  }

  /// A row with several values. If `read` returns nil, the failure says that the option takes what is `wanted`.
  static func values<Value>(
    _ path: @autoclosure @escaping Property<[Value]>, _ name: String,
    _ shape: Option.Value,
    _ help: String, wanting wanted: @autoclosure @escaping @Sendable () -> Message,
    _ read: @escaping @Sendable (String) -> Value?
  ) -> Option {
    values(path(), name, shape, help) { given throws(Failure) in try given.parsed(wanted(), read) }
  }

  static func seconds<Number: FixedWidthInteger & SendableMetatype>(
    _ path: @autoclosure @escaping Property<Number?>, _ name: String,
    _ help: String
  ) -> Option {
    row(name, .seconds, help) { group, given in group[keyPath: path()] = Number(given.text) }
  }

  /// A row with one of the cases of a type, or another word, which leaves the choice open.
  static func choice<Choice: CaseIterable & RawRepresentable<String> & SendableMetatype>(
    _ path: @autoclosure @escaping Property<Choice?>, _ name: String,
    called shape: String,
    or other: String? = nil, _ help: String, letter: Character? = nil, hint: Failure.Hint? = nil
  ) -> Option {
    let choices: @Sendable () -> [String] = {
      [other].compactMap(\.self) + Choice.allCases.map(\.rawValue)
    }
    return row(name, .choice(shape, choices), help, letter: letter, hint: hint) { group, given in
      group[keyPath: path()] = Choice(rawValue: given.text)
    }
  }

  /// A row for a secret of the document. No message repeats it.
  static func secret<Role>(
    _ path: @autoclosure @escaping Property<Secret<Role>?>, _ name: String,
    _ value: Option.Value,
    _ help: String
  ) -> Option {
    row(name, value, help) { group, given in group[keyPath: path()] = Secret(given.text) }.asSecret
  }
}

/// Names of options.
extension Option {
  /// The options with a heading in the help.
  static let all = Wishes.groups.flatMap { $0.rows }.filter { $0.heading != nil }

  /// Other names that are accepted, since other programs have them.
  private static let otherNames = ["--no-prompt": "silent"]

  /// Reads an option of the command line, or its short form.
  init?(typed flag: String, among arguments: [Option] = []) {
    // Tables are made only for words that may be in them.
    guard flag.hasPrefix("-") else { return nil }
    let other = Self.otherNames[flag]
    let isMeant = { (option: Option) in
      option.place != .document
        && (option.flag == flag || option.letter.map { "-\($0)" } == flag || option.name == other)
    }
    var found = arguments.first(where: isMeant)
    for group in Wishes.groups where found == nil { found = group.rows.first(where: isMeant) }
    guard let found else { return nil }
    self = found
  }
}

/// The names of endpoints in `--endpoint NAME=URL`: those of the metadata without their common ending.
extension EndpointName {
  private static let ending = "_endpoint"

  var shortName: String {
    rawValue.hasSuffix(Self.ending) ? String(rawValue.dropLast(Self.ending.count)) : rawValue
  }

  init?(shortName: String) {
    guard let name = Self.allCases.first(where: { $0.shortName == shortName }) else { return nil }
    self = name
  }

  /// The option that sets the address of the endpoint.
  var flag: String { "\(ProviderWishes.flag("endpoint")) \(shortName)=URL" }
}
