import Glibc
import LoginCore

/// Compares the parser of callbacks with GLib and Foundation, and prints figures with their limits.
@main
struct ParseBench {
  /// The limits relative to the time of GLib and Foundation for the same input.
  static let limitToGLib = 0.35
  static let limitToFoundation = 0.25
  /// In kB. A leak of one byte in each of a million parses would be four times as much.
  static let limitOfMemory = 256.0

  static func main() throws {
    for channel in [Inputs.Channel.query, .fragment] {
      try tell(rounds: 200) { try compare(channel, rounds: $0) }
    }
    print("\n200 kB against 1 kB")
    for shape in Inputs.Shape.allCases {
      try tell(rounds: 50) { [try growth(shape, rounds: $0)] }
    }
    try tell(rounds: 1) { _ in [try memory()] }
  }

  /// Prints the figures in the format of Tests/bench.sh. A figure above its limit is measured again with more rounds,
  /// because a busy machine can spoil a measurement.
  static func tell(rounds: Int, _ measure: (_ rounds: Int) throws -> [Figure]) rethrows {
    var figures = try measure(rounds)
    if !figures.allSatisfy(\.isKept) {
      print("  above the limit; measured again with more rounds:")
      figures = zip(figures, try measure(4 * rounds)).map { $0.isKept ? $0 : $1 }
    }
    for figure in figures { print(figure.line) }
  }

  /// Compares all parsers with a typical callback.
  static func compare(_ channel: Inputs.Channel, rounds: Int) throws -> [Figure] {
    let text = Inputs.typical(channel)
    var parsers = [try Parser.loginCore(text), .glib(text, channel)]
    if channel == .query { parsers.append(.foundation(text)) }
    for parser in parsers where parser.parse(1) != 7 { fatalError("\(parser.name) misread the input") }

    let measurement = Measurement(of: parsers, times: parsers.map { _ in 500 }, rounds: rounds)
    print("\n\(text.utf8.count) bytes in the \(channel)")
    for (index, parser) in zip(parsers.indices, parsers) {
      print(row(parser.name, rounded(measurement.time(index)) + " ns"))
    }
    return zip(parsers.indices.dropFirst(), [limitToGLib, limitToFoundation]).map { index, limit in
      Figure(
        name: "parse, \(text.utf8.count) bytes in the \(channel) / \(parsers[index].name)",
        value: measurement.ratio(0, to: index), limit: limit)
    }
  }

  /// Compares two lengths of one shape.
  static func growth(_ shape: Inputs.Shape, rounds: Int) throws -> Figure {
    let texts = [200_000, 1_000].map(shape.callback)
    let parsers = try texts.map(Parser.loginCore)
    guard parsers.allSatisfy({ $0.parse(1) > 0 }) else { fatalError("\(shape) is refused") }
    let measurement = Measurement(of: parsers, times: [1, 200], rounds: rounds)
    print(row(shape.rawValue, rounded(measurement.time(0)) + " ns", rounded(measurement.time(1)) + " ns"))
    return Figure(
      name: "parse, \(shape.rawValue), 200 kB / 1 kB", value: measurement.ratio(0, to: 1),
      limit: shape.limitOfGrowth)
  }

  /// Measures how much memory grows during a million parses.
  static func memory() throws -> Figure {
    let parsers = try [Inputs.Channel.query, .fragment].map { try Parser.loginCore(Inputs.typical($0)) }
    for parser in parsers { _ = parser.parse(50_000) }
    let before = residentBytes()
    for parser in parsers { _ = parser.parse(500_000) }
    let growth = Double(residentBytes() - before) / 1_024
    return Figure(name: "parse, kB more after a million", value: max(0, growth), limit: limitOfMemory)
  }
}
