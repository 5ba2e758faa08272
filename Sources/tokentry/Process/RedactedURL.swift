import LoginCore

/// A URL for a trace: parameters keep their names, and only those that are known to be harmless their values.
struct RedactedURL: CustomStringConvertible {
  let description: String

  private static let harmless: Set<String> = [
    "client_id", "code_challenge_method", "display", "err", "error", "expires_in", "grant_type", "iss",
    "lang_id",
    "max_age", "prompt", "redirect_uri", "response_mode", "response_type", "scheme", "scope", "token_type",
    "type", "v",
  ]

  init(_ url: String) {
    let (page, fragment) = url.splitOnce(at: "#")
    let (address, query) = page.splitOnce(at: "?")
    var text = Self.withoutUser(address)
    if let query { text += "?" + Self.redacted(query) }
    if let fragment { text += "#" + Self.redacted(fragment) }
    description = text.forDisplay(limit: 500)
  }

  private static func redacted(_ parameters: String) -> String {
    parameters.parts(at: "&").prefix(50).map { parameter in
      let (name, value) = parameter.splitOnce(at: "=")
      // A part without a name may be a secret as a whole.
      guard value != nil else { return "[redacted]" }
      return harmless.contains(name) ? parameter : "\(name.forDisplay(limit: 60))=[redacted]"
    }.joined(separator: "&")
  }

  private static func withoutUser(_ address: String) -> String {
    guard let start = address.startOfAuthority else { return address }
    let authorityEnd = address[start...].firstIndex(of: "/") ?? address.endIndex
    guard let at = address[start..<authorityEnd].lastIndex(of: "@") else { return address }
    return address[..<start] + "[redacted]" + address[at...]
  }
}
