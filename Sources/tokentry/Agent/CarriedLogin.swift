import GLibSupport
import LoginCore
import SignIn
import WindowProtocol

/// The login of a program elsewhere, whose page is open at home. The answer goes back to the program.
@GLibActor
final class CarriedLogin {
  private let time = Run()
  private let opened = FirstResult<Void, Failure>()
  private let arrived = FirstResult<String, Failure>()
  /// True once the program's connection has ended.
  private(set) var isAbandoned = false
  /// True once a browser opens the page, perhaps after a window.
  private var isInBrowser = false
  /// True once neither a page nor an answer is awaited.
  private(set) var isOver = false

  /// Opens the page. The login ends after `patience` seconds.
  init(
    _ visit: PageVisit, at host: Host, for requester: Requester, _ options: SignInOptions, patience: Int
  ) {
    let host = host.with(time, for: requester) { [weak self] event in
      GLibActor.task { self?.note(event) }
    }
    GLibActor.task { [time, opened, arrived] in
      let result = await time.result(within: patience) { () async throws(Failure) in
        try await SignIn(host, options).visit(visit) { callback throws(Failure) in
          if self.isAbandoned { throw .programGone }
          opened.finish(.success(()))
          arrived.finish(.success(try callback.text()))
        }
      }
      self.isOver = true
      if case .failure(let failure) = result { self.fail(failure) }
    }
  }

  private func note(_ event: SignInEvent) {
    switch event {
    case .opening: isInBrowser = true
    case .notOpened: isInBrowser = false
    case .opened, .page, .fault, .slow: opened.finish(.success(()))
    case .browserFailed(let failure): end(with: failure)
    case .address where !opened.isThere: end(with: .browserFailed(command: nil))
    default: break
    }
  }

  private func fail(_ failure: Failure) {
    opened.finish(.failure(failure))
    arrived.finish(.failure(failure))
  }

  /// Waits until the page is open.
  func open() async throws(Failure) { try await value(of: opened) }

  /// Waits for the answer, and returns the address that it came to.
  func callback() async throws(Failure) -> String { try await value(of: arrived) }

  /// The program's connection has ended. A window closes and says so. A tab of a browser cannot be closed, so it gets that
  /// answer when it comes back.
  func abandon() {
    isAbandoned = true
    if isInBrowser, !time.hasSeenWindow { fail(.programGone) } else { end(with: .programGone) }
  }

  /// Stops waiting for a browser. Returns once the port is free.
  func end() async {
    end(with: .programGone)
    while !isOver, (try? await pause(for: .milliseconds(20))) != nil {}
  }

  private func end(with failure: Failure) {
    fail(failure)
    time.end(with: failure, isExplained: true)
  }

  /// Returns a result. If its task is cancelled, the program has gone.
  private func value<Value: Sendable>(
    of result: FirstResult<Value, Failure>
  ) async throws(Failure) -> Value {
    try await withTaskCancellationHandler {
      await result.result()
    } onCancel: {
      GLibActor.task { self.abandon() }
    }.get()
  }
}

extension Failure {
  /// The program that waits for the answer to its login cannot be reached.
  fileprivate static let programGone = Failure(
    .cancelled, "the program that asked for the sign-in has ended, or its connection has", origin: .caller)
}
