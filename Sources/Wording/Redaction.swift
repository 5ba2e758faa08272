import LoginCore

/// Takes secrets out of what is said: those of this run by their value, in whatever spelling somebody repeats them, and
/// those of addresses by the names of their parameters.
package struct Redaction: Sendable {
  /// What must not be seen, in all of its forms that are more than an escape away.
  private var hidden: Set<[UInt8]> = []

  package init() {}

  /// What takes the place of a secret.
  private static let mark = "[redacted]"
  /// Shorter ones would take half of every sentence away; those up to the second are words of their own.
  private static let shortest = 4, shortestInside = 8
  /// As often a text may be encoded.
  private static let depth = 4

  /// Hides a secret from now on.
  package mutating func hide(_ secret: String) {
    for spelling in [secret, secret.forDisplay(limit: .max)] where spelling.utf8.count >= Self.shortest {
      // What decodes a text decodes the escapes that are in a secret itself as well.
      Self.read(Array(spelling.utf8)) { reading in
        if reading.bytes.count >= Self.shortest { hidden.insert(reading.bytes) }
      }
      // In base64 it begins in one of three places, and its ends mix with what is beside it.
      for (offset, cut) in [(0, 0), (1, 2), (2, 3)] {
        let bytes = [UInt8](repeating: 0, count: offset) + Array(spelling.utf8)
        for text in [Base64.encode(bytes), Base64.encodeURLSafe(bytes)] {
          let core = Array(text.utf8.prefix(bytes.count * 8 / 6).dropFirst(cut))
          if core.count >= Self.shortestInside { hidden.insert(Self.canonical(core)) }
        }
      }
    }
  }

  /// The text without the secrets.
  package func shown(_ text: String) -> String {
    if hidden.isEmpty { return text }
    let source = Array(text.utf8)
    var marked = [Bool](repeating: false, count: source.count)
    Self.read(source) { reading in
      for secret in hidden { reading.mark(secret, in: &marked) }
    }
    var shown: [UInt8] = []
    for index in source.indices {
      if !marked[index] { shown.append(source[index]) }
      if marked[index], index == 0 || !marked[index - 1] { shown += Self.mark.utf8 }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Gives `visit` a text as it is, and as it is after each time of decoding it.
  private static func read(_ source: [UInt8], _ visit: (Reading) -> Void) {
    // Two readers take a backslash in front of \u for different things.
    let isAmbiguous = source.indices.contains { source[$0...].starts(with: #"\\u"#.utf8) }
    for isPairFirst in isAmbiguous ? [true, false] : [true] {
      var reading = Reading(source, isPairFirst: isPairFirst)
      for _ in 0..<depth {
        visit(reading)
        guard reading.decode() else { break }
      }
    }
  }

  /// A form has a plus for a space, and a text in base64 has it for itself.
  private static func canonical(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
  }

  /// A text as somebody reads it who decodes it, with the places that its bytes have in the text itself.
  private struct Reading {
    private(set) var bytes: [UInt8]
    private var places: [Range<Int>]
    /// Whether two backslashes are one, even if the second one begins an escape of its own. JSON reads them so; but what
    /// stands before a text that was written in JSON may end with a backslash.
    private let isPairFirst: Bool

    init(_ source: [UInt8], isPairFirst: Bool) {
      self.isPairFirst = isPairFirst
      bytes = Redaction.canonical(source)
      places = source.indices.map { $0..<$0 + 1 }
    }

    func mark(_ secret: [UInt8], in marked: inout [Bool]) {
      for start in bytes.indices where bytes[start] == secret[0] {
        let count = zip(bytes[start...], secret).prefix { $0 == $1 }.count
        let end = start + count
        guard count == secret.count ? stands(start..<end) : count >= Redaction.shortest && isCut(at: end)
        else { continue }
        for index in places[start].lowerBound..<places[end - 1].upperBound { marked[index] = true }
      }
    }

    /// Whether what is there is no accident.
    private func stands(_ range: Range<Int>) -> Bool {
      if range.count >= Redaction.shortestInside { return true }
      let neighbours = [range.lowerBound - 1, range.upperBound].filter(bytes.indices.contains)
      return !neighbours.contains { bytes[$0].isLetter || bytes[$0].isDigit }
    }

    /// Whether a long text was cut there, perhaps inside of an escape.
    private func isCut(at end: Int) -> Bool {
      (end..<min(end + 6, bytes.count)).contains { bytes[$0...].starts(with: "…".utf8) }
    }

    /// Decodes what is encoded in an address or in JSON; false if nothing is.
    mutating func decode() -> Bool {
      var decoded = (bytes: [UInt8](), places: [Range<Int>]())
      var index = 0
      while index < bytes.count {
        let (values, length) = escape(bytes[index...]) ?? ([bytes[index]], 1)
        decoded.bytes += values
        decoded.places += values.map { _ in
          places[index].lowerBound..<places[index + length - 1].upperBound
        }
        index += length
      }
      guard decoded.bytes.count < bytes.count else { return false }
      (bytes, places) = (Redaction.canonical(decoded.bytes), decoded.places)
      return true
    }

    /// What JSON writes with one character behind a backslash (RFC 8259 section 7); with others it stands for itself.
    private static let simple: [UInt8: UInt8] = [
      UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
      UInt8(ascii: "/"): UInt8(ascii: "/"),
      UInt8(ascii: "b"): 0x08, UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "f"): 0x0C,
      UInt8(ascii: "r"): 0x0D,
    ]

    /// What an escape at the beginning stands for, and how long it is.
    private func escape(_ rest: ArraySlice<UInt8>) -> (values: [UInt8], length: Int)? {
      func number(_ digits: ArraySlice<UInt8>, _ count: Int) -> UInt32? {
        let values = digits.prefix(count).compactMap(\.hexadecimalValue)
        return values.count == count ? values.reduce(0) { $0 << 4 | UInt32($1) } : nil
      }
      switch rest.first {
      case UInt8(ascii: "%"): return number(rest.dropFirst(), 2).map { ([UInt8($0)], 3) }
      case UInt8(ascii: "\\"):
        guard let next = rest.dropFirst().first else { return nil }
        if !isPairFirst, rest.dropFirst().starts(with: #"\u"#.utf8) { return nil }
        if next != UInt8(ascii: "u") { return Self.simple[next].map { ([$0], 2) } }
        guard let first = number(rest.dropFirst(2), 4) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (Array(String(scalar).utf8), 6) }
        // A character beyond the first plane is a pair.
        let isPair = rest.dropFirst(6).starts(with: "\\u".utf8)
        guard isPair, let second = number(rest.dropFirst(8), 4), (0xDC00...0xDFFF).contains(second),
          first < 0xDC00,
          let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { return (Array("?".utf8), 6) }
        return (Array(String(scalar).utf8), 12)
      default: return nil
      }
    }
  }
}

/// Addresses.
extension Redaction {
  /// The parameters that carry something for one program alone.
  package static let secretNames: Set<String> = [
    "access_token", "assertion", "client_assertion", "client_secret", "code", "code_verifier", "device_code",
    "id_token", "id_token_hint", "nonce", "password", "refresh_token", "registration_access_token", "request",
    "request_uri", "response", "state", "subject_token", "token",
  ]

  private static let harmless: Set<String> = [
    "client_id", "code_challenge_method", "display", "err", "error", "expires_in", "grant_type", "iss",
    "lang_id", "max_age", "prompt", "redirect_uri", "response_mode", "response_type", "scheme", "scope",
    "token_type", "type", "v",
  ]

  /// An address in which only plain names are left, and the values of parameters that are known to be harmless.
  package static func address(_ url: String) -> String {
    let (page, fragment) = url.splitOnce(at: "#")
    let (address, query) = page.splitOnce(at: "?")
    let text =
      place(address) + (query.map { "?" + parameters($0) } ?? "")
      + (fragment.map { "#" + parameters($0) } ?? "")
    return text.forDisplay(limit: 500)
  }

  /// Scheme, host and path.
  private static func place(_ address: String) -> String {
    let start = address.startOfAuthority ?? address.startIndex
    let parts = String(address[start...]).parts(at: "/").prefix(50)
    let shown = parts.enumerated().map { index, part in
      guard index == 0, let at = part.unicodeScalars.lastIndex(of: "@") else {
        return plain(part, also: ":[]")
      }
      return mark + plain(String(part[at...]), also: "@:[]")
    }
    return plain(String(address[..<start]), also: ":/") + shown.joined(separator: "/")
  }

  private static func parameters(_ text: String) -> String {
    text.parts(at: "&").flatMap { $0.parts(at: ";") }.prefix(50).map { parameter in
      let (name, value) = parameter.splitOnce(at: "=")
      // A part without a name may be a secret as a whole.
      guard let value else { return mark }
      return "\(plain(name))=" + (harmless.contains(name) ? plain(value, also: ":/+ ", upTo: 200) : mark)
    }.joined(separator: "&")
  }

  /// The text, if nothing in it can be a parameter of something else, however often it is decoded.
  private static func plain(_ text: String, also marks: String = "", upTo limit: Int = 60) -> String {
    let decoded = PercentEncoding.decode(text, brokenEscapes: .kept) ?? []
    let isPlain = decoded.count <= limit && decoded.allSatisfy { $0.isUnreserved || marks.utf8.contains($0) }
    return isPlain ? text : mark
  }
}
