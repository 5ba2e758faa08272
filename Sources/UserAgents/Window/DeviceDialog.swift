import GLibSupport
import LoginCore
import LoginWays

/// Shows in a window which code is typed in where, while the provider is asked whether somebody has done so.
@GLibActor
package final class DeviceDialog {
  private let dialog: WindowDialog
  private let opener: BrowserOpener
  private let isRequired: Bool
  private let observe: @GLibActor (Notice) -> Void
  private var instruction: DeviceInstruction?
  /// When it is too late to do what the instruction says.
  private var end: ContinuousClock.Instant?

  /// What happens in the window on the way.
  package enum Notice: Sendable {
    /// It cannot be shown, and the login goes on without it.
    case lost(Failure)
    /// Something is not as it was asked for.
    case warning(String)
  }

  /// `candidates` are the places where the program of the window may be. Where it `isRequired`, the login ends if it
  /// cannot be shown.
  package nonisolated init(
    candidates: [String], presentation: WindowAgent.Presentation, opener: BrowserOpener, isRequired: Bool,
    observe: @escaping @GLibActor (Notice) -> Void = { _ in }
  ) {
    dialog = WindowDialog(candidates, presentation, ways: opener.isEmpty ? [] : [.browser])
    self.opener = opener
    self.isRequired = isRequired
    self.observe = observe
  }

  /// Shows where to type in what.
  package func show(_ instruction: DeviceInstruction) {
    self.instruction = instruction
    end = instruction.secondsLeft.map { .now + .seconds($0) }
    show()
  }

  private func show() {
    guard var instruction else { return }
    dialog.show { [end] in
      instruction.secondsLeft = end.map { max(0, ContinuousClock.now.duration(to: $0).components.seconds) }
      return .device(instruction)
    }
  }

  /// What `body` comes to, which waits for the user; cancelled if the user closes the window.
  package func value<Value: Sendable>(
    of body: @escaping @GLibActor @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let answer = FirstAnswer<Value>()
    do throws(Failure) { try dialog.start() } catch {
      if isRequired { throw error }
      observe(.lost(error))
      return try await body()
    }
    let watch = GLibActor.task { [self] in
      switch await dialog.end({ [weak self] in self?.take($0) }) {
      case .closed: answer.finish(.failure(.user(.cancelled(.windowClosed))))
      case .failed(let failure) where isRequired: answer.finish(.failure(failure))
      case .failed(let failure): observe(.lost(failure))
      case .over: break
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
    case .switched(to: Way.browser.rawValue): GLibActor.task { [self] in await openBrowser() }
    case .warning(let text): observe(.warning(text.forDisplay(limit: 200)))
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
