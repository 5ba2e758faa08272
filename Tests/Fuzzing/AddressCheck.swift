import CGLib

@testable import LoginCore
@testable import WindowProtocol

extension Check {
  /// All readers of an address see the same server in it.
  static let addresses = Check(growing: [
    ("path", { pieces($0, from: "https://as.example") { _ in "/a" } }),
    ("host", { pieces($0, from: "https://") { _ in "a." } }),
    ("groups", { pieces($0, from: "https://[", to: "]/") { _ in "0:" } }),
  ]
  ) { bytes in
    let text = bytes.text
    let readings = [
      (try? Origin(text))?.description, (try? Endpoint(text))?.origin, (try? Destination(text))?.origin,
      (try? ProtectedResource(text)).flatMap { try? Origin(origin(of: $0.description)) }?.description,
      (try? Issuer(text)).flatMap { try? WebAddress($0.description) }?.origin,
    ].compactMap(\.self)
    guard let address = try? WebAddress(text) else {
      require(readings.isEmpty, "\(text) is an address to all readers or to none")
      return
    }
    let own = address.origin
    require(readings.allSatisfy { $0.bytes == own.bytes }, "\(text) is on one server: \(readings)")
    let again = try? WebAddress(address.description)
    require(again == address, "\(text) is the same address when it is written again: \(address)")
    // A longer name, which DNS does not allow, is cut.
    let isShown = address.host.utf8.count <= 253
    let shown = PageAddress(address.description).origin
    require(shown.bytes == own.bytes || !isShown, "\(text) is shown as its own server")
    if let uri = GLibAddress(text) {
      require(
        uri.host.bytes == address.host.bytes.filter { !"[]".utf8.contains($0) },
        "GLib sees the same host in \(text), not \(uri.host)")
      require(
        uri.port == address.port.map(Int.init), "GLib sees the same port in \(text), not \(uri.port ?? -1)")
      require(
        uri.scheme.bytes == address.scheme.bytes, "GLib sees the same scheme in \(text), not \(uri.scheme)")
    } else {
      require(false, "GLib sees an address in \(text)")
    }
    checkParts(text, address)
  }

  private static func checkParts(_ text: String, _ address: WebAddress) {
    guard let destination = try? Destination(text), let whole = try? Destination(address.origin) else {
      return
    }
    require(destination.includes(destination), "\(text) includes itself")
    require(whole.includes(destination), "the server of \(text) includes it")
    let query = address.query.map { "?\($0)" } ?? ""
    guard let below = try? Destination("\(address.origin)\(address.path)/x\(query)") else { return }
    require(destination.includes(below), "\(text) includes paths below it")
    if let other = try? Destination("\(address.origin)\(address.path)\(query)?x"), !query.isEmpty {
      require(!destination.includes(other), "\(text) does not include another query")
    }
    if let beside = try? Destination("\(address.origin)\(address.path)x\(query)"),
      address.path.utf8.last != UInt8(ascii: "/")
    {
      require(!destination.includes(beside), "\(text) does not include a sibling path")
    }
  }

  private static func origin(of text: String) -> String {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.prefix(3).joined(separator: "/").split(separator: "?").first.map(String.init) ?? ""
  }
}

/// An address as GLib reads it.
private struct GLibAddress {
  let scheme: String
  let host: String
  /// nil for the default port.
  let port: Int?

  /// The flags with which libsoup reads addresses.
  private static let flags = GUriFlags(
    G_URI_FLAGS_PARSE_RELAXED.rawValue | G_URI_FLAGS_HAS_PASSWORD.rawValue | G_URI_FLAGS_ENCODED_PATH.rawValue
      | G_URI_FLAGS_ENCODED_QUERY.rawValue | G_URI_FLAGS_ENCODED_FRAGMENT.rawValue
      | G_URI_FLAGS_SCHEME_NORMALIZE.rawValue)

  init?(_ text: String) {
    guard let uri = g_uri_parse(text, Self.flags, nil) else { return nil }
    defer { g_uri_unref(uri) }
    scheme = String(cString: g_uri_get_scheme(uri)).lowercased()
    host = (g_uri_get_host(uri).map { String(cString: $0) } ?? "").lowercased()
    let number = Int(g_uri_get_port(uri))
    port = number == -1 || number == (scheme == "https" ? 443 : 80) ? nil : number
  }
}
