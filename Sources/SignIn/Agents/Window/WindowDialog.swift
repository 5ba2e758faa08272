import GLibSupport
import LoginCore
import WindowProtocol

/// A window with a page of our own, shown while the login goes on elsewhere, or with one of the provider's from which no
/// answer comes back. If it dies it is started again, once.
@GLibActor
final class WindowDialog {
  private let candidates: [String]
  private let opening: WindowCommand
  private let run: Run?
  private var content: (@GLibActor () -> WindowCommand)?
  private var window: WindowConnection?

  enum End: Sendable {
    /// Someone closed the window.
    case closed(by: WindowEvent.Closer)
    case answered(PermissionAnswer)
    /// The window cannot be shown, or not any more.
    case failed(Failure)
    /// The task was cancelled.
    case over
  }

  /// `candidates` are the paths at which the window's program may be. If the `ways` contain the browser, the user can
  /// open `url` in it. Without redirect URIs the window shows no pages of others.
  nonisolated init(
    _ candidates: [String], _ options: WindowOptions, in run: Run?, url: String? = nil,
    redirectURIs: [String] = [], ways: [AgentKind]
  ) {
    var opening = WindowOpening(url: url, redirectURIs: redirectURIs, options: options)
    opening.ways = ways.map(\.rawValue)
    (self.candidates, self.opening, self.run) = (candidates, .open(opening), run)
  }

  /// The program asks the question at once.
  nonisolated init(_ candidates: [String], _ question: PermissionQuestion) {
    (self.candidates, self.opening, run) = (candidates, .question(question), nil)
  }

  /// Starts the program. It shows nothing before it is told what.
  func start() throws(Failure) {
    let window = try WindowConnection(candidates, in: run)
    window.send(opening)
    if let content { window.send(content()) }
    self.window = window
  }

  /// Replaces the content. `content` is called again if the window is started again.
  func show(_ content: @escaping @GLibActor () -> WindowCommand) {
    self.content = content
    window?.send(content())
  }

  /// Waits for the end, which comes at once when the task is cancelled. Passes the user's actions to `take`.
  func end(_ take: @escaping @GLibActor (WindowEvent) -> Void = { _ in }) async -> End {
    defer { close() }
    do throws(Failure) {
      for attempt in 1...2 {
        if window == nil { try start() }
        guard let window else { break }
        let end = try await window.endingOnCancellation { () async throws(Failure) -> End? in
          while let event = await window.next() {
            switch event {
            case .closed(let closer, _): return .closed(by: closer)
            case .answered(let answer): return .answered(answer)
            case .failed(let error, let description):
              throw .reported(error, description, isRestarted: attempt > 1)
            default: take(event)
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

/// Asks the person at this desktop whether a program may have a token.
@GLibActor
package struct PermissionDialog {
  private let candidates: [String]
  private let hasDisplay: Bool

  /// `candidates` are the paths at which the window's program may be.
  package nonisolated init(candidates: [String], hasDisplay: Bool) {
    (self.candidates, self.hasDisplay) = (candidates, hasDisplay)
  }

  /// Shows the question until it is answered; a user who closes the window refuses. Cancelling the task closes the window.
  /// A window that cannot be shown, or crashes twice, is a failure and no answer.
  package func ask(_ question: PermissionQuestion) async throws(Failure) -> PermissionAnswer {
    guard hasDisplay else { throw .noDisplay }
    switch await WindowDialog(candidates, question).end() {
    case .answered(.hour) where !question.offersHour: return .once
    case .answered(let answer): return answer
    case .closed(by: .caller), .over: throw .cancelled
    case .closed: return .refuse
    case .failed(let failure): throw failure
    }
  }
}

/// Shows the code of a device login in a window, while the provider is asked whether the user has typed it in. If there is
/// no code (``LoginFlow``), the window shows the provider's page itself.
@GLibActor
package final class DeviceDialog {
  private let dialog: WindowDialog
  private let opener: BrowserOpener
  private let isRequired: Bool
  private let showsPage: Bool
  private let observe: @GLibActor (SignInEvent) -> Void
  private var instruction: DeviceInstruction?
  /// The time at which the code expires.
  private var end: ContinuousClock.Instant?
  /// The user's answer to the offer of a new code, and the failure of the login without one.
  private var renewal: (answer: FirstAnswer<Void>, failure: Failure)?
  /// True once the window cannot be shown any more.
  private var isLost = false

  /// `candidates` are the paths at which the window's program may be. If the window `isRequired`, the login fails without
  /// it.
  package nonisolated init(
    candidates: [String], options: WindowOptions, in run: Run?, opener: BrowserOpener,
    isRequired: Bool, showsPage: Bool = false, observe: @escaping @GLibActor (SignInEvent) -> Void = { _ in }
  ) {
    dialog = WindowDialog(
      candidates, options, in: run, redirectURIs: showsPage ? [LoginFlow.redirectURI] : [],
      ways: opener.isEmpty || showsPage ? [] : [.browser])
    self.opener = opener
    self.isRequired = isRequired
    self.showsPage = showsPage
    self.observe = observe
  }

  package func show(_ instruction: DeviceInstruction) {
    self.instruction = instruction
    end = instruction.secondsLeft.map { .now + .seconds($0) }
    show()
  }

  private func show() {
    guard var instruction else { return }
    if showsPage { return dialog.show { .go(to: instruction.verificationURI) } }
    dialog.show { [end] in
      instruction.secondsLeft = end.map { max(0, ContinuousClock.now.duration(to: $0).components.seconds) }
      return .device(instruction)
    }
  }

  /// Offers a new code in place of the one that has expired, and returns when the user wants it. Throws `failure` if there
  /// is no window. If the user closes the window instead, the login ends with it.
  package func offerNewCode(insteadOf failure: Failure) async throws(Failure) {
    if isLost { throw failure }
    instruction?.hasExpired = true
    let answer = FirstAnswer<Void>()
    renewal = (answer, failure)
    defer { renewal = nil }
    show()
    try await answer.value {}
  }

  private func lose(_ failure: Failure) {
    isLost = true
    observe(.codeWindowLost(failure))
    if let renewal { renewal.answer.finish(.failure(renewal.failure)) }
  }

  /// Runs `body`, which waits for the user, and shows the window meanwhile. Cancels it if the user closes the window.
  package func value<Value: Sendable>(
    of body: @escaping @GLibActor @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let answer = FirstAnswer<Value>()
    do throws(Failure) { try dialog.start() } catch {
      if isRequired { throw error }
      lose(error)
      return try await body()
    }
    let watch = GLibActor.task { [self] in
      switch await dialog.end({ [weak self] in self?.take($0) }) {
      case .closed: answer.finish(.failure(renewal?.failure ?? .windowClosed))
      case .failed(let failure) where isRequired: answer.finish(.failure(failure))
      case .failed(let failure): lose(failure)
      case .answered, .over: break
      }
    }
    let work = GLibActor.task {
      do throws(Failure) { answer.finish(.success(try await body())) } catch {
        answer.finish(.failure(error))
      }
    }
    defer {
      watch.cancel()
      work.cancel()
    }
    return try await answer.value {
      watch.cancel()
      work.cancel()
    }
  }

  private func take(_ event: WindowEvent) {
    switch event {
    case .switched(to: AgentKind.browser.rawValue): GLibActor.task { [self] in await openBrowser() }
    case .switched(to: AgentKind.device.rawValue): renewal?.answer.finish(.success(()))
    case .warning(let text): observe(.windowWarning(text.forDisplay(limit: 200)))
    default: break
    }
  }

  private func openBrowser() async {
    guard let instruction, await !opener.open(instruction.completeURI ?? instruction.verificationURI) else {
      return
    }
    self.instruction?.lacksBrowser = true
    show()
  }
}
