import Testing

@testable import LoginWays

@Suite("The first picture of a page")
struct FirstPaintTests {
  /// One that an expectation may ask.
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

  @Test("A page is painted when it is there, complete or not", arguments: [false, true])
  func painted(isComplete: Bool) {
    let page = Page(isComplete: isComplete)
    #expect(page.isComplete == isComplete)
    #expect(page.mayPaint())
    #expect(!page.completed())
  }

  @Test("A page that is left before it was painted is not painted before the next one is there")
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

  @Test("A page that was painted stays on the screen until the next one is there")
  func stays() {
    let page = Page()
    #expect(page.mayPaint())
    page.leaves()
    #expect(page.mayPaint())
  }

  @Test("What a page has painted says nothing of the next one")
  func next() {
    let page = Page()
    #expect(page.mayPaint())
    page.arrived()
    page.leaves()
    #expect(!page.mayPaint())
  }

  @Test("A complete page may be left as soon as that is allowed, once; what arrives may have frames")
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

  @Test("A page that is not left after all is painted then, if it was not before")
  func notLeft() {
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

  @Test("A page that is on its way is not forgotten for a navigation that came before it")
  func onItsWay() {
    let page = Page()
    #expect(page.allowed())
    page.leaves()
    #expect(!page.allowed())
    #expect(!page.nothingCame())
    #expect(!page.mayPaint())
  }
}
