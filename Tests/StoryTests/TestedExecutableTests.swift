import Testing

/// The bundle of the tests is found however the test process was started.
@Suite("TestedExecutable")
struct TestedExecutableTests {
  @Test(
    "directories",
    arguments: [
      (["/p/.build/debug/T.xctest", "--testing-library", "swift-testing"], "", ["/p/.build/debug"]),
      (["helper", "--test-bundle-path", "/p/b/T.xctest/Contents/MacOS/T"], "/opt/helper", ["/p/b"]),
      (["runner", "all"], "/p/b/T.xctest", ["/p/b"]),
      (["/a/T.xctest"], "/b/T.xctest", ["/a", "/b"]),
      (["runner"], "/opt/helper", []),
    ])
  func directories(_ arguments: [String], _ executable: String, _ directories: [String]) {
    #expect(TestedExecutable.directories(arguments: arguments, executable: executable) == directories)
  }
}
