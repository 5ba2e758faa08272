import LoginWays
import Foundation
import LoginCore
import Testing

@testable import tokentry

@Suite("What is remembered about rendering")
struct WindowMemoryTests {
  /// A folder of its own for each test, which goes with it.
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

  @Test("What was kept comes back, the last one", arguments: Rendering.allCases)
  func keeps(_ rendering: Rendering) {
    let state = State()
    #expect(state.memory.rendering == nil)
    #expect(state.memory.keep(.software))
    #expect(state.memory.keep(rendering))
    #expect(state.memory.rendering == rendering)
  }

  @Test("The size and the zoom of the last window are in a file of their own")
  func keepsLayout() {
    let state = State()
    #expect(state.memory.layout == nil)
    #expect(state.memory.keep(.software))
    state.memory.keep(WindowLayout(size: WindowSize("640x480"), zoom: 90))
    #expect(state.memory.layout == WindowLayout(size: WindowSize("640x480"), zoom: 90))
    #expect(state.memory.rendering == .software)
  }

  @Test("File and folders are the user's alone, and no draft is left")
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
    "A file that is damaged says nothing, and the next one replaces it",
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

  @Test("What others may have written is not believed")
  func openToOthers() throws {
    let state = State()
    try state.write(Array("software\n".utf8))
    #expect(state.memory.rendering == .software)
    chmod(state.file, 0o620)
    #expect(state.memory.rendering == nil)
    chmod(state.file, 0o600)
    chmod(state.path + "/deep/tokentry", 0o777)
    #expect(state.memory.rendering == nil)
    #expect(!state.memory.keep(.software))
  }

  @Test("A link in the file's place is replaced and not followed, and a pipe is not waited for")
  func strangeFiles() throws {
    let state = State()
    try state.write(Array("x".utf8))
    try FileManager.default.removeItem(atPath: state.file)
    let other = state.path + "/other"
    try Data("software\n".utf8).write(to: URL(filePath: other))
    try FileManager.default.createSymbolicLink(atPath: state.file, withDestinationPath: other)
    #expect(state.memory.rendering == nil)
    #expect(state.memory.keep(.noCompositing))
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "software\n")
    try FileManager.default.removeItem(atPath: state.file)
    mkfifo(state.file, 0o600)
    #expect(state.memory.rendering == nil)
  }

  @Test("Where nothing can be written nothing is kept, and nothing fails")
  func nowhere() {
    #expect(!WindowMemory(state: nil).keep(.software))
    #expect(WindowMemory(state: nil).rendering == nil)
    #expect(!WindowMemory(state: "/dev/null/state").keep(.software))
  }
}
