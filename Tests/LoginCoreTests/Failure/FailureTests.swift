import Testing

@testable import LoginCore

@Suite("Failure")
struct FailureTests {
  @Test("Failures are equal if all their facts are")
  func equality() {
    let failure = Failure(.network, "a", hint: "b", details: ["c": "d"])
    #expect(failure == Failure(.network, "a", hint: "b", details: ["c": "d"]))
    let others = [
      Failure(.tls, "a", hint: "b", details: ["c": "d"]),
      Failure(.network, "a", kind: .givenUp, hint: "b", details: ["c": "d"]),
      Failure(.network, "x", hint: "b", details: ["c": "d"]),
      Failure(.network, "a", hint: "x", details: ["c": "d"]),
      Failure(.network, "a", details: ["c": "d"]),
      Failure(.network, "a", hint: "b"),
      Failure(.network, "a", hint: "b", origin: .user, details: ["c": "d"]),
      Failure(.network, "a", hint: "b", details: ["c": "d"], isRetryable: false),
      Failure(.network, "a", hint: "b", details: ["c": "d"], providerDescription: "x"),
      Failure(.network, "a", hint: "b", details: ["c": "d"], providerURI: "x"),
    ]
    for other in others { #expect(failure != other, "\(other.code): \(other)") }
  }

  @Test("A failure keeps its kind when it gets another hint")
  func kind() {
    let failure = Failure.unreadableAccount("work", "it is empty")
    #expect(failure.kind == .unreadableAccount && failure.with(hint: "x").kind == .unreadableAccount)
    #expect(Failure.storeLocked.kind == nil)
  }

  // Swift prints an error that a program does not catch in the second way.
  @Test("An error prints as its sentence, with the hint if there is one")
  func printed() throws {
    let errors: [(any Error, String)] = [
      (Failure(.network, "a"), "a"),
      (Failure.unknownAccount("wrk", nearest: "work"), "there is no account \"wrk\" (did you mean work?)"),
      ("a URL with a query" as Message, "a URL with a query"),
      (JSONError(message: "there is text after the end", line: 2), "line 2: there is text after the end"),
    ]
    for (error, text) in errors { #expect("\(error)" == text && String(reflecting: error) == text) }
  }

  @Test("The origin and the retryability are those of the code, unless the failure has its own")
  func defaults() {
    #expect(Failure.offline.origin == .network && Failure.offline.isRetryable)
    let own = Failure(.network, "a", origin: .caller, isRetryable: false)
    #expect(own.origin == .caller && !own.isRetryable)
  }

  @Test("A provider's own code is never one of ours, even if it is the same word")
  func ownCodes() {
    #expect(Failure.Code.provider("cancelled") != .cancelled)
    #expect(Failure.Code.provider("cancelled") == .provider("cancelled"))
    #expect(Failure.Code.provider("\u{E9}") != .provider("e\u{301}"), "codes are compared byte by byte")
  }

  @Test("A defect names its place and the words of the library")
  func defect() {
    #expect(Failure.defect("why", "A/B.swift", 7).description == "a defect in tokentry: A/B.swift:7: why")
  }
}
