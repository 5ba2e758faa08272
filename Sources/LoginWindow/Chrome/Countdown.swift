import GLibSupport

/// Tells every second how many of them are left, down to none.
@GLibActor
final class Countdown {
  // This clock goes on while the machine sleeps, as the provider's does.
  private let end: ContinuousClock.Instant
  private let tell: @GLibActor (Int64) -> Void
  private var timer: Source?

  init(from seconds: Int64, _ tell: @escaping @GLibActor (Int64) -> Void) {
    end = .now + .seconds(seconds)
    self.tell = tell
    tell(seconds)
    timer = .timer(every: .seconds(1)) { [weak self] in self?.tick() }
  }

  private func tick() {
    let left = max(0, ContinuousClock.now.duration(to: end).components.seconds)
    tell(left)
    if left == 0 { timer = nil }
  }
}
