import CQREncode
import LoginWays

extension CodePicture {
  /// What libqrencode puts into the lowest bit of a dark module.
  private static let darkBit: UInt8 = 1

  /// The QR code of a text; nothing for a text that no QR code can hold.
  package init?(qrCodeOf text: String) {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let size = Int(code.pointee.width)
    let modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size)
    self.init(size: size) { row, column in modules[row * size + column] & Self.darkBit != 0 }
  }
}
