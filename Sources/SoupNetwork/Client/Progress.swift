import GLibSupport

/// Ends an exchange when nothing has moved for a while, however long all of it takes.
@GLibActor
final class Progress {
  private let patience: Duration?
  private let cancellable: Cancellable
  private let isHeldUp: @GLibActor () -> Bool
  private var deadline: Deadline?
  private var isPaused = false

  /// Waits for so many seconds at a time; zero is for ever. It is nobody's fault that nothing moves if `isHeldUp`.
  init(
    patience seconds: Int, cancelling cancellable: Cancellable,
    unless isHeldUp: @escaping @GLibActor () -> Bool
  ) {
    self.isHeldUp = isHeldUp
    patience = seconds == 0 ? nil : .seconds(seconds)
    self.cancellable = cancellable
    note()
  }

  /// Something has moved.
  func note() {
    if isPaused { return }
    deadline = patience.map { Deadline(after: $0, cancelling: cancellable, unless: isHeldUp) }
  }

  /// Nothing is awaited of the network for now.
  func pause() { (isPaused, deadline) = (true, nil) }

  /// It is awaited again, and has all of its time.
  func resume() {
    isPaused = false
    note()
  }

  /// Whether nothing has moved for too long.
  var isStalled: Bool { deadline?.hasPassed ?? false }
}
