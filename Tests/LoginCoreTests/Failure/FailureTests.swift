import Testing

@testable import LoginCore

@Suite("Failure")
struct FailureTests {
  /// A fault of another part, which looks like one of ``FakeFault``.
  private enum OtherFault: ApplicationFault {
    case ours

    var concernsOthers: Bool { false }
  }

  @Test("failures are equal if their reasons of the application's own are")
  func equality() {
    #expect(Failure.application(FakeFault.ours) == .application(FakeFault.ours))
    #expect(Failure.application(FakeFault.ours) != .application(FakeFault.everybodys))
    #expect(Failure.application(FakeFault.ours) != .application(OtherFault.ours))
    #expect(Failure.application(FakeFault.ours) != .caller(.noClient))
  }

  @Test("a reason of the application's own is found by its type and by no other")
  func fault() {
    let failure = Failure.application(FakeFault.ours)
    #expect(failure.fault() == FakeFault.ours)
    #expect(failure.fault(as: OtherFault.self) == nil)
    #expect(Failure.caller(.noClient).fault(as: FakeFault.self) == nil)
  }

  @Test("a defect says where it is")
  func defect() {
    #expect(Defect.here("why", "A/B.swift", 7) == Defect(place: "A/B.swift:7", detail: "why"))
    #expect(Defect.here() != .here("why"))
  }
}
