import Glibc
import Testing

@testable import LoginCore

/// How long a processor is at work on something, whatever else the machine does meanwhile, and without what a sanitizer
/// adds: `Tests/sanitize.sh` tells how many times as long everything may take there.
func processorTime(_ work: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  try work()
  let duration = now() - start
  return duration / (getenv("TOKENTRY_SLOWNESS").flatMap { Int(String(cString: $0)) } ?? 1)
}

/// Expects a failure for this reason and no other.
func expectFailure(
  _ failure: Failure, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () throws -> Void
) {
  #expect(throws: failure, "\(comment)", sourceLocation: sourceLocation, performing: work)
}

/// Expects that a callback is one that no provider would send.
func expectMalformed(
  _ fault: CallbackFault, sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Void
) {
  expectFailure(.untrusted(.malformedCallback(fault)), sourceLocation: sourceLocation, work)
}

/// Expects that an answer is none of OAuth.
func expectBadResponse(
  _ fault: ResponseFault, sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Void
) {
  expectFailure(.network(.badResponse(fault)), sourceLocation: sourceLocation, work)
}

/// Expects what a provider said, with any description.
func expectProviderError(
  _ code: String, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () throws -> Void
) {
  let failure = #expect(throws: Failure.self, "\(comment)", sourceLocation: sourceLocation, performing: work)
  guard case .provider(let error) = failure else {
    Issue.record("\(String(describing: failure)) is no error of a provider", sourceLocation: sourceLocation)
    return
  }
  #expect(error.code == code, "\(comment)", sourceLocation: sourceLocation)
}
