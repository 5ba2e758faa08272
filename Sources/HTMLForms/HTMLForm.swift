import LoginCore

/// A form of a page: what it would send, and where (HTML Standard section 4.10).
public struct HTMLForm: Sendable, Equatable {
  /// Where it is sent, as the page says it: possibly relative, possibly empty for the page itself.
  public let action: String
  /// Whether it is sent with POST.
  public let isPost: Bool
  /// The fields and the values they have.
  public let fields: [Parameter]
  /// The buttons that send it, and the values they add.
  public let buttons: [Parameter]

  /// What is sent if `values` are filled in and a button is pressed: the one that `values` name with that
  /// value, else the first. Nothing if the form has neither a field nor a button of any of the names.
  public func submission(of values: [Parameter]) -> [Parameter]? {
    let pressed = buttons.first { button in values.contains(button) }
    let isMeant = fields.contains { field in values.contains { $0.name.isIdentical(to: field.name) } }
    guard isMeant || pressed != nil else { return nil }
    let filled = fields.map { field in
      values.first { $0.name.isIdentical(to: field.name) } ?? field
    }
    let button = pressed ?? buttons.first
    return filled + [button].compactMap(\.self).filter { !$0.name.isEmpty }
  }
}
