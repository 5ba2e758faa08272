import Testing

/// Runs the tests that CI has built. Were this not put into `Tests` for the build, SwiftPM would make the like of it after a
/// search for tests of XCTest in an index of all sources, which takes a fifth of the time for a build. It is not there
/// otherwise since `swift test` runs nothing of Swift Testing beside it.
@main
struct TestRunner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
