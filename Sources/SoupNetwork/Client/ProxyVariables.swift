import CGLib
import GLibSupport
import Glibc
import LoginCore

/// What the environment says of proxies, as libproxy reads it.
public enum ProxyVariables {
  /// Those that say through which proxy servers are reached over https: the first one that is set.
  public static let names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"]
  /// Those that other programs look at as well, and this one does not.
  public static let unused = ["all_proxy", "ALL_PROXY"]

  /// All of them.
  public static let all = names + unused

  /// Whether a value can be the address of a proxy.
  public static func isAddress(_ text: String) -> Bool {
    guard text.startOfAuthority != nil else { return false }
    var error: UnsafeMutablePointer<GError>?
    let address = g_network_address_parse_uri(text, 1, &error)
    if let error { g_error_free(error) }
    guard let address else { return false }
    defer { g_object_unref(UnsafeMutableRawPointer(address)) }
    return g_network_address_get_hostname(UnsafeMutablePointer(address)).map { $0.pointee != 0 } ?? false
  }

  /// Whether the one that counts names something else, where GLib asks straight.
  static var nameNoAddress: Bool {
    let values = names.lazy.compactMap { getenv($0) }.map { String(cString: $0) }
    return values.first { !$0.isEmpty }.map { !isAddress($0) } ?? false
  }
}
