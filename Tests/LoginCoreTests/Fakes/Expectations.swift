import Glibc
import Testing

@testable import LoginCore

/// Expects exactly this failure.
func expectFailure(
  _ failure: Failure, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () throws -> Void
) {
  #expect(throws: failure, "\(comment)", sourceLocation: sourceLocation, performing: work)
}

/// Expects a refusal with the provider's own code, whatever its description is.
func expectRefusal(
  _ code: String, _ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () throws -> Void
) {
  let failure = #expect(throws: Failure.self, "\(comment)", sourceLocation: sourceLocation, performing: work)
  #expect(failure?.code == .provider(code), "\(comment)", sourceLocation: sourceLocation)
}

/// Expects that a callback is refused as malformed. `missing` are the parameters that it lacks.
func expectMalformed(
  _ reason: Message, missing: [String] = [], sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () throws -> Void
) {
  expectFailure(
    .malformedCallback(reason, details: details(missing)), sourceLocation: sourceLocation, work)
}

/// Expects that an id_token is refused for this reason. `missing` are the claims that it lacks.
func expectInvalid(
  _ reason: Message, missing: [String] = [], _ comment: String = "",
  sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Void
) {
  expectFailure(
    .invalidIDToken(reason, details: details(missing)), comment, sourceLocation: sourceLocation, work)
}

private func details(_ missing: [String]) -> JSONObject {
  missing.isEmpty ? [:] : ["missing": .array(missing.map(JSONValue.string))]
}

/// Measures the processor time of some work. The time does not depend on other programs, nor on a sanitizer: it is divided
/// by the factor by which `Tests/tools/sanitize.py` says that everything is slower.
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

extension String {
  /// True if a terminal could take part of the text for a command.
  var hasControlCharacter: Bool { unicodeScalars.contains { $0.isControl } }
}
