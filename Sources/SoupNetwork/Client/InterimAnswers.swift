import GLibSupport

/// Counts the answers before the answer (RFC 9110 section 15.2) and ends an exchange that has too many.
///
/// Libsoup reads on for as long as they come in faster than it can read, and the main loop with its deadline
/// waits for it: a server could hold the whole program.
@GLibActor
final class InterimAnswers {
  /// Whether the exchange was ended.
  private(set) var areTooMany = false
  private var count = 0
  private let cancellable: Cancellable

  /// Servers send one or two, if any.
  private static let limit = 16

  init(cancelling cancellable: Cancellable) { self.cancellable = cancellable }

  func add() {
    count += 1
    guard count > Self.limit else { return }
    areTooMany = true
    cancellable.cancel()
  }
}
