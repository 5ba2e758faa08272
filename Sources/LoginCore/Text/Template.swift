/// Fills `{variable}` in the strings of a preset.
///
/// A value may come from a user, such as a tenant that was typed in, and must not be able to lead a login elsewhere. Its
/// ``Position`` decides which characters it may have.
struct Template {
  /// Returns the value of a variable for a position, or nil if there is no such variable. Without this function, braces
  /// are ordinary text.
  private let value: (@Sendable (String, Position) -> String?)?

  /// Leaves every string as it is: for strings that have been filled in already.
  static let verbatim = Template()

  private init() { value = nil }

  init(values: [String: String]) { value = { name, _ in values[name] } }

  /// Fills in examples, to find out if a preset can be filled in at all.
  init(examplesFor names: Set<String>) { value = { names.contains($0) ? $1.example : nil } }

  /// Fills in a string that is not an address. Parameters are encoded later, when the request is built.
  func text(_ pattern: String) throws(Message) -> String {
    try fill(pattern) { _, _ in .text }
  }

  /// Fills in a URL.
  func address(_ pattern: String) throws(Message) -> String {
    try fill(pattern) { prefix, following in Position(after: prefix, before: following) }
  }

  private func fill(_ pattern: String, _ position: (String, Piece?) -> Position) throws(Message) -> String {
    guard let value else { return pattern }
    var filled = ""
    let pieces = Self.pieces(of: pattern)
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .literal(let text): filled += text
      case .variable(let name):
        let position = position(filled, index + 1 < pieces.count ? pieces[index + 1] : nil)
        guard let value = value(name, position) else { throw "{\(name)} is not a variable of this preset" }
        guard let fitting = position.fit(value) else { throw "the value of \(name) is not \(position.noun)" }
        filled += fitting
      }
    }
    return filled
  }
}

/// The parts of a pattern.
extension Template {
  enum Piece {
    case literal(String)
    case variable(String)
  }

  /// Splits a pattern. Braces around anything but a name are ordinary text, as in a parameter that is JSON.
  private static func pieces(of pattern: String) -> [Piece] {
    var pieces: [Piece] = []
    var literal = ""
    var rest = pattern.unicodeScalars[...]
    while let open = rest.firstIndex(of: "{") {
      literal.unicodeScalars += rest[..<open]
      let inside = rest[rest.index(after: open)...]
      let name = inside.prefix(while: isNameScalar)
      if !name.isEmpty, inside[name.endIndex...].first == "}" {
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        pieces.append(.variable(String(name)))
        literal = ""
        rest = inside[inside.index(after: name.endIndex)...]
      } else {
        literal += "{"
        rest = inside
      }
    }
    literal.unicodeScalars += rest
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    return pieces
  }

  /// True for ASCII letters, digits and underscores.
  static func isName(_ text: String) -> Bool { !text.isEmpty && text.unicodeScalars.allSatisfy(isNameScalar) }

  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (UInt8(scalar.value).isLetter || UInt8(scalar.value).isDigit || scalar == "_")
  }
}

extension Template {
  /// The place of a variable in a string.
  enum Position {
    /// In a string that is not an address.
    case text
    /// The whole authority of a URL. The value is a host, which may have a port and a path.
    case server
    /// In this part of a URL.
    case scheme, hostPart, port, pathOrQuery
  }
}

extension Template.Position {
  init(after prefix: String, before following: Template.Piece?) {
    guard let start = prefix.startOfAuthority else {
      self = prefix.utf8.contains(UInt8(ascii: ":")) ? .pathOrQuery : .scheme
      return
    }
    let authority = prefix[start...].utf8
    if authority.contains(where: { "/?#".utf8.contains($0) }) {
      self = .pathOrQuery
    } else if authority.isEmpty, Self.endsAuthority(following) {
      self = .server
    } else {
      self = authority.last == UInt8(ascii: ":") ? .port : .hostPart
    }
  }

  private static func endsAuthority(_ following: Template.Piece?) -> Bool {
    switch following {
    case nil: true
    case .literal(let text): text.hasPrefix("/")
    case .variable: false
    }
  }

  /// Returns the value as it may stand here.
  func fit(_ value: String) -> String? {
    switch self {
    case .text: value
    case .pathOrQuery: FormEncoding.encode(value)
    case .scheme: Self.isScheme(value) ? value : nil
    case .hostPart: Self.isHostPart(value) ? value : nil
    case .port: Self.isPort(value) ? value : nil
    case .server: Self.server(value)
    }
  }

  /// The kind of value that may stand here, to be read after "is not".
  var noun: Message {
    switch self {
    case .text, .pathOrQuery: "text"
    case .scheme: "a scheme"
    case .server: "a host with an optional port and path"
    case .hostPart: "part of a host name"
    case .port: "a port"
    }
  }

  /// A value that may stand here.
  var example: String {
    switch self {
    case .server: "server.example"
    case .port: "8443"
    default: "example"
    }
  }

  private static func isScheme(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+.-".utf8.contains($0) }
  }

  /// True for one or more labels of a host name. Empty labels are not allowed.
  private static func isHostPart(_ text: String) -> Bool {
    text.parts(at: ".").allSatisfy { label in
      !label.isEmpty && label.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
    }
  }

  private static func isPort(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
  }

  /// Returns the server without a slash at its end, since the pattern has one.
  private static func server(_ text: String) -> String? {
    let server = text.utf8.last == UInt8(ascii: "/") ? String(text.dropLast()) : text
    var segments = server.parts(at: "/")
    let (host, port) = segments.removeFirst().splitOnce(at: ":")
    let isServer =
      isHostPart(host) && isPort(port ?? "443")
      && segments.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isUnreserved) }
    return isServer ? server : nil
  }
}
