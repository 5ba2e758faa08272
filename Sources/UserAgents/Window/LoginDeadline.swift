import GLibSupport
import LoginWays

/// The end of the time in which a login waits for its user.
package struct LoginDeadline: Sendable {
  /// What is left of it; nothing if it waits for ever.
  let timeLeft: @GLibActor @Sendable () -> TimeLeft?
  /// Lets it wait for as long again, unless the caller has said how long it waits.
  let extend: @GLibActor @Sendable () -> Void

  package init(
    timeLeft: @escaping @GLibActor @Sendable () -> TimeLeft?,
    extend: @escaping @GLibActor @Sendable () -> Void
  ) {
    (self.timeLeft, self.extend) = (timeLeft, extend)
  }
}
