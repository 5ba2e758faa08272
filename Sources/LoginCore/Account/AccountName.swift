/// What a kept token is called: one line of visible text of at most 64 bytes, and the same name only if it is the
/// same bytes.
public struct AccountName: Sendable, CustomStringConvertible {
  /// The name as the caller wrote it.
  public let description: String

  /// Percent-encoded, so that it fits a file's name, which most systems limit to 255 bytes.
  public static let maximumLength = 64

  /// Nothing for what no person could read back: control characters, invisible ones, spaces at an end.
  public init?(_ text: String) {
    let scalars = text.unicodeScalars
    guard !scalars.isEmpty, text.utf8.count <= Self.maximumLength, scalars.first != " ", scalars.last != " ",
      scalars.allSatisfy({ $0 == " " || $0.isVisibleInName })
    else { return nil }
    description = text
  }

  /// The name of an account that is called after an API. A long address is cut, and a digest tells it from others that
  /// begin with the same.
  package init(_ resource: ProtectedResource, _ cryptography: any Cryptography) throws(Failure) {
    let address = resource.description
    if address.utf8.count <= Self.maximumLength {
      description = address
    } else {
      let digest = try cryptography.digest(.sha256, of: Array(address.utf8))
      let end = "~" + Base64.encodeURLSafe(digest.prefix(12))
      description =
        String(decoding: address.utf8.prefix(Self.maximumLength - end.utf8.count), as: UTF8.self) + end
    }
  }

  /// The name that ``fileName`` was made of; nothing for the name of a file that is no account's.
  package init?(fileName: String) {
    guard let bytes = PercentEncoding.decode(fileName, brokenEscapes: .refused),
      let text = String(validating: bytes, as: UTF8.self), let name = AccountName(text),
      name.fileName.isIdentical(to: fileName)
    else { return nil }
    self = name
  }

  /// The name as a part of a path: letters, digits and `-_~.@` as they are, but no dot in front.
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
    default: value != 0xFFFD  // stands for bytes that were no text
    }
  }
}
