import LoginCore

/// Takes secrets out of messages: those of this run by their value, and those in addresses by the names of parameters.
package struct Redaction: Sendable {
  /// The secrets that are hidden for good, and the encodings of them that are searched for as well.
  private var hidden: Set<[UInt8]> = []
  /// The secrets of the last requests and answers with their encodings, the one used last at the end.
  private var passing: [(secret: [UInt8], forms: Set<[UInt8]>)] = []

  /// Enough for the requests of many accounts at once, each of which hides its few secrets again.
  static let maximumPassing = 500

  package init() {}

  private static let mark = "[redacted]"
  /// Shorter secrets are not hidden, because they occur by accident in many texts. Those shorter than the second number
  /// are hidden only as words of their own.
  private static let shortest = 4, shortestInside = 8

  /// Hides a secret from now on.
  package mutating func hide(_ secret: String) { hidden.formUnion(Self.forms(of: secret)) }

  /// Hides a secret of a request or an answer until many others have been used since. A program that runs for months gets a
  /// new token every hour.
  package mutating func hide(passing secret: String) {
    let bytes = Array(secret.utf8)
    if let place = passing.lastIndex(where: { $0.secret == bytes }) {
      return passing.append(passing.remove(at: place))
    }
    passing.append((bytes, Self.forms(of: secret)))
    if passing.count > Self.maximumPassing { passing.removeFirst() }
  }

  private static func forms(of secret: String) -> Set<[UInt8]> {
    var forms: Set<[UInt8]> = []
    for text in Set([secret, secret.forDisplay(limit: .max)]) where text.utf8.count >= shortest {
      // The search undoes one encoding, so these are found even if they were encoded once more.
      let encoded = [FormEncoding.encode(text), String(JSONValue.string(text).text.dropFirst().dropLast())]
      for form in [text] + encoded + base64(text) { forms.insert(form.utf8.map(canonical)) }
    }
    return forms
  }

  /// Base64 groups three bytes, so a text that stands in other data has three forms, of which the first and the last
  /// digit depend on the bytes around it.
  private static func base64(_ text: String) -> [String] {
    [(0, 0), (1, 2), (2, 3)].flatMap { offset, cut in
      let bytes = [UInt8](repeating: 0, count: offset) + text.utf8
      return [Base64.encode(bytes), Base64.encodeURLSafe(bytes)].map {
        String($0.prefix(bytes.count * 8 / 6).dropFirst(cut))
      }
    }.filter { $0.utf8.count >= shortestInside }
  }

  /// Forms write a space as a plus.
  private static func canonical(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "+") ? 0x20 : byte }

  /// Returns the text without the secrets.
  package func shown(_ text: String) -> String {
    let secrets = ([hidden] + passing.map(\.forms)).joined()
    if secrets.isEmpty { return text }
    let source = Array(text.utf8)
    var isSecret = [Bool](repeating: false, count: source.count)
    for spelling in Spelling.allCases where spelling.escape.map(source.contains) ?? true {
      let units = source.indices.map { spelling.unit(at: $0, of: source) }
      let firstBytes = units.map(\.bytes[0])
      for secret in secrets {
        for start in units.indices where firstBytes[start] == secret[0] {
          guard let end = Self.end(of: secret, from: start, of: source, units) else { continue }
          for place in start..<end { isSecret[place] = true }
        }
      }
    }
    var shown: [UInt8] = []
    for index in source.indices {
      if !isSecret[index] { shown.append(source[index]) }
      if isSecret[index], index == 0 || !isSecret[index - 1] { shown += Self.mark.utf8 }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Returns the end of the secret that begins at `start`, or of a part of it at which the text was cut.
  private static func end(
    of secret: [UInt8], from start: Int, of text: [UInt8], _ units: [Spelling.Unit]
  ) -> Int? {
    var (count, end) = (0, start)
    while count < secret.count, end < units.count, secret[count...].starts(with: units[end].bytes) {
      (count, end) = (count + units[end].bytes.count, units[end].end)
    }
    if count < secret.count {
      // The cut may be in the middle of an escape.
      let isCut = (end..<min(end + 6, text.count)).contains { text[$0...].starts(with: "…".utf8) }
      return count >= shortest && isCut ? end : nil
    }
    if count >= shortestInside { return end }
    let isWord = { (byte: UInt8) in byte.isLetter || byte.isDigit }
    let before = text[..<start].suffix(3)
    let isApart = !(before.last.map(isWord) ?? false) || before.contains { "%\\".utf8.contains($0) }
    return isApart && !(end < text.count && isWord(text[end])) ? end : nil
  }

  /// How a text writes the bytes of a secret. Every byte may be escaped or not.
  private enum Spelling: CaseIterable {
    case plain, percent, json

    /// Some bytes, and the place behind the text that stands for them.
    typealias Unit = (bytes: [UInt8], end: Int)

    var escape: UInt8? {
      switch self {
      case .plain: nil
      case .percent: UInt8(ascii: "%")
      case .json: UInt8(ascii: "\\")
      }
    }

    func unit(at place: Int, of text: [UInt8]) -> Unit {
      if text[place] == escape, self == .percent,
        let byte = PercentEncoding.escapedByte(text.span, at: place + 1)
      {
        return ([canonical(byte)], place + 3)
      }
      // A surrogate pair, one number, or one character behind the backslash.
      for length in [12, 6, 2] where text[place] == escape && self == .json && place + length <= text.count {
        let quote = UInt8(ascii: "\"")
        let value = try? JSONReader.read([quote] + text[place..<(place + length)] + [quote])
        if let character = value?.string, character.unicodeScalars.count == 1 {
          return (character.utf8.map(canonical), place + length)
        }
      }
      return ([canonical(text[place])], place + 1)
    }
  }
}

/// Addresses.
extension Redaction {
  /// The parameters whose values are for one program only.
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

  /// Returns an address with its plain names, and with the values of parameters that are known to be harmless.
  package static func address(_ url: String) -> String {
    let (page, fragment) = url.splitOnce(at: "#")
    let (address, query) = page.splitOnce(at: "?")
    return [place(address), query.map { "?" + parameters($0) }, fragment.map { "#" + parameters($0) }]
      .compactMap(\.self).joined().forDisplay(limit: 500)
  }

  /// Returns a text that the user gave as an address, with everything after the host taken as part of it.
  package static func given(_ text: String) -> String {
    text.startOfAuthority == nil || !holdsMore(text) ? addresses(in: text) : address(text)
  }

  /// Returns a text in which every address with a user, a query or a fragment is shown as ``address(_:)`` does.
  package static func addresses(in text: String) -> String {
    var (shown, word) = ([UInt8](), [UInt8]())
    for byte in Array(text.utf8) + [0x20] {
      if byte > 0x20, !"\"'<>`".utf8.contains(byte) {
        word.append(byte)
      } else {
        shown += addresses(inWord: String(decoding: word, as: UTF8.self)).utf8 + [byte]
        word = []
      }
    }
    return String(decoding: shown.dropLast(), as: UTF8.self)
  }

  private static func addresses(inWord word: String) -> String {
    guard let authority = word.startOfAuthority, holdsMore(word) else { return word }
    // The word may begin with a name, as in `url=https://…`.
    let scheme = word.utf8[..<authority].dropLast(3).reversed().prefix {
      $0.isLetter || $0.isDigit || "+-.".utf8.contains($0)
    }
    let start = word.utf8.index(authority, offsetBy: -3 - scheme.count)
    return word[..<start] + address(String(word[start...]))
  }

  /// True if an address has a user, a query or a fragment.
  private static func holdsMore(_ address: String) -> Bool {
    let rest = address[(address.startOfAuthority ?? address.startIndex)...].utf8
    return rest.contains(where: "?#".utf8.contains) || rest.prefix { $0 != UInt8(ascii: "/") }.contains(0x40)
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
      // Without a name, the whole may be a secret.
      guard let value else { return mark }
      return "\(plain(name))=" + (harmless.contains(name) ? plain(value, also: ":/+ ", upTo: 200) : mark)
    }.joined(separator: "&")
  }

  /// Returns the text if it cannot contain a parameter, not even an encoded one.
  private static func plain(_ text: String, also marks: String = "", upTo limit: Int = 60) -> String {
    let decoded = PercentEncoding.decode(text, brokenEscapes: .kept) ?? []
    let isPlain = decoded.count <= limit && decoded.allSatisfy { $0.isUnreserved || marks.utf8.contains($0) }
    return isPlain ? text : mark
  }
}
