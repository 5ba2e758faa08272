@testable import LoginCore
@testable import tokentry

/// The rooms for modules of the program `tokentry`. They have an executable of their own, because libFuzzer reads the
/// coverage of the whole executable after each input.
enum Rooms {
  static let all: [Room] = [.request, .git, .helpers, .listener]
}

/// Checks the report of a failure, with the hints of the command line.
func checkReport(of failure: Failure) {
  let report = Report(failure)
  checkText(of: report.failure)
  if SlowChecks.areDue { checkJSON(report.json) }
  require((1...70).contains(report.status), "a failure has an exit status, not \(report.status)")
}
