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

  /// How long WebKit takes to write what pages have stored, once the process that draws them has ended; it takes
  /// some milliseconds, and half a second where that process lives on. Cookies are written as they come.
  private static let writing = Duration.milliseconds(100)

  /// Ends the pages, so that what they have stored is written, and calls `body` when that has happened.
  static func write(_ views: [WebView], _ body: @escaping @GLibActor () -> Void) -> Source {
    for view in views { webkit_web_view_terminate_web_process(view.pointer) }
    return .timer(every: writing) {
      withExtendedLifetime(views) { body() }
    }
  }
}
