import Testing

@testable import LoginCore

@Suite("AttemptLog")
struct AttemptLogTests {
  @Test("A program gets the result of the attempt that it found under way, or of a later one")
  func numbers() {
    var log = AttemptLog()
    log.begin()
    #expect(log.awaited == 1 && log.outcome(since: 1) == nil)
    log.end(.needsLogin)
    #expect(log.outcome(since: 1) == .needsLogin)
    #expect(log.awaited == 2 && log.outcome(since: 2) == nil, "a new program waits for the next attempt")
    log.begin()
    log.begin()
    log.end(.token)
    #expect(
      log.outcome(since: 2) == .token && log.outcome(since: 1) == .token, "attempt 2 was killed")
  }

  @Test("A document is read back as it was, and keeps only the last attempts")
  func document() throws {
    var log = AttemptLog()
    for _ in 0..<20 {
      log.begin()
      log.end(.token)
    }
    log.begin()
    log.end(.failed(Failure.offline.report))
    log.refuse(at: try Samples.receivedAt())
    log.beginTrial(isDemanded: false)
    log.reject(isDemand: false, at: try Samples.receivedAt())
    log.beginTrial(isDemanded: false)
    log.refuseRefresh(
      of: "D", retryAfter: 9_000, report: Failure.offline.report, at: try Samples.receivedAt())
    log.begin()
    let read = try #require(AttemptLog(document: log.document))
    #expect(read == log)
    #expect(read.ended.count == AttemptLog.maximumEnded && read.isUnderWay && read.newest == 22)
  }

  @Test(
    "Any other document is refused",
    arguments: [
      "", "{}", "[]", #"{"version":2,"newest":1,"under_way":false,"ended":[]}"#,
      #"{"version":1,"newest":-1,"under_way":false,"ended":[]}"#,
      #"{"version":1,"newest":9223372036854775807,"under_way":false,"ended":[]}"#,
    ])
  func noDocument(text: String) { #expect(AttemptLog(document: Array(text.utf8)) == nil) }

  @Test("Malformed results and refusals are left out")
  func damaged() throws {
    let text =
      #"{"version":1,"newest":3,"under_way":false,"ended":[{"attempt":1,"outcome":"token"},"#
      + #"{"attempt":2,"outcome":"x"},{"attempt":3,"failure":"text"},7],"#
      + #""refused":{"times":9,"last":"2026-11-20T00:00:00Z"}}"#
    let log = try #require(AttemptLog(document: Array(text.utf8)))
    #expect(log.ended.map(\.number) == [1] && log.refusals == nil)
  }

  @Test("A refresh token that is refused again and again is sent less and less often, at least every hour")
  func refusedRefreshes() throws {
    var log = AttemptLog()
    let now = try Samples.receivedAt()
    for pause in [60, 300, 1_200, 3_600, 3_600] as [Int64] {
      log.refuseRefresh(of: "D", retryAfter: nil, report: nil, at: now)
      #expect(log.refusedRefresh?.pause(for: "D", at: now) == pause)
      #expect(try log.refusedRefresh?.pause(for: "D", at: #require(now.adding(seconds: pause))) == nil)
      #expect(log.refusedRefresh?.pause(for: "another", at: now) == nil)
      #expect(try log.refusedRefresh?.pause(for: "D", at: #require(now.adding(seconds: -1))) == nil)
    }
    log.refuseRefresh(of: "another", retryAfter: 7_000, report: nil, at: now)
    #expect(log.refusedRefresh?.times == 1 && log.refusedRefresh?.pause == 3_600)
    log.refuseRefresh(of: "another", retryAfter: 5, report: Failure.offline.report, at: now)
    #expect(log.refusedRefresh?.pause == 5, "the server alone says how long")
  }

  @Test("A report has no refresh token")
  func secretDetails() {
    let failure = Failure.offline.with(details: ["refresh_token": "R2", "more": 1])
    #expect(failure.report["error"]?.object?["details"] == ["more": 1])
  }

  @Test("The pause grows with every refusal, and ends if the clock is set back")
  func pauses() throws {
    let now = try Samples.receivedAt()
    var log = AttemptLog()
    #expect(log.pause(at: now) == nil)
    for pause: Int64 in [5, 30, 120, 600, 600] {
      log.refuse(at: now)
      #expect(log.pause(at: now) == pause)
      #expect(log.pause(at: try #require(now.adding(seconds: pause - 1))) == 1)
      #expect(log.pause(at: try #require(now.adding(seconds: pause))) == nil)
      #expect(log.pause(at: try #require(now.adding(seconds: -1))) == nil)
    }
    log.forgetRefusals()
    #expect(log.pause(at: now) == nil)
  }

  @Test("Tokens of logins that an API refuses are counted until it accepts one")
  func rejections() throws {
    let now = try Samples.receivedAt()
    var log = AttemptLog()
    func reject(isDemand: Bool = false) -> Int? {
      log.reject(isDemand: isDemand, at: now)
      return log.rejections?.times
    }
    #expect(reject() == nil, "the token came from a login that the user wanted, or from a refresh")
    log.beginTrial(isDemanded: false)
    #expect(reject(isDemand: true) == nil, "the first login could not know of the demand")
    #expect(reject() == 1)
    #expect(reject() == 1, "a token counts once")
    for times in [2, 3, 4, 4] {
      log.beginTrial(isDemanded: false)
      #expect(reject(isDemand: true) == times)
    }
    #expect(log.rejections?.pause(at: now) == 600 && log.pause(at: now) == nil)
    log.beginTrial(isDemanded: true)
    log.forgetRefusals()
    #expect(reject() == 4, "the user has signed in, but no API has accepted the token")
    log.accept()
    #expect(log.rejections == nil && !log.awaitsAcceptance)
  }
}

@Suite("AttemptOutcome")
struct AttemptOutcomeTests {
  @Test(
    "A failure that every waiting program would have is reported",
    arguments: [
      Failure.windowClosed, .loginRequired(page: "https://as.test/"),
      .signInPaused(account: "work", seconds: 5), .refusal(code: "access_denied"), .offline, .stateMismatch,
      Failure(.windowFailed, "the window does not answer"),
    ])
  func shared(failure: Failure) {
    #expect(AttemptOutcome(failure, report: Samples.report) == .failed(Samples.report(failure)))
  }

  @Test("A program that may not ask the user reports only that a login is needed")
  func needsLogin() {
    let failure = Failure.signInForbidden(account: "work")
    #expect(AttemptOutcome(failure, report: Samples.report) == .needsLogin)
  }

  @Test(
    "A failure of one program alone is not reported",
    arguments: [
      Failure.alreadyInProgress(account: "work"), Samples.noDisplay, .storeLocked, .noClient, Samples.defect,
    ])
  func own(failure: Failure) { #expect(AttemptOutcome(failure, report: Samples.report) == nil) }

  @Test("A report is read back as the same failure, without the address of the page and without steps")
  func report() throws {
    let refusal = Failure.refusal(
      code: "access_denied", description: "no", uri: "https://as.test/e", page: "https://as.test/p")
    let failures = [refusal.with(hint: "ask again"), .offline, .signInPaused(account: "work", seconds: 5)]
    for failure in failures {
      let again = try #require(Failure(report: failure.report))
      #expect(again.report == failure.report && again.code == failure.code && again.origin == failure.origin)
      #expect(again.message == failure.message && again.hint == (failure.hint?.text).map(Failure.Hint.text))
      #expect(again.isRetryable == failure.isRetryable && again.providerURI == nil)
      #expect(again.details["uri"] == nil && again.details["retry_after"] == failure.details["retry_after"])
    }
    #expect(Failure(report: ["error": ["error": "cancelled"], "message": "m"]) == nil, "no origin")
  }

  @Test("Eight reports with the longest texts fit into a log")
  func longReport() throws {
    let text = String(repeating: "\u{1}ä", count: 5_000)
    let report = Failure.refusal(code: "invalid_scope", description: text).report
    #expect(report.text.utf8.count * AttemptLog.maximumEnded < AttemptLog.maximumDocumentSize)
    let description = try #require(Failure(report: report)?.providerDescription)
    #expect(description.hasPrefix("\u{1}ä\u{1}ä") && description.hasSuffix("ä…"))
  }
}
