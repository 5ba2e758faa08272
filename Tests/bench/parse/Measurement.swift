import CGLib
import Glibc

/// The times of several parsers. They take turns, so that other work of the machine affects all of them alike.
struct Measurement {
  /// The nanoseconds for one parse, for each round and parser.
  private let rounds: [[Double]]

  /// `times` is the number of parses of each parser in each round.
  init(of parsers: [Parser], times: [Int], rounds count: Int) {
    let clock = ContinuousClock()
    for (parser, times) in zip(parsers, times) { _ = parser.parse(times) }
    rounds = (0..<count).map { round in
      var figures = [Double](repeating: 0, count: parsers.count)
      for turn in parsers.indices {
        // Each parser is the first equally often.
        let index = (turn + round) % parsers.count
        let elapsed = clock.measure { _ = parsers[index].parse(times[index]) }
        figures[index] = elapsed / .nanoseconds(times[index])
      }
      return figures
    }
  }

  /// The median time of a parser, in nanoseconds.
  func time(_ index: Int) -> Double { median(rounds.map { $0[index] }) }

  /// The median over the rounds of the ratio of two parsers' times.
  func ratio(_ index: Int, to other: Int) -> Double { median(rounds.map { $0[index] / $0[other] }) }

  private func median(_ figures: [Double]) -> Double { figures.sorted()[figures.count / 2] }
}

/// A line in the table of Tests/bench.sh: a measured value and its limit.
struct Figure {
  let name: String
  let value: Double
  let limit: Double

  var isKept: Bool { value <= limit }

  var line: String { "figure\t\(name)\t\(rounded(value, digits: 3))\t\(limit)" }
}

/// A line with a name and columns.
func row(_ name: String, _ columns: String...) -> String {
  let padded = columns.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }
  return "  " + name + String(repeating: " ", count: max(0, 16 - name.count)) + padded.joined(separator: "  ")
}

/// Formats a non-negative number with a fixed number of decimal places.
func rounded(_ number: Double, digits: Int = 0) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let all = String(Int((number * scale).rounded()))
  let text = String(repeating: "0", count: max(0, digits + 1 - all.count)) + all
  return digits == 0 ? text : "\(text.dropLast(digits)).\(text.suffix(digits))"
}

/// The resident memory of this process in bytes.
func residentBytes() -> Int {
  // The second number in the file is the number of resident pages (proc(5)).
  var text: UnsafeMutablePointer<CChar>?
  guard g_file_get_contents("/proc/self/statm", &text, nil, nil) != 0, let text else {
    fatalError("no /proc/self/statm")
  }
  defer { g_free(text) }
  let numbers = String(cString: text).split(separator: " ").compactMap { Int($0) }
  return numbers[1] * Int(sysconf(Int32(_SC_PAGESIZE)))
}
