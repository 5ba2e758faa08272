import GLibSupport
import Glibc
import LoginCore
import LoginWays
import PrivateFiles

/// A running `tokentry-window`, and the lines to and from it.
@GLibActor
final class WindowConnection {
  private let process: ChildProcess
  private let reader: DescriptorReader
  private let deadline: LoginDeadline?
  private var isClosed = false

  /// Starts the first of the programs that is there. Its user is told of the deadline.
  init(_ candidates: [String], until deadline: LoginDeadline? = nil) throws(Failure) {
    self.deadline = deadline
    guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw .way(.window(.notFound(candidates)))
    }
    do throws(SystemError) {
      process = try ChildProcess(path, passing: WindowEnvironment.passes)
    } catch {
      throw .way(.window(.cannotStart(path: path, error.message)))
    }
    reader = DescriptorReader(descriptor: process.output)
  }

  isolated deinit { close() }

  /// The next event that is understood, or nothing when the window has ended.
  func next() async -> WindowEvent? {
    while let line = try? await reader.line(keeping: WindowEvent.maximumLength + 1) {
      switch WindowEvent(line: line) {
      case .active?:
        deadline?.extend()
        tellDeadline()
      case let event?: return event
      case nil: break
      }
    }
    return nil
  }

  private func tellDeadline() { if let time = deadline?.timeLeft() { send(.deadline(time)) } }

  /// What it comes to that the window cannot go on. One that was started again had a display before.
  nonisolated static func failure(
    _ error: String, _ description: String, isRestarted: Bool = false
  ) -> Failure {
    let reason = description.forDisplay(limit: 200)
    return switch error {
    case "no_display": .way(isRestarted ? .displayEnded : .displayClosed)
    case "no_sandbox": .way(.noSandbox(reason))
    default: .way(.window(.reported(reason)))
    }
  }

  /// Tells the window. If it has ended, that shows when the next event is waited for.
  func send(_ command: WindowCommand) {
    if isClosed { return }
    try? writeAll(command.line.utf8, to: process.input)
    if case .open = command { tellDeadline() }
  }

  /// Ends the window and all that belongs to it as soon as the task is cancelled: whoever cancels it may not live
  /// long enough to wait for this.
  func endingOnCancellation<Value: Sendable>(
    _ body: @GLibActor () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let process = process
    do {
      return try await withTaskCancellationHandler(operation: body) {
        EngineLeftovers.remove(of: process.identifier)
        process.end()
      }
    } catch {
      throw error as? Failure ?? .defect(.here("\(type(of: error))"))
    }
  }

  /// Lets the window end on its own, unless that takes too long, and hears what it says last.
  func endByItself(within patience: Duration, _ hear: (WindowEvent) -> Void) async {
    let process = process
    let limit = Source.timer(every: patience) { process.end() }
    defer { _ = limit }
    send(.cancel)
    while let event = await next() { hear(event) }
  }

  /// Ends the window and all that belongs to it.
  func close() {
    if isClosed { return }
    isClosed = true
    EngineLeftovers.remove(of: process.identifier)
    process.end()
    process.release()
  }
}
