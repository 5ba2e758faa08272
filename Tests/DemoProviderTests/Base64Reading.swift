import Foundation

/// Reads unpadded base64url.
func base64(_ text: String) -> [UInt8]? {
  let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
  return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    .map { Array($0) }
}
