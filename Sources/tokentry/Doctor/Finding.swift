import GLibSupport
import LoginCore

/// The result of a check: the state of one thing that logins need from this machine.
struct Finding: Sendable {
  enum State: String, Sendable {
    /// It works.
    case ok
    /// Logins work, but not as well as they could.
    case warning
    /// Logins that need it do not work.
    case failed
    /// It could not be checked.
    case unknown
  }

  /// The subject of the check, in one word.
  let name: String
  let state: State
  let message: Message
  /// A remedy.
  let hint: Failure.Hint?

  init(_ name: String, _ state: State, _ message: Message, hint: Failure.Hint? = nil) {
    (self.name, self.state, self.message, self.hint) = (name, state, message, hint)
  }

  init(_ name: String, _ state: State, _ failure: Failure) {
    self.init(name, state, failure.message, hint: failure.hint)
  }

  var json: JSONObject {
    [
      "name": .string(name), "state": .string(state.rawValue),
      "message": .string(message.description.forDisplay(limit: 2_000)),
      "hint": (hint?.words).map { .string($0.description.forDisplay(limit: 2_000)) },
    ]
  }
}

extension [Finding] {
  var json: JSONValue { .array(map { .object($0.json) }) }
}

/// Checks one side of this machine. It sends nothing to other machines and changes nothing.
protocol Check: Sendable {
  /// The name of the finding if the check takes too long.
  var name: String { get }
  var patience: Duration { get }

  @GLibActor
  func findings() async -> [Finding]
}

extension Check {
  /// Long enough for a service to start.
  var patience: Duration { .seconds(5) }

  /// Returns the findings, or one that says that the check took too long.
  @GLibActor
  func findingsInTime() async -> [Finding] {
    await within(patience) { await findings() }
      ?? [Finding(name, .failed, "it does not answer", hint: "find out why it does not answer")]
  }
}
