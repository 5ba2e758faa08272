import Glibc
import Testing

@testable import LoginCore

/// How long a processor is at work on something, whatever else the machine does meanwhile.
func processorTime(_ work: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  try work()
  return now() - start
}

/// Expects the failure of a callback that no provider would send.
func expectMalformed(
  _ missing: [String] = [], sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Void
) {
  let failure = #expect(throws: Failure.self, sourceLocation: sourceLocation, performing: work)
  expectMalformed(failure, missing, sourceLocation)
}

/// Expects the same of what takes a while.
func expectMalformed(
  sourceLocation: SourceLocation = #_sourceLocation, _ work: () async throws -> Void
) async {
  do {
    try await work()
    expectMalformed(nil, [], sourceLocation)
  } catch {
    expectMalformed(error as? Failure, [], sourceLocation)
  }
}

private func expectMalformed(_ failure: Failure?, _ missing: [String], _ sourceLocation: SourceLocation) {
  guard case .untrusted(.malformedCallback(_, let found)) = failure else {
    Issue.record("\(String(describing: failure)) is no malformed callback", sourceLocation: sourceLocation)
    return
  }
  #expect(found == missing, sourceLocation: sourceLocation)
}

/// Expects a failure of the kind that has this code, whatever its text says.
@discardableResult
func expectFailure(
  _ code: String, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () throws -> Void
) -> Failure? {
  let failure = #expect(throws: Failure.self, "\(comment)", sourceLocation: sourceLocation, performing: work)
  #expect(failure?.code == code, "\(comment)", sourceLocation: sourceLocation)
  return failure
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
