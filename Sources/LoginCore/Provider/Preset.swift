/// A preset file that has been read and checked: the description of a provider as data, tokentry-provider(5).
public struct Preset: Sendable {
  /// The object in the file.
  package let json: JSONObject
  private let source: [UInt8]
  private let extra: ExtraMembers

  /// The largest size of a preset file, in bytes.
  package static let maximumSize = 256 * 1_024

  /// Reads a file. Throws unless every member that concerns a login is of the right kind.
  ///
  /// A file may also have members for applications, such as the hosts for which git may have a token. They are skipped, so
  /// every file that `tokentry` accepts can be read. An unknown name that looks like a misspelt one is refused.
  public init(_ bytes: [UInt8]) throws(Failure) {
    self = try failing(Preset(bytes, extra: .skipped)) { (error: JSONError) in
      Failure(.invalidConfiguration, error.located)
    }
  }

  /// Reads a file for an application with members of its own. Throws unless every member is known and of the right kind.
  package init(_ bytes: [UInt8], extra: ExtraMembers) throws(JSONError) {
    json = try JSONReader.members(of: bytes, maximumSize: Self.maximumSize) { $0 }
    source = bytes
    self.extra = extra
    // Examples in place of the variables show that every address is one.
    _ = try provider(filledIn: Template(examplesFor: Set(variables.map(\.name) + ["client_id"])))
    for name in variableDefaults.keys.sorted() where declared[name] == nil {
      throw refusal(
        of: ["variable_defaults", name], "{\(name, upTo: 60)} is not a variable of this preset")
    }
  }

  /// The provider's name for people.
  public var name: String? { json["name"]?.string }

  /// How the preset was tried: `stand-in`, or the month of a sign-in at the provider itself.
  package var tested: String? { json["tested"]?.string }

  private var declared: JSONObject { json["variables"]?.object ?? [:] }

  /// The variables in the order of the file, with an explanation of each for people.
  public var variables: [(name: String, meaning: String)] {
    declared.map { ($0.name, $0.value.string ?? "") }
  }

  /// The values of variables that need not be given.
  package var variableDefaults: [String: String] {
    (json["variable_defaults"]?.object ?? [:]).reduce(into: [:]) { $0[$1.name] = $1.value.string }
  }

  /// Returns the provider with all variables filled in. `clientID` is the value of the variable `client_id`, which every
  /// preset has.
  public func provider(variables values: [String: String], clientID: String) throws(Failure) -> Provider {
    let values = variableDefaults.merging(values) { $1 }
    for (name, meaning) in variables where values[name, default: ""].isEmpty {
      throw .missingVariable(name, meaning: meaning)
    }
    for name in values.keys.sorted() where declared[name] == nil {
      throw Failure(
        .invalidOption, "the preset has no variable \"\(name, upTo: 60)\"",
        hint: nearestName(to: name, among: variables.map(\.name)).map(Failure.Hint.didYouMean)
          ?? .text(
            variables.isEmpty ? "it has none" : "it has \(variables.map { Message(verbatim: $0.name) }.list)")
      )
    }
    let template = Template(values: values.merging(["client_id": clientID]) { $1 })
    return try failing(provider(filledIn: template)) { (error: JSONError) in
      Failure(.invalidConfiguration, "the values given for the preset do not fit: \(error.message)")
    }
  }

  private func provider(filledIn template: Template) throws(JSONError) -> Provider {
    do throws(MemberRefusal) {
      var provider = try Provider(json, at: MemberPlace([], template))
      provider.extra = try extra.read(provider.extra, template)
      return provider
    } catch {
      throw refusal(of: error.path, error.reason)
    }
  }

  private func refusal(of path: [String], _ reason: Message) -> JSONError {
    JSONError(message: reason, line: JSONReader.line(of: path, in: source))
  }
}

/// The members of a preset that an application has for itself. The provider keeps them in ``Provider/extra``.
package struct ExtraMembers: Sendable {
  /// Checks the members that ``Provider`` does not know, and returns them with their variables filled in.
  let read: @Sendable (JSONObject, Template) throws(MemberRefusal) -> JSONObject

  private init(_ read: @escaping @Sendable (JSONObject, Template) throws(MemberRefusal) -> JSONObject) {
    self.read = read
  }

  /// The members of `Own`. All others are refused.
  package init<Own: MemberCoded>(of _: Own.Type) {
    self.init { (members, template) throws(MemberRefusal) in
      var own = Own()
      var coder = MemberCoder(reading: members, at: MemberPlace([], template))
      own.code(&coder)
      try coder.finish(orAmong: Provider.members.map(\.name))
      return own.json
    }
  }

  /// Leaves out every member, unless it looks like a misspelt one of ``Provider``.
  static let skipped = ExtraMembers { (members, _) throws(MemberRefusal) in
    let names = Provider.members.map(\.name)
    for member in members where nearestName(to: member.name, among: names) != nil {
      throw .unknownMember(member.name, among: names)
    }
    return [:]
  }
}

extension Failure {
  /// A variable of the preset that has neither a value nor a default.
  static func missingVariable(_ name: String, meaning: String) -> Failure {
    Failure(
      .invalidConfiguration, "the preset needs the variable \(name)",
      hint: .setVariable(name, meaning: meaning))
  }
}
