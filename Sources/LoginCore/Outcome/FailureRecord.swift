/// A failure as one program tells it to others of the same user: what the contract promises of it, and no address of
/// a page, which may hold what was meant for one login alone.
public struct FailureRecord: Sendable, Equatable {
  /// The exit status.
  let exitStatus: Int32
  /// The object for standard output.
  let json: JSONObject
  /// What happened, for a person.
  let message: String
  /// What the person can do.
  let hint: String?

  /// What is to be told of a failure.
  init(_ failure: Failure) {
    exitStatus = failure.exitStatus
    var json = failure.json
    if var details = json["details"]?.object {
      details["uri"] = nil
      json["details"] = details.isEmpty ? nil : .object(details)
    }
    json["error_uri"] = nil
    self.json = json
    message = failure.message
    hint = failure.hint
  }

  /// The members for a file.
  var document: JSONObject {
    var object: JSONObject = ["status": .number(JSONNumber(Int64(exitStatus))), "error": .object(json)]
    object["message"] = .string(message)
    object["hint"] = hint.map(JSONValue.string)
    return object
  }

  /// Reads what ``document`` wrote.
  init?(document: JSONObject) {
    guard case .number(let number) = document["status"], let status = Int32(number.literal),
      (1...9).contains(status), let json = document["error"]?.object,
      let message = document["message"]?.string,
      json["error"]?.string != nil, json["origin"]?.string != nil
    else { return nil }
    exitStatus = status
    self.json = json
    self.message = message
    hint = document["hint"]?.string
  }
}
