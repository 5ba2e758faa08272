import CGLib

/// The absolute form of a reference on a page, such as the target of a form (RFC 3986 section 5).
///
/// Nothing for what is no reference. Encoded characters stay as they are.
public func resolve(_ reference: String, against base: String) -> String? {
  let flags = GUriFlags(rawValue: G_URI_FLAGS_ENCODED.rawValue | G_URI_FLAGS_PARSE_RELAXED.rawValue)
  var error: UnsafeMutablePointer<GError>?
  let resolved = g_uri_resolve_relative(base, reference, flags, &error)
  if let error { g_error_free(error) }
  guard let resolved else { return nil }
  defer { g_free(resolved) }
  return String(cString: resolved)
}
