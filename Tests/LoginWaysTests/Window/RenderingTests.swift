import Testing

@testable import LoginWays

@Suite("How pages get to the screen")
struct RenderingTests {
  @Test("Each way that showed nothing is followed by one that asks less of the machine")
  func order() {
    #expect(Rendering.gpu.next == .standard)
    #expect(Rendering.standard.next == .noCompositing)
    #expect(Rendering.noCompositing.next == .software)
    #expect(Rendering.software.next == nil)
    for rendering in Rendering.allCases {
      guard let next = rendering.next else { continue }
      #expect(next.variables.count > rendering.variables.count)
      #expect(next.variables.map(\.name).starts(with: rendering.variables.map(\.name)))
    }
  }

  @Test("A graphics card is asked for help only where that was asked for")
  func standard() {
    #expect(Rendering.gpu.variables.isEmpty)
    #expect(Rendering.standard.variables.map(\.name) == ["WEBKIT_DISABLE_DMABUF_RENDERER"])
  }

  @Test("A ladder of blank pages ends after the last way", arguments: Rendering.allCases)
  func blanks(_ first: Rendering) {
    var ladder = RenderingLadder(from: first)
    var tried = [ladder.rendering]
    #expect(!ladder.hasBeenBlank)
    while tried.count < 10, ladder.goOnAfterBlank() { tried.append(ladder.rendering) }
    #expect(tried == Array(Rendering.allCases.drop { $0 != first }))
    #expect(ladder.hasBeenBlank == (first != .software))
  }

  @Test("A window that dies is started again once, whatever else happens")
  func deaths() {
    var ladder = RenderingLadder(from: .standard)
    let first = ladder.goOnAfterDeath()
    #expect(first)
    #expect(ladder.rendering == .noCompositing)
    #expect(!ladder.hasBeenBlank, "nothing has been learned about painting")
    let blank = ladder.goOnAfterBlank()
    let second = ladder.goOnAfterDeath()
    #expect(blank && !second)
  }

  @Test("A window that dies with the last way has its second try with the same")
  func lastDeath() {
    var ladder = RenderingLadder(from: .software)
    let (first, second) = (ladder.goOnAfterDeath(), ladder.goOnAfterDeath())
    #expect(first && !second)
    #expect(ladder.rendering == .software)
  }
}
