/// How a code is bound to whoever asked for it (RFC 7636 section 4.2).
public enum CodeChallengeMethod: String, Sendable, CaseIterable {
  /// A digest of the verifier.
  case s256 = "S256"
  /// Only where a preset says that the provider knows nothing better.
  case plain
  /// Only where a preset says that the provider refuses the parameters.
  case none

  func challenge(for verifier: CodeVerifier, with cryptography: any Cryptography) throws(Failure) -> String? {
    switch self {
    case .s256: Base64.encodeURLSafe(try cryptography.digest(.sha256, of: Array(verifier.revealed().utf8)))
    case .plain: verifier.revealed()
    case .none: nil
    }
  }
}
