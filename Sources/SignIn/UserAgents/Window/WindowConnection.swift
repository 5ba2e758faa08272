import GLibSupport
import Glibc
import Language
import LoginCore
import Platform
import WindowProtocol

/// A running `tokentry-window`, and the lines to and from it.
@GLibActor
final class WindowConnection {
  private let process: ChildProcess
  private let reader: DescriptorReader
  private let run: Run?
  private var isEnded = false
  private var isClosed = false

  /// Starts the first program that exists. It shows the user how much time the run has left.
  init(_ candidates: [String], in run: Run? = nil) throws(Failure) {
    self.run = run
    guard let path = candidates.program else {
      let places = candidates.map { Message(verbatim: $0.forDisplay(limit: 150)) }.alternatives
      throw .windowFailed("there is no \(places)").with(hint: .installWindow)
    }
    process = try failing(ChildProcess(path, passing: WindowEnvironment.passes)) { (error: SystemError) in
      .windowFailed("\(path.forDisplay(limit: 200)): \(error.message)")
    }
    reader = DescriptorReader(descriptor: process.output)
  }

  isolated deinit { close() }

  /// Returns the next known event, or nil once the window has ended.
  func next() async -> WindowEvent? {
    while let line = try? await reader.line(keeping: WindowEvent.maximumLength + 1) {
      switch WindowEvent(line: line) {
      case .active?:
        run?.extendDeadline()
        tellDeadline()
      case let event?:
        if event == .painted { run?.hasSeenWindow = true }
        return event
      case nil: break
      }
    }
    return nil
  }

  /// Tells the window for how long the login waits.
  func tellDeadline() { if let time = run?.timeLeft { send(.deadline(time)) } }

  /// Sends a command. If the window has ended, ``next()`` will tell.
  func send(_ command: WindowCommand) {
    if isEnded { return }
    try? writeAll(command.line.utf8, to: process.input)
    switch command {
    case .open: tellDeadline()
    case .ask: run?.hasSeenWindow = true
    default: break
    }
  }

  /// Kills the window and its processes as soon as the task is cancelled, because the program may not live long enough to
  /// wait for `body`.
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
      throw error as? Failure ?? .defect("\(type(of: error))")
    }
  }

  /// Lets the window end by itself within `patience`, and passes its last events to `hear`.
  func endByItself(within patience: Duration, _ hear: (WindowEvent) -> Void) async {
    let process = process
    let limit = Source.after(patience) { process.end() }
    defer { _ = limit }
    send(.cancel)
    while let event = await next() { hear(event) }
  }

  /// Kills the window and its processes, whose end takes as long as a request.
  func end() {
    if isEnded { return }
    isEnded = true
    EngineLeftovers.remove(of: process.identifier)
    process.end()
  }

  /// Kills the window and its processes, and waits for the end.
  func close() {
    end()
    if isClosed { return }
    isClosed = true
    process.release()
  }
}

extension [String] {
  /// The first of these paths at which there is a program.
  package var program: String? { first { access($0, X_OK) == 0 } }
}

extension Failure.Kind {
  /// ``Failure/displayClosed``
  package static let displayClosed = Self(rawValue: "display_closed")
  /// ``Failure/noSandbox(_:)``
  package static let noSandbox = Self(rawValue: "no_sandbox")
}

extension Failure {
  /// The failure that a window reports with ``WindowEvent/failed(error:description:)``. A window that `isRestarted` had a
  /// display before.
  static func reported(_ error: String, _ description: String, isRestarted: Bool = false) -> Failure {
    let reason = description.forDisplay(limit: 200)
    return switch error {
    case "no_display": isRestarted ? .displayEnded : .displayClosed
    case "no_sandbox": .noSandbox(reason)
    default: .windowFailed(Message(catalogued: reason))
    }
  }

  /// The display does not exist, or does not admit this user.
  package static let displayClosed = Failure(
    .noDisplay, "the display cannot be opened", kind: .displayClosed,
    hint: "run it as the user of the desktop, or see DISPLAY, WAYLAND_DISPLAY and XAUTHORITY")

  package static let displayEnded = Failure(
    .noDisplay, "the display was closed, and the window with it")

  /// The web engine cannot isolate the pages, so none is shown.
  package static func noSandbox(_ reason: String) -> Failure {
    Failure(
      .windowFailed, "the sandbox around the pages cannot be set up: \(reason)", kind: .noSandbox,
      hint: WindowRefusal.advice.contains(reason)
        ? nil
        : "install bubblewrap, and allow it to create user namespaces; `bwrap --ro-bind / / true` shows the error"
    )
  }
}
