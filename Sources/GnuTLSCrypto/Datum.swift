import CGnuTLS

/// Calls `body` with bytes in the form in which GnuTLS reads them.
func withDatum<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Result) -> Result {
  var bytes = bytes  // GnuTLS does not declare that it only reads
  return bytes.withUnsafeMutableBufferPointer { buffer in
    var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
    return body(&datum)
  }
}

extension gnutls_datum_t {
  /// The bytes that GnuTLS has allocated here, which are given back to it.
  mutating func take() -> [UInt8] {
    defer {
      tokentry_gnutls_free(data)
      self = gnutls_datum_t()
    }
    return Array(UnsafeBufferPointer(start: data, count: Int(size)))
  }
}
