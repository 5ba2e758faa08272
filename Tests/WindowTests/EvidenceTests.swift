import Foundation
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("What a failed test leaves")
  struct EvidenceTests {
    @Test("An issue leaves a picture, the words on the screen, the outputs of the programs, and the requests")
    func saved() async throws {
      let desk = try await Desk()
      let reader = try await ScreenReader(desk)
      let window = try desk.mailWindow(at: "auth", reader.variables)
      try #require(await desk.shows(window, titled: "Mail"), "\(window.text)")
      try await desk.seat.standsStill()
      let files = try ["png", "txt"].map { try Screen.resultPath("EvidenceTests.saved.\($0)") }
      defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
      withKnownIssue { Issue.record("on purpose") }
      let text = try String(contentsOfFile: files[1], encoding: .utf8)
      for part in ["on purpose", "\nCancel\n", "\nGET /auth", "\"main_frame_loaded\":true"] {
        #expect(text.contains(part), "\(text)")
      }
      #expect(try Screen.brightness(of: "EvidenceTests.saved", "100%x100%+0+0") > 0.5)
    }
  }
}
