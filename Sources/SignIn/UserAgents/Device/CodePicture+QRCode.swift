import CQREncode
import WindowProtocol

extension CodePicture {
  /// The bit that libqrencode sets in dark modules.
  private static let darkBit: UInt8 = 1

  /// The QR code of a text, or nil if no QR code can hold it.
  package init?(qrCodeOf text: String) {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let size = Int(code.pointee.width)
    let modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size)
    self.init(size: size) { row, column in modules[row * size + column] & Self.darkBit != 0 }
  }
}
