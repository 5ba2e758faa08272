/// The issuers of a provider that has one for each group of its users, such as the directories of Microsoft Entra: a URL
/// in which one segment of the path is the value of a claim.
public struct IssuerPattern: Sendable, CustomStringConvertible {
  /// The pattern as a preset has it, such as `https://login.example/{tid}/v2.0`.
  public let description: String
  private let prefix: String
  private let claim: String
  private let suffix: String

  /// Nothing for what is no issuer with a claim in the place of one segment.
  public init?(_ text: String) {
    let (prefix, rest) = text.splitOnce(at: "{")
    let (claim, suffix) = (rest ?? "").splitOnce(at: "}")
    guard let suffix, !claim.isEmpty,
      claim.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }),
      prefix.utf8.last == UInt8(ascii: "/"), suffix.isEmpty || suffix.utf8.first == UInt8(ascii: "/"),
      (try? Issuer(String(prefix.dropLast()))) != nil, (try? Issuer(prefix + "x" + suffix)) != nil
    else { return nil }
    description = text
    (self.prefix, self.claim, self.suffix) = (prefix, claim, suffix)
  }

  /// Whether this is the issuer of these claims, byte for byte. A claim that is no single segment of a path could make
  /// one address look like another.
  func matches(_ issuer: String, claims: JSONObject) -> Bool {
    guard let value = claims[claim]?.string, !value.isEmpty, value != ".", value != "..",
      value.utf8.allSatisfy(\.isUnreserved)
    else { return false }
    return (prefix + value + suffix).isIdentical(to: issuer)
  }

  /// Whether a key may speak for an issuer: one that names its issuer speaks for no other, and one that names a
  /// pattern like this one, whatever it calls the claim, for all of them.
  func allows(keyOf owner: String?, for issuer: String) -> Bool {
    guard let owner else { return true }
    guard let pattern = IssuerPattern(owner) else { return owner.isIdentical(to: issuer) }
    return pattern.prefix.isIdentical(to: prefix) && pattern.suffix.isIdentical(to: suffix)
  }
}
