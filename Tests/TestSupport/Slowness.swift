import Foundation
import Testing

/// How many times as long as usual everything may take: more than once where a sanitizer checks every step of a program,
/// of which `Tests/sanitize.sh` tells in `TOKENTRY_SLOWNESS`.
public let slowness =
  ProcessInfo.processInfo.environment["TOKENTRY_SLOWNESS"].flatMap { Int($0) }.map { max(1, $0) } ?? 1

/// The folder in which programs write down what a sanitizer finds.
public let sanitizerReports = ProcessInfo.processInfo.environment["TOKENTRY_REPORTS"]

extension Trait where Self == TimeLimitTrait {
  /// A test that takes longer than so many minutes hangs.
  public static func limited(toMinutes minutes: Int) -> Self { .timeLimit(.minutes(minutes * slowness)) }
}
