import GLibSupport
import LoginCore
import LoginWays

/// The window with a page of our own and none of others, while something else goes on. If it dies it is started
/// again, once.
@GLibActor
final class WindowDialog {
  private let candidates: [String]
  private let opening: WindowOpening
  private let deadline: LoginDeadline?
  private var content: (@GLibActor () -> WindowCommand)?
  private var window: WindowConnection?

  /// How it ended.
  enum End: Sendable {
    /// The user has closed it.
    case closed(by: WindowEvent.Closer)
    /// It could not be shown, or not any more.
    case failed(Failure)
    /// Nobody waits for it any more.
    case over
  }

  /// `candidates` are the places where the program may be; `url` is the page that the user may open in a browser,
  /// as the one of `ways` that there may be. A quiet one takes the keyboard from no other window.
  nonisolated init(
    _ candidates: [String], _ presentation: WindowAgent.Presentation, url: String? = nil, ways: [Way] = [],
    isQuiet: Bool = false
  ) {
    self.candidates = candidates
    deadline = presentation.deadline
    var opening = WindowOpening(url: url, redirectURIs: [])
    (opening.title, opening.requester) = (presentation.title, presentation.requester)
    opening.hasNoClose = presentation.hasNoClose
    opening.parent = presentation.parent
    opening.ways = ways.map(\.rawValue)
    opening.isQuiet = isQuiet
    self.opening = opening
  }

  /// Starts the program, which shows nothing before it is told what.
  func start() throws(Failure) {
    let window = try WindowConnection(candidates, until: deadline)
    window.send(.open(opening))
    if let content { window.send(content()) }
    self.window = window
  }

  /// Shows this, in place of what it may show already. It is asked for again if the window is started again.
  func show(_ content: @escaping @GLibActor () -> WindowCommand) {
    self.content = content
    window?.send(content())
  }

  /// Waits for the end, which comes at once when its task is cancelled. Until then, what the user does there goes
  /// to `take`.
  func end(_ take: @escaping @GLibActor (WindowEvent) -> Void) async -> End {
    defer { close() }
    do throws(Failure) {
      for attempt in 1...2 {
        if window == nil { try start() }
        guard let window else { break }
        let end = try await window.endingOnCancellation { () async throws(Failure) -> End? in
          while let event = await window.next() {
            switch event {
            case .closed(let closer, _): return .closed(by: closer)
            case .failed(let error, let description):
              throw WindowConnection.failure(error, description, isRestarted: attempt > 1)
            default: take(event)
            }
          }
          return Task.isCancelled ? .over : nil
        }
        if let end { return end }
        close()
      }
      return .failed(.way(.window(.endedTwice)))
    } catch {
      return .failed(error)
    }
  }

  private func close() {
    window?.close()
    window = nil
  }
}
