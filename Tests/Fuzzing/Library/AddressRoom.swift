import CGLib

@testable import LoginCore
@testable import LoginWays

extension Room {
  /// That all readers of an address see the same server in it.
  static let addresses = Room(
    name: "addresses", longest: 256,
    growing: [
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
      demand(readings.isEmpty, "\(text) is an address to some readers and none to others")
      return
    }
    let own = address.origin
    demand(readings.allSatisfy { $0.bytes == own.bytes }, "\(text) is on several servers: \(readings)")
    let again = try? WebAddress(address.description)
    demand(again == address, "\(text) is another address when it is written: \(address)")
    // No name of DNS is longer, and what people see ends.
    let isShown = address.host.utf8.count <= 253
    let shown = PageAddress(address.description).origin
    demand(shown.bytes == own.bytes || !isShown, "\(text) is shown as another server")
    if let uri = GLibAddress(text) {
      demand(
        uri.host.bytes == address.host.bytes.filter { !"[]".utf8.contains($0) },
        "GLib sees \(uri.host) in \(text)")
      demand(uri.port == address.port.map(Int.init), "GLib sees port \(uri.port ?? -1) in \(text)")
      demand(uri.scheme.bytes == address.scheme.bytes, "GLib sees \(uri.scheme) in \(text)")
    } else {
      demand(false, "GLib sees no address in \(text)")
    }
    checkParts(text, address)
  }

  private static func checkParts(_ text: String, _ address: WebAddress) {
    guard let destination = try? Destination(text), let whole = try? Destination(address.origin) else {
      return
    }
    demand(destination.includes(destination), "\(text) is a part of itself")
    demand(whole.includes(destination), "\(text) is a part of its server")
    guard let below = try? Destination("\(address.origin)\(address.path)/x") else { return }
    demand(destination.includes(below), "what is below \(text) is a part of it")
    if let beside = try? Destination("\(address.origin)\(address.path)x"),
      address.path.utf8.last != UInt8(ascii: "/")
    {
      demand(!destination.includes(beside), "what is beside \(text) is no part of it")
    }
  }

  private static func origin(of text: String) -> String {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.prefix(3).joined(separator: "/").split(separator: "?").first.map(String.init) ?? ""
  }
}

/// What GLib sees in an address.
private struct GLibAddress {
  let scheme: String
  let host: String
  /// Nothing for the usual one.
  let port: Int?

  /// Those with which libsoup reads addresses.
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
