import CGLib
import CSoup
import GLibSupport
import LoginCore

/// The proxies of this system, and what is wrong with them.
extension ConnectionPool {
  /// The failure with the name of the proxy through which the way to `address` leads, if it does: libsoup says what is
  /// wrong, and not where.
  func explained(_ failure: Failure, on address: String) async -> Failure {
    guard case .network(let fault) = failure, fault.mayBeProxys, let resolver else { return failure }
    let cancellable = Cancellable()
    let deadline = Deadline(after: .seconds(2), cancelling: cancellable)
    defer { withExtendedLifetime(deadline) {} }
    let result = await asyncCall(cancellable) { ready, data in
      g_proxy_resolver_lookup_async(resolver, address, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    var error: UnsafeMutablePointer<GError>?
    let proxies = g_proxy_resolver_lookup_finish(resolver, result.pointer, &error)
    defer { g_strfreev(proxies) }
    if let error {
      g_error_free(error)
      return deadline.hasPassed ? failure : .network(fault.withoutProxy)
    }
    // There is none, not even the straight way, where all that is named is unfit.
    guard let first = proxies?[0].map({ String(cString: $0) }) else { return .network(fault.withoutProxy) }
    if first.hasPrefix("direct:") {
      return ProxyVariables.nameNoAddress ? .network(fault.withoutProxy) : failure
    }
    return .network(first.startOfAuthority != nil ? fault.through(Self.bare(first)) : fault.withoutProxy)
  }

  /// Where a proxy is, without the name and the password that its address may hold.
  private static func bare(_ proxy: String) -> String {
    let (scheme, rest) = proxy.splitOnce(at: "/")
    let place = (rest ?? "").drop { $0 == "/" }.prefix { $0 != "/" }
    let host = place.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
    return "\(scheme)//\(host)".forDisplay(limit: 200)
  }
}

extension NetworkFault {
  /// Whether it may be a proxy's fault rather than the host's.
  fileprivate var mayBeProxys: Bool {
    switch self {
    case .connection, .unknownHost, .timeout, .tls(_, .system, _): true
    case .offline, .tls, .tooLarge, .refusedWithoutReason, .badResponse: false
    }
  }

  /// The same where the way leads through a proxy: it alone is looked up and connected to.
  fileprivate func through(_ proxy: String) -> NetworkFault {
    switch self {
    case .connection(let host, let fault): .connection(host: host, .proxy(proxy, fault))
    case .unknownHost(let host): .connection(host: host, .proxy(proxy, .unknownHost))
    case .timeout(let host, _): .connection(host: host, .proxy(proxy, .timedOut))
    // Before the tunnel is there, only a proxy with an address of https speaks TLS.
    case .tls(let host, _, _) where proxy.hasPrefix("https:"):
      .connection(host: host, .proxy(proxy, .noProxy))
    case .offline, .tls, .tooLarge, .refusedWithoutReason, .badResponse: self
    }
  }

  /// The same where nobody can tell which proxy is meant.
  fileprivate var withoutProxy: NetworkFault {
    switch self {
    case .connection(let host, _), .unknownHost(let host), .timeout(let host, _):
      .connection(host: host, .noProxy)
    case .offline, .tls, .tooLarge, .refusedWithoutReason, .badResponse: self
    }
  }
}
