import GLibSupport
import LoginCore
import Platform

/// The answer to one question about this machine.
struct Answer: Sendable {
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

  let state: State
  let message: Message
  /// A remedy.
  let hint: Failure.Hint?

  init(_ state: State, _ message: Message, hint: Failure.Hint? = nil) {
    (self.state, self.message, self.hint) = (state, message, hint)
  }

  init(_ state: State, _ failure: Failure) { self.init(state, failure.message, hint: failure.hint) }
  init(_ state: State, _ error: FileError) { self.init(state, error.message, hint: error.hint) }
}

/// The answer about one thing that logins need from this machine.
struct Finding: Sendable {
  /// The thing, in one word.
  let name: String
  let answer: Answer

  init(_ name: String, _ answer: Answer) { (self.name, self.answer) = (name, answer) }

  var json: JSONObject {
    [
      "name": .string(name), "state": .string(answer.state.rawValue),
      "message": .string(answer.message.description.forDisplay(limit: 2_000)),
      "hint": (answer.hint?.words).map { .string($0.description.forDisplay(limit: 2_000)) },
    ]
  }
}

extension [Finding] {
  var json: JSONValue { .array(map { .object($0.json) }) }
}

/// A row of the doctor's table. To answer it sends nothing to other machines and changes nothing.
struct Check: Sendable {
  private let name: String
  private let patience: Duration
  private let look: @GLibActor @Sendable () async -> [Finding]

  /// A question with several findings. `name` is that of the finding if the answer takes too long.
  init(
    _ name: String, patience: Duration, _ look: @escaping @GLibActor @Sendable () async -> [Finding]
  ) {
    (self.name, self.patience, self.look) = (name, patience, look)
  }

  /// A question with one answer. It has enough time for a service to start.
  init(_ name: String, _ answer: @escaping @GLibActor @Sendable () async -> Answer) {
    self.init(name, patience: .seconds(5)) { [Finding(name, await answer())] }
  }

  @GLibActor
  func findings() async -> [Finding] {
    await within(patience, look)
      ?? [
        Finding(
          name,
          Answer(
            .failed, "no answer within \(patience.components.seconds) s",
            hint: "if this computer is busy, try again; else find out why"))
      ]
  }
}
