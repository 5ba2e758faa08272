import CGLib
import CSoup
import GLibSupport
import LoginCore

/// Keeps the cookies of a visit to pages that another transport loads. No other visit gets them.
@GLibActor
package final class CookieTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let jar: UnsafeMutablePointer<SoupCookieJar>

  package init(_ inner: any HTTPTransport) { (self.inner, jar) = (inner, soup_cookie_jar_new()) }

  isolated deinit { g_object_unref(jar) }

  package func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let address = request.endpoint.description
    let cookies = cookies(for: address, onAnyPath: false)
    var request = request
    if !cookies.isEmpty {
      request[header: "Cookie"] = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
    let response = try await inner.send(request)
    if let uri = uri(of: address) {
      defer { g_uri_unref(uri) }
      for field in response.headers where field.name.lowercased() == "set-cookie" {
        soup_cookie_jar_set_cookie(jar, uri, field.value)
      }
    }
    return response
  }

  /// Returns the cookies that would be sent to an address or, `onAnyPath`, to any address of its host.
  package func cookies(for address: String, onAnyPath: Bool) -> [Parameter] {
    guard let uri = uri(of: address) else { return [] }
    defer { g_uri_unref(uri) }
    let list = onAnyPath ? soup_cookie_jar_all_cookies(jar) : soup_cookie_jar_get_cookie_list(jar, uri, 1)
    defer { g_slist_free_full(list) { soup_cookie_free(OpaquePointer($0)) } }
    var (next, found) = (list, [Parameter]())
    while let item = next {
      next = item.pointee.next
      let cookie = OpaquePointer(item.pointee.data)
      if onAnyPath, soup_cookie_domain_matches(cookie, g_uri_get_host(uri)) == 0 { continue }
      if let name = soup_cookie_get_name(cookie), let value = soup_cookie_get_value(cookie) {
        found.append(Parameter(String(cString: name), String(cString: value)))
      }
    }
    return found
  }

  private func uri(of address: String) -> OpaquePointer? {
    let flags = G_URI_FLAGS_ENCODED.rawValue | G_URI_FLAGS_SCHEME_NORMALIZE.rawValue
    return g_uri_parse(PercentEncoding.complete(address), GUriFlags(rawValue: flags), nil)
  }
}
