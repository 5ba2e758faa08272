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

    @Test("Tests that are killed leave no display and no folder")
    func killed() async throws {
      let tests = try Program(
        Desk.program("tokentryPackageTests.xctest"),
        ["--testing-library", "swift-testing", "--filter", "WaylandTests/device"],
        environment: ProcessInfo.processInfo.environment.filter { $0.key != "TMPDIR" },
        errorPath: Screen.resultPath("killed-tests.log"))
      var displays: [String: pid_t] = [:]
      _ = await eventually {
        let children = Processes.all.filter { $0.parent == tests.identifier }
        displays = children.reduce(into: [:]) { $0[$1.name] = $1.identifier }
        return displays["weston"] != nil
      }
      let (screen, weston) = (displays["Xvfb"], displays["weston"])
      let server = try systemText("/proc/\(try #require(screen, "\(tests.text)"))/cmdline").split(
        separator: "\0")
      let desk = try #require(server.drop { $0 != "-fbdir" }.dropFirst().first)
      kill(tests.identifier, SIGKILL)
      #expect(
        await eventually(within: soon) {
          !Processes.all.contains { [screen, weston].contains($0.identifier) }
            && !FileManager.default.fileExists(atPath: desk + "/..")
        })
    }
  }
}
