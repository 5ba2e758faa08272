import GLibSupport

/// Ends an exchange when nothing has moved for a while, however long all of it takes.
@GLibActor
final class Progress {
  private let patience: Duration?
  private let cancellable: Cancellable
  private var deadline: Deadline?
  private var isPaused = false

  /// Waits for so many seconds at a time; zero is for ever.
  init(patience seconds: Int, cancelling cancellable: Cancellable) {
    patience = seconds == 0 ? nil : .seconds(seconds)
    self.cancellable = cancellable
    note()
  }

  /// Something has moved.
  func note() {
    if !isPaused { deadline = patience.map { Deadline(after: $0, cancelling: cancellable) } }
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
