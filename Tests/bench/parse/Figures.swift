/// One line of a table: a name, figures in columns, and whatever is said about them.
func row(_ name: String, _ columns: String...) -> String {
  let padded = columns.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }
  return "  " + name + String(repeating: " ", count: max(0, 16 - name.count)) + padded.joined(separator: "  ")
}

/// A number with as many digits after the point, and never more.
func figure(_ number: Double, digits: Int = 0) -> String {
  var scale = 1.0
  for _ in 0..<digits { scale *= 10 }
  let all = String(Int((number * scale).rounded()))
  let text = String(repeating: "0", count: max(0, digits + 1 - all.count)) + all
  return digits == 0 ? text : "\(text.dropLast(digits)).\(text.suffix(digits))"
}
