@testable import LoginCore
@testable import Wording

extension Room {
  /// That no message shows a secret, however it is written there: how it is encoded in the first byte of the first line
  /// and the secret behind it, what stands before it in the second line and what behind it in the rest.
  static let redaction = Room(
    name: "redaction", longest: 128,
    growing: [
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
    demand(!isSeen(spelling, in: shown), "\(secret) is seen as \(spelling) in \(shown)")
    demand(contains(shown.bytes, mark), "what is hidden is marked: \(shown)")
    if let cut = cut(spelling, first.first ?? 0), !before.has(cut) {
      let shown = redaction.shown(before + cut + "…")
      demand(!isSeen(cut, in: shown), "the beginning of \(secret) is seen in \(shown)")
    }
  }

  private static let mark = "[redacted]".bytes

  /// Whether a part is somewhere in a text, and not only together with a mark, which itself is no secret.
  private static func isSeen(_ part: String, in text: String) -> Bool {
    var (seen, rest) = ([UInt8](), text.bytes[...])
    while let byte = rest.first {
      if rest.starts(with: mark) {
        seen.append(0xFF)  // is in no text
        rest = rest.dropFirst(mark.count)
      } else {
        seen.append(byte)
        rest = rest.dropFirst()
      }
    }
    return contains(seen, part.bytes)
  }

  /// Parameters of secrets are not shown, wherever they are in an address.
  private static func checkAddress(_ before: String, _ after: String) {
    let canary = "c4naryC4NARY"
    // What is there as well is none of the parameter.
    if before.has(canary) || after.has(canary) { return }
    for name in ["code", "state", "access_token"] {
      let shown = Redaction.address("\(before)&\(name)=\(canary)\(after)")
      demand(!shown.has(canary), "a \(name) is seen in \(shown)")
      demand(isShowable(shown), "an address is one line: \(shown)")
    }
  }

  /// How somebody may repeat a secret.
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

  /// Its first half, where that is long enough to be one.
  private static func cut(_ spelling: String, _ way: UInt8) -> String? {
    guard way % 9 == 0 else { return nil }
    let scalars = spelling.unicodeScalars
    var half = String.UnicodeScalarView()
    half.append(contentsOf: scalars.prefix(scalars.count / 2))
    return String(half).utf8.count >= 4 ? String(half) : nil
  }
}
