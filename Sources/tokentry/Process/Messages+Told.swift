import LoginCore
import Wording

extension Messages {
  /// A failure as other programs are told it that wait for the same: they do not know the secrets of this one.
  static func told(_ report: Report) -> JSONObject { report.told.withTexts(redacted) }
}

extension JSONObject {
  /// The object with other texts in place of its own.
  fileprivate func withTexts(_ text: (String) -> String) -> JSONObject {
    reduce(into: [:]) { $0[$1.name] = $1.value.withTexts(text) }
  }
}

extension JSONValue {
  fileprivate func withTexts(_ text: (String) -> String) -> JSONValue {
    switch self {
    case .string(let own): .string(text(own))
    case .array(let elements): .array(elements.map { $0.withTexts(text) })
    case .object(let object): .object(object.withTexts(text))
    case .null, .bool, .number: self
    }
  }
}
