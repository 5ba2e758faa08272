import Foundation
import TestSupport
import Testing

@Suite("The deadline of a login")
struct DeadlineTests {
  private static let hearsDeadline = "read -r deadline; echo \"$deadline\" >>\"${0%/*}/told\""

  /// Runs a login with a window that runs `script` once it knows the page. Also returns what the script wrote into `told`.
  private func login(_ options: [String], _ script: String) throws -> (outcome: Outcome, told: String) {
    try Tokentry.run(
      [
        "login", "--endpoint", "authorization=https://as.invalid/a", "--endpoint",
        "token=https://as.invalid/t",
        "--client-id", "me", "--redirect-uri", "https://app.invalid/done", "--way", "window",
      ] + options, window: script)
  }

  @Test("A user at the window gets the whole time again, unless the caller set a timeout")
  func extends() throws {
    let isActive =
      Self.hearsDeadline
      + "; echo '{\"active\":{}}'; read -r again; echo \"$again\" >>\"${0%/*}/told\"; echo '{\"closed\":{\"by\":\"user\"}}'"
    for (options, isExtendable) in [([], true), (["--timeout", "200"], false)] {
      let (outcome, told) = try login(options, isActive)
      #expect(outcome.status == 3, "\(outcome.messages)")
      let lines = told.split(separator: "\n")
      #expect(lines.count == 2, "\(told)")
      let warning = isExtendable ? 60 : 50
      for line in lines {
        #expect(line.contains("\"warn_at\":\(warning),\"extendable\":\(isExtendable)"), "\(line)")
      }
    }
    let silent =
      "echo '{\"ready\":{\"protocol\":1}}'; echo '{\"closed\":{\"by\":\"user\"}}'; \(Self.hearsDeadline)"
    #expect(
      try login(["--timeout", "0"], silent).told.allSatisfy { $0 == "\n" }, "a login that waits for ever")
  }

  @Test("A timeout that the caller set is exact, even while the user types")
  func exact() throws {
    let (outcome, told) = try login(
      ["--timeout", "2"],
      Self.hearsDeadline
        + "; while :; do echo '{\"active\":{}}'; read -r again || exit; sleep 0.2; echo '{\"painted\":{}}'; done"
    )
    #expect(outcome.status == 4, "\(outcome.messages)")
    #expect(told.contains(/seconds_left":[12],/), "\(told)")
  }

  @Test("A login that ends while a server does not answer reports the network, not the user")
  func silent() throws {
    let (outcome, _) = try login(
      ["--timeout", "3", "-v"], "echo '{\"waiting\":{\"host\":\"as.invalid\"}}'; exec sleep 60")
    #expect(outcome.status == 5, "\(outcome.messages)")
    #expect(outcome.error == "network_error" && outcome["origin"] as? String == "network")
    #expect(outcome.messages.contains("as.invalid has not answered yet"), "\(outcome.messages)")
  }
}
