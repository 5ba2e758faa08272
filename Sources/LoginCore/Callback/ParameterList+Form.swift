extension ParameterList {
  /// A whole form, or the part of a URL between `?` and `#`; nothing if it has more than `limit` parameters.
  package init?(form bytes: [UInt8], upTo limit: Int) {
    self.init()
    append(formEncoded: bytes.span, upTo: limit + 1)
    if parameters.count > limit { return nil }
  }
}
