/// One line of the table that Tests/bench.sh makes: what was measured, and the most that it may be.
struct Figure {
  let name: String
  let value: Double
  let limit: Double

  var isKept: Bool { value <= limit }

  var line: String { "figure\t\(name)\t\(rounded(value, digits: 3))\t\(limit)" }
}

/// One line of times: a name, and figures in columns.
func row(_ name: String, _ columns: String...) -> String {
  let padded = columns.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }
  return "  " + name + String(repeating: " ", count: max(0, 16 - name.count)) + padded.joined(separator: "  ")
}

/// A number that is not negative with as many digits after the point, and never more.
func rounded(_ number: Double, digits: Int = 0) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let all = String(Int((number * scale).rounded()))
  let text = String(repeating: "0", count: max(0, digits + 1 - all.count)) + all
  return digits == 0 ? text : "\(text.dropLast(digits)).\(text.suffix(digits))"
}
