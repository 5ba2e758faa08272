@testable import Language
@testable import LoginCore

extension Check {
  /// Messages do not show secrets in any encoding: the number of an encoding and the secret in the first line, the text
  /// before it in the second line, and the text after it in the rest.
  static let redaction = Check(growing: [
    ("escapes", { pieces($0, from: " s3cretSECRET\n") { _ in "%25" } }),
    ("beginnings", { pieces($0, from: " s3cretSECRET\n") { _ in "s3cretSECRE" } }),
    ("letters", { pieces($0, from: " aaaaaaaaaaab\n") { _ in "a" } }),
  ]
  ) { bytes in
    var input = Input(bytes)
    let first = input.line()
    let (before, after) = (input.text(), input.remainder.text)
    let secret = first.dropFirst().map(\.self).text
    checkAddress(before, after)
    guard secret.utf8.count >= 8, !contains(mark, secret.bytes) else { return }
    var redaction = Redaction()
    redaction.hide(secret)
    let spelling = spelled(secret, first.first ?? 0)
    let shown = redaction.shown(before + spelling + after)
    require(!isSeen(spelling, in: shown), "\(secret), written as \(spelling), is hidden in \(shown)")
    require(contains(shown.bytes, mark), "a hidden secret is marked: \(shown)")
    if let cut = cut(spelling, first.first ?? 0), !before.has(cut) {
      let shown = redaction.shown(before + cut + "…")
      require(!isSeen(cut, in: shown), "the beginning of \(secret) is hidden in \(shown)")
    }
  }

  private static let mark = "[redacted]".bytes

  /// True if `part` occurs in the text outside of marks.
  private static func isSeen(_ part: String, in text: String) -> Bool {
    var (seen, rest) = ([UInt8](), text.bytes[...])
    while let byte = rest.first {
      if rest.starts(with: mark) {
        seen.append(0xFF)  // occurs in no text
        rest = rest.dropFirst(mark.count)
      } else {
        seen.append(byte)
        rest = rest.dropFirst()
      }
    }
    return contains(seen, part.bytes)
  }

  /// Checks that the parameters of secrets are hidden everywhere in an address.
  private static func checkAddress(_ before: String, _ after: String) {
    let canary = "c4naryC4NARY"
    // The text around the parameter must not contain its value.
    if before.has(canary) || after.has(canary) { return }
    for name in ["code", "state", "access_token"] {
      let shown = Redaction.address("\(before)&\(name)=\(canary)\(after)")
      require(!shown.has(canary), "the \(name) is hidden in \(shown)")
      require(isShowable(shown), "an address is one line: \(shown)")
    }
  }

  /// Returns the secret in one of the encodings in which a server may repeat it.
  private static func spelled(_ secret: String, _ way: UInt8) -> String {
    switch way % 9 {
    case 0: secret
    case 1: FormEncoding.encode(secret)
    case 2: FormEncoding.encode(FormEncoding.encode(secret))
    case 3: secret.bytes.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    case 4: JSONValue.string(secret).text
    case 5:
      secret.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }.joined()
    case 6: Base64.encode(secret.utf8)
    case 7: JSONValue.string(FormEncoding.encode(secret)).text
    default: FormEncoding.encode(secret).bytes.with("+", for: "%20").text
    }
  }

  /// Returns the first half, if it is long enough to be hidden.
  private static func cut(_ spelling: String, _ way: UInt8) -> String? {
    guard way % 9 == 0 else { return nil }
    let scalars = spelling.unicodeScalars
    var half = String.UnicodeScalarView()
    half.append(contentsOf: scalars.prefix(scalars.count / 2))
    return String(half).utf8.count >= 4 ? String(half) : nil
  }
}
