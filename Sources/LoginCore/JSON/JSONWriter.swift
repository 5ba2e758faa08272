extension JSONValue {
  /// The value in one line, without spaces outside strings. Slashes are not escaped.
  public var text: String {
    var writer = JSONWriter()
    writer.write(self)
    return writer.text
  }
}

extension JSONObject {
  /// The object in one line.
  public var text: String { JSONValue.object(self).text }
}

/// Writes a value in one line, without control characters.
private struct JSONWriter {
  private(set) var text = ""

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let number): text += number.literal
    case .string(let string): write(string)
    case .array(let elements):
      write("[", "]", elements) { writer, element in writer.write(element) }
    case .object(let members):
      write("{", "}", members) { writer, member in
        writer.write(member.name)
        writer.text += ":"
        writer.write(member.value)
      }
    }
  }

  private mutating func write<Elements: Sequence>(
    _ opening: String, _ closing: String, _ elements: Elements,
    _ writeElement: (inout JSONWriter, Elements.Element) -> Void
  ) {
    text += opening
    var isFirst = true
    for element in elements {
      if !isFirst { text += "," }
      isFirst = false
      writeElement(&self, element)
    }
    text += closing
  }

  private mutating func write(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isControl: text += Self.escape(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
