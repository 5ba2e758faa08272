import Foundation
import Testing

@testable import TestSupport

/// What can be seen on a screen: how often each colour.
struct Picture: Equatable {
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
    let hand = try Program(
      "/usr/bin/env", ["import", "-window", "root", "-depth", "8", "-format", "%c", "histogram:info:-"],
      environment: ["PATH": "/usr/bin:/bin", "DISPLAY": screen.name], errorPath: folder + "/import")
    try #require(await hand.end() == 0, "\(hand.errors)")
    return Picture(histogram: hand.text)
  }

  /// Waits until the screen shows what it should, and stands still.
  func sees(_ isRight: (Picture) -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(15)
    var last = try await picture()
    while ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(150))  // longer than drawing twice in a row takes
      let picture = try await picture()
      if picture == last, isRight(picture) { return true }
      last = picture
    }
    return false
  }
}
