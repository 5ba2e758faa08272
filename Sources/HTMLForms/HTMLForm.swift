import LoginCore

/// A form of a page (HTML Standard section 4.10).
package struct HTMLForm: Sendable, Equatable {
  /// The address that it is sent to, as in the page. It may be relative, or empty for the page itself.
  package let action: String
  package let method: Method
  /// The fields with their initial values, without those that are disabled.
  package let fields: [Field]
  /// The buttons that send it.
  package let buttons: [Button]

  package enum Method: Sendable, Equatable {
    case get, post
    /// The form closes a dialog of the page, and is not sent.
    case dialog

    /// Reads an attribute. Unknown methods are GET.
    init(attribute: String) {
      self =
        switch attribute.lowercased() {
        case "post": .post
        case "dialog": .dialog
        default: .get
        }
    }
  }

  package struct Field: Sendable, Equatable {
    package let name: String
    /// The initial values: one, or those of the selected options.
    package let values: [String]
    /// True if several options can be selected.
    var takesSeveral = false
    package var kind = Kind.other

    package enum Kind: Sendable {
      case password, hidden, other
    }
  }

  package struct Button: Sendable, Equatable {
    /// The parameter that the button adds, unless it has no name.
    package let parameter: Parameter
    /// The button's own `formaction` and `formmethod`, which count more than those of the form.
    var action: String?
    var method: Method?
  }

  /// A form that has been filled in.
  package struct Submission: Sendable, Equatable {
    /// The address as in the page, or empty for the page itself.
    package let action: String
    package let isPost: Bool
    package let parameters: [Parameter]
    /// The values that were filled in if one of them is a password; otherwise empty.
    package let credentials: [Parameter]
  }

  /// Fills in `values`, and presses a button: the one that is among the `values`, or else the first. Returns nil if the
  /// form has neither a field nor a button of them, or is not sent to a server.
  package func submission(of values: [Parameter]) -> Submission? {
    let pressed = buttons.first { button in values.contains(button.parameter) }
    let filled = fields.filter { field in values.contains { $0.name.isIdentical(to: field.name) } }
    guard !filled.isEmpty || pressed != nil else { return nil }
    let button = pressed ?? buttons.first
    let method = button?.method ?? method
    if method == .dialog { return nil }
    let added = [button?.parameter].compactMap(\.self).filter { !$0.name.isEmpty }
    return Submission(
      action: button?.action ?? action, isPost: method == .post,
      parameters: parameters(filledFrom: values, and: added),
      credentials: filled.contains { $0.kind == .password }
        ? filled.flatMap { $0.parameters(filledFrom: values) } : [])
  }

  /// The form as a script of its page sends it: with its initial values, and without a button.
  package var submissionByScript: Submission {
    Submission(
      action: action, isPost: method == .post, parameters: parameters(filledFrom: [], and: []),
      credentials: [])
  }

  private func parameters(filledFrom values: [Parameter], and added: [Parameter]) -> [Parameter] {
    (fields.flatMap { $0.parameters(filledFrom: values) } + added).map {
      Parameter($0.name.withNetworkLineBreaks, $0.value.withNetworkLineBreaks)
    }
  }
}

extension HTMLForm.Field {
  fileprivate func parameters(filledFrom given: [Parameter]) -> [Parameter] {
    let meant = given.filter { $0.name.isIdentical(to: name) }.map(\.value)
    let sent = meant.isEmpty ? values : takesSeveral ? meant : Array(meant.prefix(1))
    return sent.map { Parameter(name, $0) }
  }
}

extension String {
  /// The text with CR LF for each line break, as forms are sent (HTML Standard section 4.10.21.4).
  fileprivate var withNetworkLineBreaks: String {
    let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    var bytes: [UInt8] = []
    var last: UInt8 = 0
    for byte in utf8 {
      defer { last = byte }
      if byte == lf, last == cr { continue }
      bytes += byte == cr || byte == lf ? [cr, lf] : [byte]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
