/// One decoded name and value of a query, a fragment or a form.
public struct Parameter: Sendable {
  /// The name.
  public let name: String
  /// The value; a parameter without `=` has an empty one.
  public let value: String

  /// A parameter as it is before encoding.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension Parameter: Equatable {
  public static func == (left: Parameter, right: Parameter) -> Bool {
    left.name.isIdentical(to: right.name) && left.value.isIdentical(to: right.value)
  }
}
