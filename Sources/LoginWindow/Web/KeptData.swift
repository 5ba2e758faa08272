import CWebKitGTK
import GLibSupport

/// What outlives a window: nothing, or the cookies and the storage of pages in one private folder.
@GLibActor
enum KeptData {
  /// A context of its own that keeps its data in the folder; without one nothing reaches the disk and nothing
  /// another login.
  static func makeContext(in folder: String?) -> UnsafeMutablePointer<WebKitWebContext> {
    let manager =
      folder.map { webkit_website_data_manager_new_in($0, $0 + "/cache") }
      ?? webkit_website_data_manager_new_ephemeral()
    defer { if let manager { g_object_unref(manager) } }
    let context = limitedContext(manager)
    guard let folder else { return context }
    // Only cookies that the provider has given a lifetime are kept, as by a browser that is closed in between.
    webkit_cookie_manager_set_persistent_storage(
      webkit_website_data_manager_get_cookie_manager(manager), folder + "/cookies.sqlite",
      WEBKIT_COOKIE_PERSISTENT_STORAGE_SQLITE)
    // The model without a cache on the disk: pages of a login need none, and it would hold what they say.
    webkit_web_context_set_cache_model(context, WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER)
    return context
  }

  /// More than any login page takes, and less than what makes a small machine stand still, in megabytes.
  private static let pageMemory: guint = 1_024

  /// A process that draws pages ends when it takes more than that.
  private static func limitedContext(
    _ manager: UnsafeMutablePointer<WebKitWebsiteDataManager>?
  ) -> UnsafeMutablePointer<WebKitWebContext> {
    let settings = webkit_memory_pressure_settings_new()
    defer { webkit_memory_pressure_settings_free(settings) }
    webkit_memory_pressure_settings_set_memory_limit(settings, pageMemory)
    webkit_memory_pressure_settings_set_kill_threshold(settings, 1)
    webkit_memory_pressure_settings_set_poll_interval(settings, 1)
    return webkit_web_context_new_limited(manager, settings)
  }

  /// Ends the pages, and waits until what they have stored in the folder is written. Cookies are written as they come.
  ///
  /// WebKit has a process that keeps what pages store. It writes when a page has ended, or half a second after a change,
  /// and tells nobody; the file of a site is open until then.
  static func write(_ views: [WebView], in folder: String) async {
    guard let view = views.first else { return }
    defer { withExtendedLifetime(views) {} }
    let manager = webkit_web_view_get_website_data_manager(view.pointer)
    for view in views { webkit_web_view_terminate_web_process(view.pointer) }
    // Of what is asked at the same time as a page says something, either may be heard first: not the next time.
    for _ in 0..<2 { await hearOut(manager) }
    let keepers = Offspring.named("WebKitNetworkPr")
    while keepers.contains(where: { Offspring.holds(fileIn: folder + "/localstorage", $0) }) {
      try? await pause(for: .milliseconds(5))
    }
  }

  /// Waits for an answer of the process that keeps what pages store, which has dealt by then with what it had heard
  /// before.
  private static func hearOut(_ manager: UnsafeMutablePointer<WebKitWebsiteDataManager>?) async {
    let cancellable = Cancellable()
    let result = await asyncCall(cancellable) { ready, data in
      webkit_website_data_manager_fetch(
        manager, WEBKIT_WEBSITE_DATA_LOCAL_STORAGE, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    g_list_free_full(webkit_website_data_manager_fetch_finish(manager, result.pointer, nil)) {
      webkit_website_data_unref(OpaquePointer($0))
    }
  }
}
