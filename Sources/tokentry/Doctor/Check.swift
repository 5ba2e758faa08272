import GLibSupport
import LoginCore
import Wording

/// Looks at one side of this machine. It asks nobody outside of it, and changes nothing.
protocol Check: Sendable {
  /// What it looks at, for when that does not come to an end.
  var name: String { get }
  /// How long that may take.
  var patience: Duration { get }

  @GLibActor
  func findings() async -> [Finding]
}

extension Check {
  /// A service may have to be started first.
  var patience: Duration { .seconds(5) }

  /// What is found in time.
  @GLibActor
  func findingsInTime() async -> [Finding] {
    await within(patience) { await findings() }
      ?? [Finding(name, .failed, .silent)]
  }
}
