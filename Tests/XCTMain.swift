import Glibc
import Testing

/// Runs the tests. Were this not here, SwiftPM would make it, after it had looked through an index of all sources for tests
/// of XCTest, of which there are none: that would take a quarter of the time for a build.
@main
struct TestRunner {
  static func main() async {
    // `swift test` asks for those of XCTest first.
    guard CommandLine.arguments.contains("swift-testing") else { return }
    // A program that a test writes to may have ended. Were it ignored, every program that is started would ignore it, too.
    signal(SIGPIPE) { _ in }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
