import Glibc

/// The time in which the answer is written: a signal does not end it, unless nobody has read the answer two seconds
/// later.
enum AnswerTime {
  /// Begins it; only the end of the process ends it.
  static func begin(against signals: [Int32]) {
    install({ _ in _exit(9) }, for: SIGALRM)  // the status of an answer that could not be written
    for number in signals {
      // Asking again and again must not wind the clock up again and again.
      install(
        { _ in
          let left = alarm(2)
          if left > 0 { _ = alarm(left) }
        }, for: number)
    }
  }

  /// The signal that has done what SIGTERM does, if one has.
  nonisolated(unsafe) private(set) static var termination: Int32 = 0

  /// Lets a signal do from now on what SIGTERM does.
  static func takeAsTermination(_ signal: Int32) {
    termination = 0  // it is there before a handler needs it
    install(
      { number in
        AnswerTime.termination = number
        _ = kill(getpid(), SIGTERM)
      }, for: signal)
  }

  /// A handler does nothing but system calls, and notes which it is.
  private static func install(_ handler: @escaping @convention(c) (Int32) -> Void, for signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = Int32(SA_RESTART)
    sigaction(signal, &action, nil)
  }
}
