import Foundation
import LoginCore
import Testing
import WindowProtocol

@testable import SignIn

@Suite("WindowMemory")
struct WindowMemoryTests {
  /// The state folder of one test, which is removed at its end.
  private final class State {
    let path = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)").path()
    var file: String { path + "/deep/tokentry/rendering" }
    var memory: WindowMemory { WindowMemory(state: path + "/deep") }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8]) throws {
      try FileManager.default.createDirectory(
        atPath: path + "/deep/tokentry", withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(filePath: file))
      chmod(file, 0o600)
    }
  }

  @Test("The last rendering is kept", arguments: Rendering.allCases)
  func keeps(_ rendering: Rendering) {
    let state = State()
    #expect(state.memory.rendering == nil)
    #expect(state.memory.keep(.software))
    #expect(state.memory.keep(rendering))
    #expect(state.memory.rendering == rendering)
  }

  @Test("The size and the zoom of the last window are kept beside the rendering")
  func keepsLayout() {
    let state = State()
    #expect(state.memory.layout == nil)
    #expect(state.memory.keep(.software))
    state.memory.keep(WindowLayout(size: WindowSize("640x480"), zoom: 90))
    #expect(state.memory.layout == WindowLayout(size: WindowSize("640x480"), zoom: 90))
    #expect(state.memory.rendering == .software)
  }

  @Test("The file and its folders are private, and no temporary file is left")
  func isPrivate() throws {
    let state = State()
    #expect(state.memory.keep(.software))
    for path in [state.file, state.path + "/deep/tokentry", state.path + "/deep", state.path] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect((mode ?? 0o777) & 0o077 == 0, "\(path)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: state.path + "/deep/tokentry") == ["rendering"])
  }

  @Test(
    "A damaged file counts as missing, and is replaced",
    arguments: [
      "", "software", "soft\nware\n", "software\nmore", "fast\n", "\u{0}\n",
      String(repeating: "software\n", count: 100),
    ])
  func damaged(_ text: String) throws {
    let state = State()
    try state.write(Array(text.utf8))
    #expect(state.memory.rendering == nil)
    #expect(state.memory.keep(.software))
    #expect(state.memory.rendering == .software)
    try state.write([0xFF, 0x0A])
    #expect(state.memory.rendering == nil)
  }

  @Test("A rendering that the caller has named is not kept")
  func named() {
    let state = State()
    #expect(!WindowMemory(state: state.path + "/deep", keepsRendering: false).keep(.software))
    #expect(state.memory.rendering == nil)
  }

  @Test("Without a writable state folder, keeping does nothing")
  func nowhere() {
    #expect(!WindowMemory(state: nil).keep(.software))
    #expect(WindowMemory(state: nil).rendering == nil)
    #expect(!WindowMemory(state: "/dev/null/state").keep(.software))
  }
}
