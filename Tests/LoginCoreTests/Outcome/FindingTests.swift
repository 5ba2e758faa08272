import Testing

@testable import LoginCore

@Suite("Finding")
struct FindingTests {
  @Test("its object says what was found, and what mends it where something does")
  func json() {
    let findings = [Finding("tls", .ok, "it works"), Finding("browser", .failed, "none", hint: "get one")]
    #expect(
      findings.json
        == [
          ["name": "tls", "state": "ok", "message": "it works"],
          ["name": "browser", "state": "failed", "message": "none", "hint": "get one"],
        ])
  }

  @Test("a machine on which no login can work is an error with all that was found")
  func unfit() {
    let findings = [Finding("tls", .failed, "none")]
    #expect(Failure.display(.unfit("a", findings)).json["checks"] == findings.json)
    #expect(Failure.display(.noDisplay).json["checks"] == nil)
  }
}
