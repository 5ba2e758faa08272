/// The parameters of one channel in the order in which they were sent.
package struct ParameterList: Sendable, Redacted {
  package private(set) var parameters: [Parameter] = []

  /// Reads a form as the URL Standard section 5.1 does, from `start` to the end, or of a query to the `#`
  /// behind it, and returns where that was.
  ///
  /// Reading stops at `limit` parameters, so that a list of nothing but `&a` costs no more than a short one.
  @discardableResult @_optimize(speed)
  mutating func append(
    formEncoded bytes: Span<UInt8>, from start: Int = 0, isQuery: Bool = false,
    upTo limit: Int = .max
  ) -> Int {
    parameters.reserveCapacity(Self.usualCount)
    var scratch: [UInt8] = []
    var start = start
    while start < bytes.count, parameters.count < limit {
      let name = FormEncoding.Piece(of: bytes, from: start, isQuery: isQuery, isName: true)
      let hasValue = name.end < bytes.count && bytes[name.end] == UInt8(ascii: "=")
      let value =
        hasValue
        ? FormEncoding.Piece(of: bytes, from: name.end + 1, isQuery: isQuery, isName: false) : name.emptyEnd
      if value.end > start {
        parameters.append(
          Parameter(
            FormEncoding.decode(name, of: bytes, scratch: &scratch),
            FormEncoding.decode(value, of: bytes, scratch: &scratch)))
      }
      if value.end == bytes.count || bytes[value.end] != UInt8(ascii: "&") { return value.end }
      start = value.end + 1
    }
    return start
  }

  /// More than a callback usually has: so many are stored and compared without a further allocation.
  private static let usualCount = 16

  /// The value of a parameter; an empty one counts as absent (RFC 6749 section 3.1).
  package subscript(name: String) -> String? {
    guard let parameter = parameters.first(where: { $0.name.isIdentical(to: name) }) else { return nil }
    return parameter.value.isEmpty ? nil : parameter.value
  }

  /// The first name that is there twice (RFC 6749 section 3.1 allows none).
  @_optimize(speed)
  package var repeatedName: String? {
    if parameters.count > Self.usualCount {
      var names = NameSet(expecting: parameters.count)
      return parameters.first { !names.insert($0.name) }?.name
    }
    let list = parameters.span
    for index in list.indices {
      for earlier in 0..<index where list[earlier].name.isIdentical(to: list[index].name) {
        return list[index].name
      }
    }
    return nil
  }

  /// Whether a parameter of this name is there twice.
  package func repeats(_ name: String) -> Bool {
    parameters.count { $0.name.isIdentical(to: name) } > 1
  }
}

extension ParameterList {
  /// A channel that consists of these.
  init(_ parameters: [Parameter]) { self.parameters = parameters }
}

extension ParameterList {
  /// A whole form, or the part of a URL between `?` and `#`; nothing if it has more than `limit` parameters.
  package init?(form bytes: [UInt8], upTo limit: Int) {
    self.init()
    append(formEncoded: bytes.span, upTo: limit + 1)
    if parameters.count > limit { return nil }
  }
}
