import CGLib

/// Returns the absolute form of a reference on a page, such as the target of a form (RFC 3986 section 5), or nil if it
/// is not a reference. Encoded characters stay encoded, even those that GLib would decode. A web address without
/// a path gets a slash, as in web engines.
package func resolve(_ reference: String, against base: String) -> String? {
  let flags = GUriFlags(rawValue: G_URI_FLAGS_ENCODED.rawValue | G_URI_FLAGS_PARSE_RELAXED.rawValue)
  var error: UnsafeMutablePointer<GError>?
  let resolved = g_uri_resolve_relative(base.escapingEscapes, reference.escapingEscapes, flags, &error)
  if let error { g_error_free(error) }
  guard let resolved else { return nil }
  defer { g_free(resolved) }
  return String(cString: resolved).unescapingEscapes.withRootPath
}

extension String {
  fileprivate var withRootPath: String {
    guard let scheme = ["http://", "https://"].first(where: hasPrefix) else { return self }
    let rest = unicodeScalars.dropFirst(scheme.count)
    let end = rest.firstIndex { "/?#".unicodeScalars.contains($0) } ?? rest.endIndex
    return rest[end...].first == "/" ? self : scheme + String(rest[..<end]) + "/" + String(rest[end...])
  }

  fileprivate var escapingEscapes: String {
    String(decoding: utf8.flatMap { $0 == UInt8(ascii: "%") ? Array("%25".utf8) : [$0] }, as: UTF8.self)
  }

  fileprivate var unescapingEscapes: String {
    var (rest, bytes) = (Array(utf8)[...], [UInt8]())
    while let byte = rest.first {
      rest = rest.dropFirst(rest.starts(with: "%25".utf8) ? 3 : 1)
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
