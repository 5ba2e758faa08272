import Testing

/// Runs the tests in CI, which copies this file into `Tests` for the build. Without it SwiftPM would search an index of all
/// sources for XCTest tests and generate a similar file, which takes a fifth of the build time. The file stays out of
/// `Tests` otherwise, because with it `swift test` runs no tests of Swift Testing.
@main
struct TestRunner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
