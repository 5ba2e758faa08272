import LoginCore
import Testing

@testable import tokentry

@Suite("Messages")
struct MessagesTests {
  @Test("The report for other programs hides secrets, also escaped ones in JSON")
  func redactedReport() {
    let secret = #"r3fr3sh-"token/é"#
    Messages.hide(secret)
    let report = Failure.refusal(code: "invalid_grant", description: "\(secret) is used").redactedReport
    #expect(!report.text.contains("r3fr3sh") && !report.text.contains("token/"))
    #expect(report["error"]?.object?["error_description"] == "[redacted] is used")
    #expect(report["message"] == "the provider refused: invalid_grant: [redacted] is used")
    #expect(report["own"] == true)
  }
}
