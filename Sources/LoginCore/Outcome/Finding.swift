/// One thing that logins need of a machine, and whether it is there.
public struct Finding: Sendable, Equatable {
  /// How it is.
  public enum State: String, Sendable {
    /// It works.
    case ok
    /// Logins work, but not as well as they could.
    case warning
    /// What needs it does not work.
    case failed
    /// It could not be looked at.
    case unknown
  }

  /// What was looked at, in one word.
  public let name: String
  public let state: State
  /// What was found, for a person: lower case, in one line, without a full stop.
  public let message: String
  /// What mends it.
  public let hint: String?

  /// What was found of `name`.
  public init(_ name: String, _ state: State, _ message: String, hint: String? = nil) {
    self.name = name
    self.state = state
    self.message = message
    self.hint = hint
  }

  /// The object for a program.
  public var json: JSONObject {
    var object: JSONObject = [
      "name": .string(name), "state": .string(state.rawValue), "message": .string(message),
    ]
    object["hint"] = hint.map(JSONValue.string)
    return object
  }
}

extension [Finding] {
  /// All of them, in their order.
  public var json: JSONValue { .array(map { .object($0.json) }) }
}
