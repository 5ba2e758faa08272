import Testing

@testable import WindowProtocol

@Suite("Rendering")
struct RenderingTests {
  @Test("Each rendering does without what the one before does without, and more")
  func order() {
    for (one, next) in zip(Rendering.allCases, Rendering.allCases.dropFirst()) {
      #expect(next.variables.count > one.variables.count)
      #expect(next.variables.map(\.name).starts(with: one.variables.map(\.name)))
    }
  }

  @Test("The graphics card draws only if the user asks for it")
  func standard() {
    #expect(Rendering.gpu.variables.isEmpty)
    #expect(Rendering.standard.variables.map(\.name) == ["WEBKIT_DISABLE_DMABUF_RENDERER"])
  }
}
