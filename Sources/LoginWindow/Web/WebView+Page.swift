import CWebKitGTK

/// What is asked about a view.
extension WebView {
  /// The address of its page, which is that of the next one as soon as that is on its way.
  var uri: String {
    webkit_web_view_get_uri(pointer).map { String(decoding: Array(address: $0), as: UTF8.self) } ?? ""
  }

  /// How much of the page is there, from 0 to 1.
  var progress: Double { webkit_web_view_get_estimated_load_progress(pointer) }

  /// Whether a page is on its way.
  var isLoading: Bool { webkit_web_view_is_loading(pointer) != 0 }

  /// The page without anything in it.
  static let emptyPage = "about:blank"

  /// Whether what was loaded last, or is being loaded, is the empty page.
  var isEmpty: Bool {
    guard let resource = webkit_web_view_get_main_resource(pointer) else { return uri == Self.emptyPage }
    return String(cString: webkit_web_resource_get_uri(resource)) == Self.emptyPage
  }

  /// Whether there is a page before this one; the empty one that it began with is none.
  var canGoBack: Bool {
    let list = webkit_web_view_get_back_forward_list(pointer)
    guard let item = webkit_back_forward_list_get_back_item(list) else { return false }
    return String(cString: webkit_back_forward_list_item_get_uri(item)) != Self.emptyPage
  }

  /// How large the page is shown; 1 is its own size.
  var zoom: Double {
    get { webkit_web_view_get_zoom_level(pointer) }
    set { webkit_web_view_set_zoom_level(pointer, min(max(newValue, 0.5), 3)) }
  }

  func load(_ uri: String) {
    isAsked = true
    webkit_web_view_load_uri(pointer, uri)
  }

  func goBack() { webkit_web_view_go_back(pointer) }
  func reload() { webkit_web_view_reload(pointer) }
  func stop() { webkit_web_view_stop_loading(pointer) }
}
