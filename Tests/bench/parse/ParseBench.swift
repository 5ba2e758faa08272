import Glibc
import LoginCore

/// Measures how callbacks are parsed, against GLib and Foundation, and ends with status 1 above a limit.
@main
struct ParseBench {
  /// Of the time that GLib and Foundation need for the same input.
  static let limitToGLib = 0.5
  static let limitToFoundation = 0.25
  /// A leak of one byte for each of a million parses would be four times this.
  static let limitOfMemory = 256 * 1_024

  static func main() throws {
    var passed = true
    for channel in [Inputs.Channel.query, .fragment] {
      passed = try retrying(rounds: 200) { try compare(channel, rounds: $0) } && passed
    }
    print("\n200 kB against 1 kB")
    for shape in Inputs.Shape.allCases {
      passed = try retrying(rounds: 50) { try measureGrowth(shape, rounds: $0) } && passed
    }
    passed = try measureMemory() && passed
    guard passed else {
      print("limit exceeded")
      exit(1)
    }
  }

  /// On a busy machine a first verdict can be wrong; a second one from more rounds has to agree.
  static func retrying(rounds: Int, _ measure: (_ rounds: Int) throws -> Bool) rethrows -> Bool {
    if try measure(rounds) { return true }
    print("  above the limit; once more, from more rounds:")
    return try measure(4 * rounds)
  }

  /// A typical callback, parsed by everyone.
  static func compare(_ channel: Inputs.Channel, rounds: Int) throws -> Bool {
    let text = Inputs.typical(channel)
    var parsers = [try Parser.loginCore(text), .glib(text, channel)]
    if channel == .query { parsers.append(.foundation(text)) }
    for parser in parsers where parser.parse(1) != 7 { fatalError("\(parser.name) misread the input") }

    let measurement = Measurement(of: parsers, times: parsers.map { _ in 500 }, rounds: rounds)
    print("\n\(text.utf8.count) bytes in the \(channel)")
    print(row("LoginCore", figure(measurement.time(0)) + " ns"))
    var passed = true
    for (index, limit) in zip(parsers.indices.dropFirst(), [limitToGLib, limitToFoundation]) {
      let ratio = measurement.ratio(0, to: index)
      let verdict = "LoginCore takes \(figure(ratio, digits: 3)) of it, limit \(limit)"
      print(row(parsers[index].name, figure(measurement.time(index)) + " ns", verdict))
      passed = passed && ratio <= limit
    }
    return passed
  }

  /// The same shape in two sizes.
  static func measureGrowth(_ shape: Inputs.Shape, rounds: Int) throws -> Bool {
    let texts = [200_000, 1_000].map(shape.callback)
    let parsers = try texts.map(Parser.loginCore)
    guard parsers.allSatisfy({ $0.parse(1) > 0 }) else { fatalError("\(shape) is refused") }
    let measurement = Measurement(of: parsers, times: [1, 200], rounds: rounds)
    let ratio = measurement.ratio(0, to: 1)
    print(
      row(
        shape.rawValue, figure(measurement.time(0)) + " ns", figure(measurement.time(1)) + " ns",
        "\(figure(ratio, digits: 1)) times as long, limit \(figure(shape.limitOfGrowth))"))
    return ratio <= shape.limitOfGrowth
  }

  /// A million parses, after a tenth of that as a warm-up.
  static func measureMemory() throws -> Bool {
    let parsers = try [Inputs.Channel.query, .fragment].map { try Parser.loginCore(Inputs.typical($0)) }
    for parser in parsers { _ = parser.parse(50_000) }
    let before = residentBytes()
    for parser in parsers { _ = parser.parse(500_000) }
    let growth = residentBytes() - before
    print("\nmemory after a million parses: \(growth / 1_024) kB more, limit \(limitOfMemory / 1_024) kB")
    return growth <= limitOfMemory
  }
}
