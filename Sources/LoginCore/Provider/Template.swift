/// Fills `{variable}` in the texts of a preset.
///
/// A value that came from a user (a tenant that was typed in) must not be able to lead a login elsewhere. What it may hold
/// depends on its ``TemplateFault/Position``, and so does what stands for it while a preset is only being checked.
struct Template {
  /// The value of a variable in its place, if there is such a variable; nothing where braces are text everywhere.
  private let value: (@Sendable (String, TemplateFault.Position) -> String?)?

  /// Fills in nothing: for texts that have been filled in already.
  static let verbatim = Template()

  private init() { value = nil }

  /// Fills in values.
  init(values: [String: String]) { value = { name, _ in values[name] } }

  /// Fills in examples, to find out whether a preset can be filled in at all.
  init(examplesFor names: Set<String>) { value = { names.contains($0) ? $1.example : nil } }

  /// A text that is no address; parameters are encoded when the request is built.
  func text(_ pattern: String) throws(TemplateFault) -> String {
    try fill(pattern) { _, _ in .text }
  }

  /// A URL.
  func address(_ pattern: String) throws(TemplateFault) -> String {
    try fill(pattern) { prefix, following in TemplateFault.Position(after: prefix, before: following) }
  }

  private func fill(_ pattern: String, _ place: (String, Piece?) -> TemplateFault.Position)
    throws(TemplateFault) -> String
  {
    guard let value else { return pattern }
    var filled = ""
    let pieces = Self.pieces(of: pattern)
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .literal(let text): filled += text
      case .variable(let name):
        let place = place(filled, index + 1 < pieces.count ? pieces[index + 1] : nil)
        guard let value = value(name, place) else { throw .unknownVariable(name) }
        guard let fitting = place.fit(value) else { throw .value(of: name, place) }
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

  /// Braces around anything but a name are text, as in a parameter that is JSON.
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

  /// Whether variables may be called so.
  static func isName(_ text: String) -> Bool { !text.isEmpty && text.unicodeScalars.allSatisfy(isNameScalar) }

  /// ASCII letters, digits and the underscore.
  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (UInt8(scalar.value).isLetter || UInt8(scalar.value).isDigit || scalar == "_")
  }
}

extension TemplateFault.Position {
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

  /// The value as it may stand here, or nothing if it may not.
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

  /// Labels of a host name, none of them empty.
  private static func isHostPart(_ text: String) -> Bool {
    text.parts(at: ".").allSatisfy { label in
      !label.isEmpty && label.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
    }
  }

  private static func isPort(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
  }

  /// A slash at the end is there already.
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
