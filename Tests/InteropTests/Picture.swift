import Foundation
import Testing

@testable import TestSupport

/// What can be seen on a screen: how often each colour.
struct Picture {
  /// A colour of the buttons and badges by which glewlwyd's pages are told apart.
  enum Colour: String {
    case blue = "#007BFF"
    case green = "#28A745"
    case grey = "#6C757D"
  }

  /// One line for each colour, which begins with how often it is there.
  let histogram: String

  /// Whether there is more of a colour than the edges of letters.
  func has(_ colour: Colour) -> Bool {
    let line = histogram.split(separator: "\n").first { $0.contains(colour.rawValue) }
    return line?.split(separator: ":").first.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
      > 300
  }
}

/// A page that is a script changes without being loaded again, so that only the screen tells what it has come to.
extension Desk {
  private func picture() async throws -> Picture {
    try await screen.standsStill()
    let path = folder + "/seen.png"
    try screen.capture(path)
    return Picture(
      histogram: try Screen.run(["convert", path, "-depth", "8", "-format", "%c", "histogram:info:-"], [:]))
  }

  /// Waits until the screen stands still and shows what it should.
  func sees(_ isRight: (Picture) -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(patience)
    while ContinuousClock.now < deadline {
      if isRight(try await picture()) { return true }
    }
    return false
  }
}
