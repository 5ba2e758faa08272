import LoginCore

/// The name under which cookies are kept: any text, which no folder can be escaped with.
package struct SessionName: Sendable, Equatable {
  /// The name as the caller writes it.
  package let text: String
  /// The same as the name of a folder. Two names never share one.
  package let folderName: String

  /// What a file system takes in one name, less a margin for what may be put behind it.
  private static let maximumLength = 200

  /// Nothing for a name without a character, and for one that is too long for a folder.
  package init?(_ text: String) {
    self.text = text
    folderName = Self.encode(text)
    guard !text.isEmpty, folderName.utf8.count <= Self.maximumLength else { return nil }
  }

  /// Slashes, a dot in front and all that is not ASCII become `%XX`, and so does `%` itself.
  private static func encode(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte), byte != UInt8(ascii: ".") || !bytes.isEmpty {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-_.@+".utf8.contains(byte)
    }
  }
}
