import CGLib
import CSoup
import GLibSupport
import Glibc
import LoginCore

extension ConnectionPool {
  /// Makes a failure of an error, and blames the proxy if the request goes through one: libsoup reports the proxy's
  /// errors as the host's.
  func failure(_ error: ExchangeError, of request: SoupRequest) async -> Failure {
    let host = request.host
    let failure = error.failure(of: host)
    if case .other = error { return failure }
    guard let resolver else { return failure }
    let cancellable = Cancellable()
    let deadline = Deadline(after: .seconds(2), cancelling: cancellable)
    defer { withExtendedLifetime(deadline) {} }
    let address = request.address
    let result = await asyncCall(cancellable) { ready, data in
      g_proxy_resolver_lookup_async(resolver, address, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    var lookupError: UnsafeMutablePointer<GError>?
    let proxies = g_proxy_resolver_lookup_finish(resolver, result.pointer, &lookupError)
    defer { g_strfreev(proxies) }
    if let lookupError {
      g_error_free(lookupError)
      return deadline.hasPassed ? failure : error.failureWithBadProxy(of: host)
    }
    // The list is empty, without even the direct way, if no proxy in the settings has a usable address.
    guard let first = proxies?[0].map({ String(cString: $0) }) else {
      return error.failureWithBadProxy(of: host)
    }
    if first.hasPrefix("direct:") {
      return ProxyVariables.nameNoAddress ? error.failureWithBadProxy(of: host) : failure
    }
    return first.startOfAuthority != nil
      ? error.failure(of: host, through: first) : error.failureWithBadProxy(of: host)
  }
}

extension ExchangeError {
  /// The failure if the request goes through a proxy: only the proxy is looked up and connected to.
  fileprivate func failure(of host: String, through proxy: String) -> Failure {
    let place = Self.withoutPassword(proxy)
    switch self {
    case .unreachable(let reason): return .unreachableThroughProxy(host, place, reason)
    case .unknownHost: return .unreachableThroughProxy(host, place, "its host is unknown")
    case .noAnswer: return .unreachableThroughProxy(host, place, "the connection timed out")
    // Before there is a tunnel, only a proxy with an https address speaks TLS.
    case .tls where proxy.hasPrefix("https:"): return .unreachableThroughProxy(host, place, .noProxy)
    case .tls, .other: return failure(of: host)
    }
  }

  /// The failure if the settings name a proxy without a usable address.
  fileprivate func failureWithBadProxy(of host: String) -> Failure {
    switch self {
    case .unreachable, .unknownHost, .noAnswer: .noProxy(host)
    case .tls, .other: failure(of: host)
    }
  }

  /// Removes the user name and the password from a proxy's address.
  private static func withoutPassword(_ proxy: String) -> String {
    let (scheme, rest) = proxy.splitOnce(at: "/")
    let place = (rest ?? "").drop { $0 == "/" }.prefix { $0 != "/" }
    let host = place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
    return "\(scheme)//\(host)".forDisplay(limit: 200)
  }
}

extension Failure {
  package static func unreachableThroughProxy(_ host: String, _ proxy: String, _ reason: Message) -> Failure {
    Failure(
      .network, "\(host) cannot be reached through the proxy \(proxy): \(reason)", hint: proxySettings)
  }

  /// The settings name a proxy without a usable address.
  package static func noProxy(_ host: String) -> Failure {
    unreachable(host, .noProxy).with(hint: proxySettings)
  }

  private static let proxySettings: Hint =
    "see https_proxy and http_proxy, and the desktop's settings; a proxy is an address such as http://proxy.example:3128"
}

extension Message {
  fileprivate static let noProxy: Message = "the proxy setting is not the address of a proxy"
}

/// The environment variables that name proxies, as libproxy reads them.
package enum ProxyVariables {
  /// The variables for connections over https. The first one that is set counts.
  package static let names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"]
  /// Variables that other programs use and this one ignores.
  package static let unused = ["all_proxy", "ALL_PROXY"]

  package static let all = names + unused

  /// True if a value can be the address of a proxy.
  package static func isAddress(_ text: String) -> Bool {
    guard text.startOfAuthority != nil else { return false }
    var error: UnsafeMutablePointer<GError>?
    let address = g_network_address_parse_uri(text, 1, &error)
    if let error { g_error_free(error) }
    guard let address else { return false }
    defer { g_object_unref(UnsafeMutableRawPointer(address)) }
    return g_network_address_get_hostname(UnsafeMutablePointer(address)).map { $0.pointee != 0 } ?? false
  }

  /// True if the variable that counts is not an address. In that case GLib connects directly.
  fileprivate static var nameNoAddress: Bool {
    let values = names.lazy.compactMap { getenv($0) }.map { String(cString: $0) }
    return values.first { !$0.isEmpty }.map { !isAddress($0) } ?? false
  }
}
