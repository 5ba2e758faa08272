import Testing

@testable import WindowProtocol

@Suite("BlankJudge")
struct BlankJudgeTests {
  /// A class, because expectations cannot call mutating functions.
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

  /// A judge whose page has been flat for the whole time that it may be.
  private static func waited(mayReopen: Bool = true, documents: Int = 1) -> Judge {
    let judge = Judge(mayReopen: mayReopen)
    for _ in 0..<documents { judge.documentArrived() }
    for _ in 1..<BlankJudge.patience { #expect(judge.saw(.flat) == .wait) }
    #expect(judge.saw(.flat) == .compare)
    return judge
  }

  @Test("A visible page is not looked at again, however late it appears")
  func painted() {
    let judge = Judge()
    judge.documentArrived()
    #expect(judge.saw(.flat) == .wait)
    #expect(judge.saw(.content) == .painted)
    let late = Self.waited()
    #expect(late.saw(.content) == .painted)
    #expect(late.compared(picture: .content, screen: .content) == .painted)
  }

  @Test("A page with content that is still invisible after three seconds is reopened")
  func reopen() {
    let judge = Self.waited()
    #expect(judge.compared(picture: .content, screen: .flat) == .reopen)
  }

  @Test("If the page itself may be empty, the user decides", arguments: [BlankJudge.Sight.flat, .unknown])
  func empty(_ picture: BlankJudge.Sight) {
    let judge = Self.waited()
    #expect(judge.compared(picture: picture, screen: .flat) == .offer)
  }

  @Test("A page into which the user has typed or clicked is not reopened")
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

  @Test("Only the first document is reopened, and only if it may be")
  func once() {
    let second = Self.waited(documents: 2)
    #expect(second.compared(picture: .content, screen: .flat) == .offer)
    let pushed = Self.waited(mayReopen: false)
    #expect(pushed.compared(picture: .content, screen: .flat) == .offer)
  }

  @Test("A hidden window is not judged, and has its whole time once it is visible")
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

  @Test("The user is asked once for each page")
  func again() {
    let judge = Self.waited(documents: 2)
    #expect(judge.compared(picture: .flat, screen: .flat) == .offer)
    for _ in 0..<20 { #expect(judge.saw(.flat) == .wait) }
    judge.documentArrived()
    for _ in 1..<BlankJudge.patience { #expect(judge.saw(.flat) == .wait) }
    #expect(judge.saw(.flat) == .compare)
  }
}

@Suite("FirstPaint")
struct FirstPaintTests {
  /// A class, because expectations cannot call mutating functions.
  private final class Page {
    private var paint = FirstPaint()
    init(isComplete: Bool = true) { if isComplete { _ = paint.pageCompleted() } }
    var isComplete: Bool { paint.isComplete }
    func arrived() { paint.pageArrived() }
    func allowed() -> Bool { paint.navigationAllowed() }
    func leaves() { paint.pageLeaves() }
    func completed() -> Bool { paint.pageCompleted() }
    func nothingCame() -> Bool { paint.nothingCame() }
    func mayPaint() -> Bool { paint.mayPaint() }
  }

  @Test("A page is painted even before it is complete", arguments: [false, true])
  func painted(isComplete: Bool) {
    let page = Page(isComplete: isComplete)
    #expect(page.isComplete == isComplete)
    #expect(page.mayPaint())
    #expect(!page.completed())
  }

  @Test("A page that is left before it was painted is not painted, but the next one is")
  func left() {
    let page = Page()
    page.leaves()
    #expect(!page.isComplete)
    #expect(!page.mayPaint())
    #expect(!page.mayPaint())
    page.arrived()
    #expect(page.mayPaint())
    #expect(!page.isComplete)
  }

  @Test("A painted page stays on the screen until the next one arrives")
  func stays() {
    let page = Page()
    #expect(page.mayPaint())
    page.leaves()
    #expect(page.mayPaint())
  }

  @Test("Each page has to be painted anew")
  func next() {
    let page = Page()
    #expect(page.mayPaint())
    page.arrived()
    page.leaves()
    #expect(!page.mayPaint())
  }

  @Test("A complete page counts as left once a navigation is allowed; one that still arrives does not")
  func allowed() {
    let page = Page()
    #expect(page.allowed())
    #expect(!page.allowed())
    #expect(!page.isComplete)
    #expect(!page.mayPaint())
    let arriving = Page(isComplete: false)
    #expect(!arriving.allowed())
    #expect(arriving.mayPaint())
  }

  @Test("A page that stays after all is painted late")
  func staysAfterAll() {
    let page = Page()
    #expect(page.allowed())
    #expect(page.nothingCame())
    #expect(page.isComplete)
    #expect(page.mayPaint())
    #expect(page.allowed())
    #expect(!page.nothingCame())
    page.leaves()
    #expect(!page.completed())
    let failed = Page()
    failed.leaves()
    #expect(failed.completed())
    #expect(failed.mayPaint())
  }

  @Test("An earlier navigation that leads nowhere does not affect a page that is on its way")
  func onItsWay() {
    let page = Page()
    #expect(page.allowed())
    page.leaves()
    #expect(!page.allowed())
    #expect(!page.nothingCame())
    #expect(!page.mayPaint())
  }
}
