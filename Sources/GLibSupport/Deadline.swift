/// Cancels asynchronous calls when they take too long, all of them together.
@GLibActor
package final class Deadline {
  /// Whether it was the deadline that ended the calls.
  package private(set) var hasPassed = false
  private var timer: Source?

  /// Cancels `cancellable` after `duration`, unless this object is gone by then; or after as much again, where it is
  /// said by then that something else is waited for.
  package init(
    after duration: Duration, cancelling cancellable: Cancellable,
    unless isHeldUp: @escaping @GLibActor () -> Bool = { false }
  ) {
    timer = Source.timer(every: duration) { [weak self] in
      if isHeldUp() { return }
      self?.hasPassed = true
      cancellable.cancel()
    }
  }
}
