/// What one command of a story printed, and how it ended.
struct CommandRun: Equatable, Sendable {
  /// How a command ended.
  enum End: Equatable, Sendable {
    /// By itself, with the shell's exit status.
    case exited(Int)
    /// By a signal that ended the shell itself.
    case signalled(Int)
    /// By us: it, or a process that held its output, was still there after the limit.
    case overdue(seconds: Double)
  }

  var output: [UInt8] = []
  var error: [UInt8] = []
  var end: End
}
