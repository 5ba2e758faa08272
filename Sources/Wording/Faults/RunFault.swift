import LoginCore
import LoginWays

/// What ends a run of the program before its command has come to an end, or keeps its answer from being handed over.
package enum RunFault: ApplicationFault {
  case signal(String)
  case callerGone
  /// Nobody has signed in in time, perhaps since something was in the way, or since no browser came back to the address.
  case deadline(seconds: Int, WayObstacle? = nil, awaiting: RedirectURI? = nil)
  /// Another program has not come to an end with the account in time.
  case heldUp(seconds: Int)
  /// A server has not answered in time.
  case unanswered(host: String, seconds: Int)
  /// What was to be read was not there in time.
  case unread(seconds: Int)
  case outputClosed
  /// Standard output cannot be written, for the system's reason of this number.
  case output(Int32)
  /// Another login has the cookies of this name.
  case sessionInUse(String)
  /// No login can work on this machine, for what was found of it.
  case unfit(Unfitness, [Finding])
  /// A library, or a function of one, is not there; the loader's words name it.
  case missingLibrary(String)
  /// A defect has ended the program.
  case crash
  /// No login waits for the answer that a browser has brought.
  case nobodyWaits

  /// What no login can do here.
  package enum Unfitness: Sendable, Equatable {
    case noUser, noProvider
  }

  package var concernsOthers: Bool {
    switch self {
    case .signal, .callerGone: true
    default: false
    }
  }
}

extension Failure {
  /// The run of the program has come to its end.
  package static func run(_ fault: RunFault) -> Failure { .application(fault) }
}

extension RunFault: Reportable {
  var verdict: Verdict {
    switch self {
    // People at a keyboard send these, and programs the others.
    case .signal("SIGINT"), .signal("SIGHUP"), .signal("SIGQUIT"): .cancelled
    case .signal: Verdict("cancelled", 3, .caller)
    case .callerGone, .nobodyWaits: .cancelled
    case .deadline, .heldUp: .timeout
    case .unanswered: Verdict(Verdict.timeout.code, Verdict.timeout.status, .network, isRetryable: true)
    case .unread: Verdict(Verdict.timeout.code, Verdict.timeout.status, .caller)
    case .outputClosed, .output: .outputFailed
    case .sessionInUse: .alreadyInProgress
    case .unfit: .noUserAgent
    case .missingLibrary, .crash: .internalError
    }
  }

  var saying: Saying {
    switch self {
    case .signal(let name): "it was ended by the signal \(name)"
    case .callerGone: "the program that started it has ended"
    case .deadline(let seconds, nil, let address):
      Saying(
        "nobody signed in within \(seconds) s",
        hint: address.map {
          """
          no browser came back to \($0.description.forDisplay(limit: 200)): if somebody did sign in, check that the \
          provider knows this redirect URI
          """
        })
    case .deadline(let seconds, let obstacle?, _):
      Saying("nobody signed in within \(seconds) s: \(obstacle.saying.words)", hint: obstacle.saying.hint)
    case .heldUp(let seconds): "another program that is using the account was not done within \(seconds) s"
    case .unanswered(let host, let seconds):
      "\(seconds) s were over before \(host.forDisplay(limit: 260)) had answered"
    case .unread(let seconds): "\(seconds) s were over before all of the input was there"
    case .outputClosed: "the result could not be written: standard output is closed"
    case .output(let code): "the result could not be written: \(FileFault.systemWords(code))"
    case .sessionInUse(let name):
      "the session \"\(name.forDisplay(limit: 60))\" is in use by another login"
    case .unfit(.noUser, _): "no login can reach its user here"
    case .unfit(.noProvider, _): "no login can reach its provider here"
    case .missingLibrary(let words): "a library that tokentry needs cannot be used: \(words)"
    case .crash: "a defect in tokentry: it crashed"
    case .nobodyWaits: "no sign-in waits for this answer"
    }
  }
}
