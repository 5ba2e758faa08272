/// Cancels asynchronous calls when they take too long, all of them together.
@GLibActor
package final class Deadline {
  /// Whether it was the deadline that ended the calls.
  package private(set) var hasPassed = false
  private var timer: Source?

  /// Cancels `cancellable` after `duration`, unless this object is gone by then.
  package init(after duration: Duration, cancelling cancellable: Cancellable) {
    timer = Source.timer(every: duration) { [weak self] in
      self?.hasPassed = true
      cancellable.cancel()
    }
  }
}
