import GLibSupport
import Glibc

/// Tells every second how many of them are left, down to none.
@GLibActor
final class Countdown {
  private let end: Int64
  private let tell: @GLibActor (Int64) -> Void
  private var timer: Source?

  init(from seconds: Int64, _ tell: @escaping @GLibActor (Int64) -> Void) {
    end = Self.now + seconds
    self.tell = tell
    tell(seconds)
    timer = .timer(every: .seconds(1)) { [weak self] in self?.tick() }
  }

  private func tick() {
    let left = max(0, end - Self.now)
    tell(left)
    if left == 0 { timer = nil }
  }

  /// Seconds that also pass while the machine sleeps, as they do at the provider.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec)
  }
}
