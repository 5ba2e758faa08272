/// The name of an account: one line of visible text of at most 64 bytes. Names are equal if their bytes are.
public struct AccountName: Sendable, CustomStringConvertible {
  /// The name as the caller wrote it.
  public let description: String

  /// The limit in bytes. A percent-encoded name of this length still fits the 255 bytes that most systems allow for
  /// the name of a file.
  package static let maximumLength = 64

  /// Returns nil for a text that a person could not read back: one with control characters, invisible characters, or
  /// spaces at an end.
  public init?(_ text: String) {
    let scalars = text.unicodeScalars
    guard !scalars.isEmpty, text.utf8.count <= Self.maximumLength, scalars.first != " ", scalars.last != " ",
      scalars.allSatisfy({ $0 == " " || $0.isVisibleInName })
    else { return nil }
    description = text
  }

  /// The name of an account that is called after an API or a client. A long text is cut, and ends in a digest that tells it
  /// from others with the same beginning.
  package init(shortening text: String, _ cryptography: any Cryptography) throws(Failure) {
    if text.utf8.count <= Self.maximumLength {
      description = text
    } else {
      let digest = try cryptography.digest(.sha256, of: Array(text.utf8))
      let end = "~" + Base64.encodeURLSafe(digest.prefix(12))
      description =
        String(decoding: text.utf8.prefix(Self.maximumLength - end.utf8.count), as: UTF8.self) + end
    }
  }

  /// Reads a name from a ``fileName``. Returns nil if the file is not one of an account.
  package init?(fileName: String) {
    guard let bytes = PercentEncoding.decode(fileName, brokenEscapes: .refused),
      let text = String(validating: bytes, as: UTF8.self), let name = AccountName(text),
      name.fileName.isIdentical(to: fileName)
    else { return nil }
    self = name
  }

  /// The name as a part of a path: percent-encoded except for letters, digits and `-_~.@`, and without a dot in front.
  package var fileName: String { PercentEncoding.fileName(of: description, keeping: "-_.~@") }
}

extension AccountName: Hashable {
  public static func == (left: AccountName, right: AccountName) -> Bool {
    left.description.isIdentical(to: right.description)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in description.utf8 { hasher.combine(byte) }
  }
}

extension AccountName: Comparable {
  public static func < (left: AccountName, right: AccountName) -> Bool {
    left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
  }
}

extension Unicode.Scalar {
  fileprivate var isVisibleInName: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .spaceSeparator:
      false
    default: value != 0xFFFD  // stands for bytes that are not text
    }
  }
}
