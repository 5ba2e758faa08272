/// A preset file (tokentry-provider(5)) that was read and found right: the description of a provider as data.
public struct Preset: Sendable {
  /// The object as it is in the file.
  package let json: JSONObject
  private let source: [UInt8]?

  /// The most that a preset file may have, in bytes.
  package static let maximumSize = 256 * 1_024

  /// Reads a file; every member has to be known and of the right kind.
  public init(_ bytes: [UInt8]) throws(PresetFault) {
    json = try JSONReader.members(of: bytes, maximumSize: Self.maximumSize) { fault in
      PresetFault(line: fault.line, reason: .notJSON(fault.reason))
    }
    source = bytes
    try checkNames()
    try checkDefaults()
    // With examples for its variables every address has to be one already.
    _ = try provider(filledIn: Template(examplesFor: Set(variables.map(\.name) + ["client_id"])))
  }

  /// One in which nothing is left to fill in, such as that of a kept account; nothing of it has been checked. It is in no
  /// file, so that its faults are in the first line.
  init(verbatim json: JSONObject) { (self.json, source) = (json, nil) }

  /// What people call the provider.
  public var name: String? { json["name"]?.string }

  /// Whether a test stands behind what the preset says.
  package var isVerified: Bool { json["verified"]?.bool ?? false }

  /// The variables as they are in the file.
  var declared: JSONObject { json["variables"]?.object ?? [:] }

  /// The variables that have to be given, and what each is, for a person.
  public var variables: [(name: String, meaning: String)] {
    declared.map { ($0.name, $0.value.string ?? "") }
  }

  /// The values of variables that need not be given.
  private var defaults: [String: String] {
    Dictionary((json["variable_defaults"]?.texts ?? []).map { ($0.name, $0.value) }) { $1 }
  }

  /// The provider with all variables filled in. `client_id` is always one of them.
  public func provider(variables values: [String: String], clientID: String) throws(Failure) -> Provider {
    let values = values.merging(defaults) { given, _ in given }
    for (name, meaning) in variables where values[name, default: ""].isEmpty {
      throw .caller(.noVariable(name, meaning: meaning))
    }
    for name in values.keys.sorted() where declared[name] == nil {
      throw .caller(
        .unknownVariable(name, nearest: nearestName(to: name, among: variables.map(\.name))))
    }
    let template = Template(values: values.merging(["client_id": clientID]) { $1 })
    return try failing(provider(filledIn: template)) { (fault: PresetFault) in
      .caller(.unfitVariables(fault.reason))
    }
  }

  func fault(_ path: [String], _ reason: PresetFault.Reason) -> PresetFault {
    PresetFault(line: source.map { JSONReader.line(of: path, in: $0) } ?? 1, reason: reason)
  }
}
