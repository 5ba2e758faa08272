import Testing

@testable import WindowProtocol

@Suite("Rendering")
struct RenderingTests {
  @Test("Each rendering is followed by a less demanding one")
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

  @Test("The graphics card draws only if the user asks for it")
  func standard() {
    #expect(Rendering.gpu.variables.isEmpty)
    #expect(Rendering.standard.variables.map(\.name) == ["WEBKIT_DISABLE_DMABUF_RENDERER"])
  }

  @Test("After blank pages the renderings are tried down to the last one", arguments: Rendering.allCases)
  func blankPages(_ first: Rendering) {
    var ladder = RenderingLadder(from: first)
    var tried = [ladder.rendering]
    #expect(!ladder.hasBeenBlank)
    while tried.count < 10, ladder.goOnAfterBlank() { tried.append(ladder.rendering) }
    #expect(tried == Array(Rendering.allCases.drop { $0 != first }))
    #expect(ladder.hasBeenBlank == (first != .software))
  }

  @Test("A window that dies is started again once, with the next rendering")
  func deaths() {
    var ladder = RenderingLadder(from: .standard)
    let first = ladder.goOnAfterDeath()
    #expect(first)
    #expect(ladder.rendering == .noCompositing)
    #expect(!ladder.hasBeenBlank, "a death is not a blank page")
    let blank = ladder.goOnAfterBlank()
    let second = ladder.goOnAfterDeath()
    #expect(blank && !second)
  }

  @Test("A window that dies with the last rendering is started again with the same one")
  func lastDeath() {
    var ladder = RenderingLadder(from: .software)
    let (first, second) = (ladder.goOnAfterDeath(), ladder.goOnAfterDeath())
    #expect(first && !second)
    #expect(ladder.rendering == .software)
  }
}
