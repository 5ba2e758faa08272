/// One decoded name and value of a query, a fragment, a form or a header.
public struct Parameter: Sendable {
  /// The decoded name.
  public let name: String
  /// The decoded value. A parameter without `=` has an empty one.
  public let value: String

  /// Creates a parameter from text that is not encoded.
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

/// The parameters of one query, fragment, form or header, in their order. It can be written as a literal, such as
/// `["Accept": "text/plain"]`, or built at run time: it is a collection of them.
public struct ParameterList: Sendable, Equatable, Redacted {
  /// The parameters in their order.
  package private(set) var parameters: [Parameter] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list of these parameters.
  package init(_ parameters: [Parameter]) { self.parameters = parameters }

  /// Creates a list from a dictionary, sorted by name.
  public init(_ values: [String: String]) {
    parameters = values.sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) }
  }

  /// Adds a parameter at the end.
  public mutating func append(_ name: String, _ value: String) { parameters.append(Parameter(name, value)) }

  /// Reads a whole form, or the part of a URL between `?` and `#`. Returns nil if it has more than `limit` parameters.
  package init?(form bytes: [UInt8], upTo limit: Int) {
    append(formEncoded: bytes.span, upTo: limit + 1)
    if parameters.count > limit { return nil }
  }

  /// Reads a form (URL Standard section 5.1) from `start` to its end, or a query to the `#` after it. Returns the index
  /// at which reading stopped.
  ///
  /// Reading stops after `limit` parameters, so that a huge list of `&a` costs no more than a short one.
  @discardableResult
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

  /// Callbacks rarely have more parameters than this. Up to this number, no list is reallocated and no set is built.
  private static let usualCount = 16

  /// The value of a parameter. An empty one counts as absent (RFC 6749 section 3.1).
  package subscript(name: String) -> String? {
    guard let parameter = parameters.first(where: { $0.name.isIdentical(to: name) }) else { return nil }
    return parameter.value.isEmpty ? nil : parameter.value
  }

  /// The first name that occurs twice, which RFC 6749 section 3.1 forbids.
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

  /// True if a parameter of this name occurs twice.
  package func repeats(_ name: String) -> Bool {
    parameters.count { $0.name.isIdentical(to: name) } > 1
  }
}

extension ParameterList: RandomAccessCollection, RangeReplaceableCollection {
  public var startIndex: Int { parameters.startIndex }
  public var endIndex: Int { parameters.endIndex }
  public subscript(position: Int) -> Parameter { parameters[position] }
  public mutating func replaceSubrange(
    _ range: Range<Int>, with others: some Collection<Parameter>
  ) { parameters.replaceSubrange(range, with: others) }
}

extension ParameterList: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// Creates a list from pairs of names and values. A name may occur several times.
  public init(dictionaryLiteral pairs: (String, String)...) {
    self.init(pairs.map { Parameter($0.0, $0.1) })
  }

  /// Creates a list from parameters.
  public init(arrayLiteral parameters: Parameter...) { self.init(parameters) }
}
