import Testing

@testable import LoginWays

@Suite("Whether a window is blank")
struct BlankJudgeTests {
  /// A judge that an expectation may ask.
  private final class Judge {
    private var judge: BlankJudge
    init(mayReopen: Bool = true) { judge = BlankJudge(mayReopen: mayReopen) }
    func documentArrived() { judge.documentArrived() }
    func touched() { judge.touched() }
    func saw(_ screen: BlankJudge.Sight) -> BlankJudge.Step { judge.saw(screen) }
    func compared(picture: BlankJudge.Sight, screen: BlankJudge.Sight) -> BlankJudge.Step {
      judge.compared(picture: picture, screen: screen)
    }
  }

  /// A judge of a page that is complete and has been flat for as long as it may be.
  private static func waited(mayReopen: Bool = true, documents: Int = 1) -> Judge {
    let judge = Judge(mayReopen: mayReopen)
    for _ in 0..<documents { judge.documentArrived() }
    for _ in 1..<BlankJudge.patience { #expect(judge.saw(.flat) == .wait) }
    #expect(judge.saw(.flat) == .compare)
    return judge
  }

  @Test("What can be seen needs no further look, however late it comes")
  func painted() {
    let judge = Judge()
    judge.documentArrived()
    #expect(judge.saw(.flat) == .wait)
    #expect(judge.saw(.content) == .painted)
    let late = Self.waited()
    #expect(late.saw(.content) == .painted)
    #expect(late.compared(picture: .content, screen: .content) == .painted)
  }

  @Test("A page that has content and cannot be seen after three seconds is opened in another way")
  func reopen() {
    let judge = Self.waited()
    #expect(judge.compared(picture: .content, screen: .flat) == .reopen)
  }

  @Test("A page that may be empty is the user's to judge", arguments: [BlankJudge.Sight.flat, .unknown])
  func empty(_ picture: BlankJudge.Sight) {
    let judge = Self.waited()
    #expect(judge.compared(picture: picture, screen: .flat) == .offer)
  }

  @Test("Nothing that somebody has entered is lost, before or after the page was complete")
  func touched() {
    let before = Judge()
    before.documentArrived()
    before.touched()
    for _ in 0..<BlankJudge.patience { _ = before.saw(.flat) }
    #expect(before.compared(picture: .content, screen: .flat) == .offer)
    let after = Self.waited()
    after.touched()
    #expect(after.compared(picture: .content, screen: .flat) == .offer)
  }

  @Test("Only the first document can be had again, and only where it may be")
  func once() {
    let second = Self.waited(documents: 2)
    #expect(second.compared(picture: .content, screen: .flat) == .offer)
    let pushed = Self.waited(mayReopen: false)
    #expect(pushed.compared(picture: .content, screen: .flat) == .offer)
  }

  @Test("A window that is hidden is not judged, and has its time again when it can be seen")
  func hidden() {
    let judge = Judge()
    judge.documentArrived()
    for _ in 0..<100 { #expect(judge.saw(.unknown) == .wait) }
    for _ in 1..<BlankJudge.patience { #expect(judge.saw(.flat) == .wait) }
    #expect(judge.saw(.unknown) == .wait)
    for _ in 1..<BlankJudge.patience { #expect(judge.saw(.flat) == .wait) }
    #expect(judge.saw(.flat) == .compare)
    #expect(judge.compared(picture: .content, screen: .unknown) == .wait)
  }

  @Test("The user is asked once a page, and the next page is judged anew")
  func again() {
    let judge = Self.waited(documents: 2)
    #expect(judge.compared(picture: .flat, screen: .flat) == .offer)
    for _ in 0..<20 { #expect(judge.saw(.flat) == .wait) }
    judge.documentArrived()
    for _ in 1..<BlankJudge.patience { #expect(judge.saw(.flat) == .wait) }
    #expect(judge.saw(.flat) == .compare)
  }
}
