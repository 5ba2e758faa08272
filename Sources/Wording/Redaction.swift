import LoginCore

/// Takes secrets out of what is said: those of this run by their value, in whatever spelling somebody repeats them, and
/// those of addresses by the names of their parameters.
package struct Redaction: Sendable {
  /// What must not be seen, in all of its forms that are more than escapes away.
  private var hidden: Set<[UInt8]> = []

  package init() {}

  /// What takes the place of a secret.
  private static let mark = "[redacted]"
  /// Shorter ones would take half of every sentence away; those up to the second are words of their own.
  static let shortest = 4, shortestInside = 8

  /// Hides a secret from now on.
  package mutating func hide(_ secret: String) {
    let spellings = Set([secret, secret.forDisplay(limit: .max)].map { Array($0.utf8) })
    for spelling in spellings where spelling.count >= Self.shortest {
      hidden.insert(Self.canonical(spelling))
      // In base64 it begins in one of three places, and its ends mix with what is beside it.
      for (offset, cut) in [(0, 0), (1, 2), (2, 3)] {
        let bytes = [UInt8](repeating: 0, count: offset) + spelling
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
    let reading = Reading(source)
    for secret in hidden { reading.mark(secret, in: &marked) }
    var shown: [UInt8] = []
    for index in source.indices {
      if !marked[index] { shown.append(source[index]) }
      if marked[index], index == 0 || !marked[index - 1] { shown += Self.mark.utf8 }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// A form has a plus for a space, and a text in base64 has it for itself.
  static func canonical(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "+") ? 0x20 : byte }

  static func canonical(_ bytes: [UInt8]) -> [UInt8] { bytes.map(canonical) }
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

  /// The same for a text that somebody means as an address, whatever else may be in it.
  package static func given(_ text: String) -> String {
    text.startOfAuthority == nil || !holdsMore(text) ? addresses(in: text) : address(text)
  }

  /// An address without what only its reader needs to know: who it is that is to be signed out.
  package static func withoutIdentity(_ url: String) -> String {
    let (page, fragment) = url.splitOnce(at: "#")
    let (address, query) = page.splitOnce(at: "?")
    let parameters = query?.parts(at: "&").filter { !$0.hasPrefix("id_token_hint=") } ?? []
    return address + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
      + (fragment.map { "#" + $0 } ?? "")
  }

  /// A text in which so much is left of every address with a query or a fragment.
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
    // A name and its sign may stand in front.
    let scheme = word.utf8[..<authority].dropLast(3).reversed().prefix {
      $0.isLetter || $0.isDigit || "+-.".utf8.contains($0)
    }
    let start = word.utf8.index(authority, offsetBy: -3 - scheme.count)
    return word[..<start] + address(String(word[start...]))
  }

  /// Whether there is more in an address than where something is: a user, a query or a fragment.
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
