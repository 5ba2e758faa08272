import LoginCore

/// The version of this program.
enum Version {
  /// The release, as in the changelog.
  static let program = "0.1.0"
  /// The version of the contract with other programs. It changes when the meaning of something changes.
  static let contract: Int64 = 1

  static func text(asJSON: Bool) -> String {
    guard asJSON else { return "tokentry \(program)\n" }
    var object: JSONObject = ["version": .string(program), "contract": .number(JSONNumber(contract))]
    // They come last, because Go does not tell `Version` from `version` and takes the last one.
    for member in DatabricksHelper.version { object[member.name] = member.value }
    return object.text + "\n"
  }
}
