/// The digests of FIPS 180-4 that JOSE uses.
public enum DigestAlgorithm: Sendable, CaseIterable {
  /// SHA-2 of so many bits.
  case sha256, sha384, sha512

  /// The length of a digest in bytes.
  public var size: Int {
    switch self {
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }
}
