import GLibSupport
import LoginCore
import WindowProtocol

/// Opens small windows with pages of our own. All of them start, show the deadline, answer and end in the same way.
package struct WindowHost: Sendable {
  fileprivate let candidates: [String]
  var options: WindowOptions
  let run: Run?

  /// `candidates` are the paths at which the window's program may be. The windows show how much time the `run` has left.
  package init(_ candidates: [String], _ options: WindowOptions, in run: Run? = nil) {
    (self.candidates, self.options, self.run) = (candidates, options, run)
  }

  /// Asks until the question is answered. Returns nil if the user closes the window. Cancelling the task closes it, too.
  /// A window that cannot be shown, or crashes twice, is a failure and no answer.
  @GLibActor
  package func ask(_ question: Question) async throws(Failure) -> Question.Answer? {
    let dialog = WindowDialog(self)
    dialog.show { .ask(question) }
    switch await dialog.end({ if case .answered(let answer) = $0 { .answered(answer) } else { nil } }) {
    case .answered(let answer): return answer
    case .closed(by: .caller), .over: throw .cancelled
    case .closed: return nil
    case .failed(let failure): throw failure
    }
  }

  /// Explains a failure after the login's own window is gone. The window outlives this program by some seconds, so that the
  /// caller need not wait for the user to read it. Does nothing if the window's program cannot be started.
  func explain(_ explanation: Question) {
    guard let path = candidates.program else { return }
    var opening = WindowOpening(url: nil, redirectURIs: [], options: options)
    opening.options.hasNoClose = false
    opening.explanation = explanation
    _ = try? DetachedProcess([path], input: Array(WindowCommand.open(opening).line.utf8))
  }
}

/// A window with a page of our own, shown while the login goes on elsewhere, or with one of the provider's from which no
/// answer comes back. If it dies it is started again, once.
@GLibActor
final class WindowDialog {
  private let host: WindowHost
  private let opening: WindowCommand
  private var content: (@GLibActor () -> WindowCommand)?
  private var window: WindowConnection?

  enum End: Sendable {
    /// Someone closed the window.
    case closed(by: WindowEvent.Closer)
    case answered(Question.Answer)
    /// The window cannot be shown, or not any more.
    case failed(Failure)
    /// The task was cancelled.
    case over
  }

  /// If the `ways` contain the browser, the user can open `url` in it. Without redirect URIs the window shows no pages of
  /// others.
  nonisolated init(
    _ host: WindowHost, url: String? = nil, redirectURIs: [String] = [], ways: [LoginWay] = []
  ) {
    var opening = WindowOpening(url: url, redirectURIs: redirectURIs, options: host.options)
    opening.ways = ways
    (self.host, self.opening) = (host, .open(opening))
  }

  /// Starts the program. It shows nothing before it is told what.
  func start() throws(Failure) {
    let window = try WindowConnection(host.candidates, in: host.run)
    window.send(opening)
    if let content { window.send(content()) }
    self.window = window
  }

  /// Replaces the content. `content` is called again if the window is started again.
  func show(_ content: @escaping @GLibActor () -> WindowCommand) {
    self.content = content
    window?.send(content())
    // A code makes it longer.
    window?.tellDeadline()
  }

  /// Keeps the window open until its end, which is passed to `ended`, or until the returned task is cancelled. Passes the
  /// user's actions to `take`.
  func watch(
    _ take: @escaping @GLibActor (WindowEvent) -> Void, ended: @escaping @GLibActor (End) -> Void
  ) -> Task<Void, Never> {
    GLibActor.task { [self] in
      let end = await end { event in
        take(event)
        return nil
      }
      ended(end)
    }
  }

  /// Waits for the end, which comes at once when the task is cancelled. Passes the user's actions to `take`, which returns
  /// an end or nil.
  fileprivate func end(_ take: @escaping @GLibActor (WindowEvent) -> End?) async -> End {
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
              throw .reported(error, description, isRestarted: attempt > 1)
            default: if let end = take(event) { return end }
            }
          }
          return Task.isCancelled ? .over : nil
        }
        if let end { return end }
        close()
      }
      return .failed(.windowFailed("it crashed twice"))
    } catch {
      return .failed(error)
    }
  }

  private func close() {
    window?.close()
    window = nil
  }
}
