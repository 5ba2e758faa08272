import Testing

@testable import LoginCore

/// What programs tell each other about their attempts.
@Suite("AttemptLog")
struct AttemptLogTests {
  @Test(
    "the end of an attempt concerns those who found it under way, and later ones instead of one that never ended"
  )
  func numbers() {
    var log = AttemptLog()
    log.begin()
    #expect(log.awaited == 1 && log.outcome(since: 1) == nil)
    log.end(.needsLogin)
    #expect(log.outcome(since: 1) == .needsLogin)
    // Who comes now waits for the next one, whatever this one came to.
    #expect(log.awaited == 2 && log.outcome(since: 2) == nil)
    log.begin()
    log.begin()
    log.end(.token)
    #expect(log.outcome(since: 2) == .token && log.outcome(since: 1) == .token)
  }

  @Test("a document is read as it was written, and keeps the last attempts alone")
  func document() throws {
    var log = AttemptLog()
    for _ in 0..<20 {
      log.begin()
      log.end(.token)
    }
    log.begin()
    log.end(.failed(["what": ["was": "told"]]))
    log.refuse(at: try Samples.receivedAt())
    log.begin()
    let read = try #require(AttemptLog(document: log.document))
    #expect(read == log)
    #expect(read.ended.count == AttemptLog.maximumEnded && read.isUnderWay && read.newest == 22)
  }

  @Test(
    "what is no such document is as if there was none",
    arguments: [
      "", "{}", "[]", #"{"version":2,"newest":1,"under_way":false,"ended":[]}"#,
      #"{"version":1,"newest":-1,"under_way":false,"ended":[]}"#,
      #"{"version":1,"newest":9223372036854775807,"under_way":false,"ended":[]}"#,
    ])
  func noDocument(text: String) { #expect(AttemptLog(document: Array(text.utf8)) == nil) }

  @Test("an outcome that nobody can have written is left out")
  func damaged() throws {
    let text =
      #"{"version":1,"newest":3,"under_way":false,"ended":[{"attempt":1,"outcome":"token"},"#
      + #"{"attempt":2,"outcome":"x"},{"attempt":3,"failure":"text"},7],"#
      + #""refused":{"times":9,"last":"2026-11-20T00:00:00Z"}}"#
    let log = try #require(AttemptLog(document: Array(text.utf8)))
    #expect(log.ended.map(\.number) == [1] && log.refusals == nil)
  }

  @Test(
    "what is everybody's failure is told in the words that the program has for it",
    arguments: [
      Failure.user(.cancelled(.windowClosed)), .user(.loginRequired(page: "https://as.test/")),
      .user(.signInPaused(account: "work", seconds: 5)), .provider(ProviderError(code: "access_denied")),
      .network(.offline), .untrusted(.stateMismatch), .repeated(["told": "before"]),
      .application(FakeFault.everybodys),
    ])
  func shared(failure: Failure) {
    #expect(AttemptOutcome(failure, told: Samples.words) == .failed(Samples.words(failure)))
  }

  @Test("that somebody has to sign in is told without words")
  func needsLogin() {
    let failure = Failure.user(.signInForbidden(account: "work"))
    #expect(AttemptOutcome(failure, told: Samples.words) == .needsLogin)
  }

  @Test(
    "what is one program's own is told to nobody",
    arguments: [
      Failure.user(.alreadyInProgress(account: "work")), .application(FakeFault.ours), .store(.locked),
      .caller(.noClient), Samples.defect,
    ])
  func own(failure: Failure) { #expect(AttemptOutcome(failure, told: Samples.words) == nil) }

  @Test("the pause grows with every refusal, and ends with the clock's leap")
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
}
