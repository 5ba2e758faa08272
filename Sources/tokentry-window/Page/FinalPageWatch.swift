import CWebKitGTK
import GLibSupport
import LoginCore
import WindowProtocol

/// Waits for the end of a login that no redirect ends: for the final page and its values or, without such a page, for
/// cookies of the first page's host.
@GLibActor
final class FinalPageWatch {
  private let page: FinalPage
  private let view: WebView
  private let firstPage: String
  private let report: @GLibActor (_ uri: String, PageValues) -> Void
  /// The final page, until it is complete.
  private var arrival: Arrival?
  /// True once a page has arrived: cookies of an earlier session may be stale, and the page may replace them.
  private var hasPage = false
  private var isReported = false

  private struct Arrival {
    let uri: String
    let fields: [Parameter]
    let isError: Bool
  }

  init(
    _ page: FinalPage, of view: WebView, from firstPage: String,
    report: @escaping @GLibActor (_ uri: String, PageValues) -> Void
  ) {
    (self.page, self.view, self.firstPage, self.report) = (page, view, firstPage, report)
    view.keptFields = page.headers
    if page.uri == nil, let manager {
      connect(manager, "changed") { [weak self] in self?.check(isLast: false) }
    }
  }

  /// Takes an event of any view. Only the page itself can be the final one, and no page that it has opened.
  func note(_ event: WebView.Event, in view: WebView) {
    switch event {
    case .committed:
      hasPage = true
      guard page.uri != nil else { return check(isLast: false) }
      guard view === self.view else { return }
      // The final page has led on. It was loaded all the same.
      check(isLast: true)
      arrival = nil
      guard let response = view.response, page.accepts(Array(view.arrivedURI.utf8)) else { return }
      arrival = Arrival(uri: view.arrivedURI, fields: response.fields, isError: response.isError)
      check(isLast: false)
    case .loaded, .failed: if page.uri == nil || view === self.view { check(isLast: true) }
    default: break
    }
  }

  /// Reports the values if they are complete, or if no more can come.
  private func check(isLast: Bool) {
    let arrival =
      self.arrival ?? (page.uri == nil && hasPage ? Arrival(uri: firstPage, fields: [], isError: true) : nil)
    guard let arrival, !isReported else { return }
    GLibActor.task { [weak self] in
      guard let self else { return }
      let values = page.values(cookies: await cookies(for: arrival.uri), headers: arrival.fields)
      guard !isReported, page.isWhole(values) || isLast && !arrival.isError else { return }
      isReported = true
      report(arrival.uri, values)
    }
  }

  private var manager: UnsafeMutablePointer<WebKitCookieManager>? {
    webkit_website_data_manager_get_cookie_manager(webkit_web_view_get_website_data_manager(view.pointer))
  }

  /// Returns the cookies that WebKit would send to the final page or, without one, to any address of the first page's host.
  private func cookies(for uri: String) async -> [Parameter] {
    let (manager, cancellable, isOnAnyPath) = (manager, Cancellable(), page.uri == nil)
    let result = await asyncCall(cancellable) { ready, data in
      if isOnAnyPath {
        webkit_cookie_manager_get_all_cookies(manager, cancellable.pointer, ready, data)
      } else {
        webkit_cookie_manager_get_cookies(manager, uri, cancellable.pointer, ready, data)
      }
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    let list =
      isOnAnyPath
      ? webkit_cookie_manager_get_all_cookies_finish(manager, result.pointer, nil)
      : webkit_cookie_manager_get_cookies_finish(manager, result.pointer, nil)
    defer { g_list_free_full(list) { soup_cookie_free(OpaquePointer($0)) } }
    let host = PageAddress.bareHost(PageAddress(uri).hostName)
    var (next, found) = (list, [Parameter]())
    while let item = next {
      next = item.pointee.next
      let cookie = OpaquePointer(item.pointee.data)
      if isOnAnyPath, soup_cookie_domain_matches(cookie, host) == 0 { continue }
      if let name = soup_cookie_get_name(cookie), let value = soup_cookie_get_value(cookie) {
        found.append(Parameter(String(cString: name), String(cString: value)))
      }
    }
    return found
  }
}
