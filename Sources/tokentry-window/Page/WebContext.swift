import CWebKitGTK
import GLibSupport
import Glibc
import Platform
import WindowProtocol

/// WebKit's context, which all views of one window share: the settings of pages, and the data that they
/// store, in one private folder or only in memory.
@GLibActor
final class WebContext {
  private let pointer: UnsafeMutablePointer<WebKitWebContext>
  private let rendering: Rendering
  /// The certificates, or their digests, that the caller trusts beside those of the system's authorities.
  private let trust: CallersTrust

  /// More than any login page takes, and less than would bring a small machine to a standstill, in megabytes.
  private static let maximumPageMemory: guint = 1_024

  /// Without a folder all data stays in memory and ends with the window. `trust` has certificates by host, in PEM
  /// or as `sha256:` and a digest. If a server may get a Kerberos ticket, the data is in a folder that ends with the window, since WebKit gives
  /// none to pages whose data is only in memory. `downloadRefused` is called when a page has begun a download.
  init(
    languages: [String], trust: [String: String], rendering: Rendering, keptIn folder: String?,
    negotiates: Bool, downloadRefused: @escaping @GLibActor () -> Void
  ) {
    self.rendering = rendering
    self.trust = CallersTrust(trust)
    pointer = Self.makeContext(keptIn: folder, orFolder: negotiates)
    webkit_web_context_set_sandbox_enabled(pointer, 1)
    if let socket = ProcessEnvironment.displaySocket {
      webkit_web_context_add_path_to_sandbox(pointer, socket, 0)
    }
    webkit_web_context_set_spell_checking_enabled(pointer, 0)
    let manager = webkit_web_context_get_website_data_manager(pointer)
    webkit_website_data_manager_set_tls_errors_policy(manager, WEBKIT_TLS_ERRORS_POLICY_FAIL)
    webkit_website_data_manager_set_persistent_credential_storage_enabled(manager, 0)
    setLanguages(languages)
    self.trust.forEachCertificate { webkit_web_context_allow_tls_certificate_for_host(pointer, $0, $1) }
    refuseDownloads(downloadRefused)
  }

  isolated deinit { g_object_unref(pointer) }

  private static func makeContext(
    keptIn folder: String?, orFolder needsFolder: Bool
  ) -> UnsafeMutablePointer<WebKitWebContext> {
    let manager =
      (folder ?? (needsFolder ? passingFolder() : nil))
      .map { webkit_website_data_manager_new_in($0, $0 + "/cache") }
      ?? webkit_website_data_manager_new_ephemeral()
    defer { if let manager { g_object_unref(manager) } }
    let context = makeContext(manager)
    guard let folder else {
      if needsFolder { webkit_web_context_set_cache_model(context, WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER) }
      return context
    }
    // WebKit keeps only cookies that have a lifetime, like a browser that is closed in between: see `write`.
    webkit_cookie_manager_set_persistent_storage(
      webkit_website_data_manager_get_cookie_manager(manager), folder + "/cookies.sqlite",
      WEBKIT_COOKIE_PERSISTENT_STORAGE_SQLITE)
    // This model has no cache on the disk: login pages need none, and it would hold what they show.
    webkit_web_context_set_cache_model(context, WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER)
    return context
  }

  /// Makes a folder that is removed after the window (see ``EngineLeftovers``).
  private static func passingFolder() -> String? {
    guard let name = g_dir_make_tmp("\(EngineLeftovers.folderPrefix(of: getpid()))XXXXXX", nil) else {
      return nil
    }
    defer { g_free(name) }
    return String(cString: name)
  }

  /// Returns a context whose pages' processes are ended when they take too much memory.
  private static func makeContext(
    _ manager: UnsafeMutablePointer<WebKitWebsiteDataManager>?
  ) -> UnsafeMutablePointer<WebKitWebContext> {
    let settings = webkit_memory_pressure_settings_new()
    defer { webkit_memory_pressure_settings_free(settings) }
    webkit_memory_pressure_settings_set_memory_limit(settings, maximumPageMemory)
    webkit_memory_pressure_settings_set_kill_threshold(settings, 1)
    webkit_memory_pressure_settings_set_poll_interval(settings, 1)
    return webkit_web_context_new_limited(manager, settings)
  }

  /// Returns a view without a page.
  func makeView() -> UnsafeMutablePointer<GtkWidget> {
    let view: UnsafeMutablePointer<GtkWidget> = webkit_web_view_new_with_context(pointer)
    let settings = webkit_web_view_get_settings(view.cast())
    Self.restrict(settings)
    webkit_settings_set_hardware_acceleration_policy(
      settings,
      rendering == .gpu
        ? WEBKIT_HARDWARE_ACCELERATION_POLICY_ALWAYS : WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER)
    return view
  }

  private func setLanguages(_ languages: [String]) {
    let names = languages.map { g_strdup($0) }
    defer { names.forEach { g_free($0) } }
    var list: [UnsafePointer<gchar>?] = names.map { UnsafePointer($0) } + [nil]
    webkit_web_context_set_preferred_languages(pointer, &list)
  }

  /// Accepts the certificate that a host has shown if the caller trusts it. Returns false if they do not.
  ///
  /// WebKit's network process reads certificate authorities neither from the environment nor from this process, so a page
  /// fails first, and is loaded again once its host's certificate is allowed.
  func accepts(
    _ certificate: UnsafeMutablePointer<GTlsCertificate>, with fingerprint: String?, of uri: String
  ) -> Bool {
    guard trust.includes(certificate, with: fingerprint, of: uri) else { return false }
    webkit_web_context_allow_tls_certificate_for_host(
      pointer, certificate, PageAddress.bareHost(PageAddress(uri).host))
    return true
  }

  /// WebKit would save a download without asking, even from an ephemeral context.
  private func refuseDownloads(_ refused: @escaping @GLibActor () -> Void) {
    let cancel:
      @GLibActor @convention(c) (
        gpointer, UnsafeMutablePointer<WebKitDownload>, gpointer
      ) -> Void = { _, download, data in
        webkit_download_cancel(download)
        Handler<@GLibActor () -> Void>.body(data)()
      }
    connect(pointer, "download-started", cancel, refused)
  }

  /// Turns off what a login does not need. This changes the view's own settings: if they are replaced by
  /// others, WebKit 2.50 crashes when a page opens another page.
  private static func restrict(_ settings: UnsafeMutablePointer<WebKitSettings>?) {
    webkit_settings_set_enable_developer_extras(settings, 0)
    webkit_settings_set_enable_webgl(settings, 0)
    webkit_settings_set_enable_media_stream(settings, 0)
    webkit_settings_set_enable_webrtc(settings, 0)
    webkit_settings_set_enable_fullscreen(settings, 0)
    webkit_settings_set_javascript_can_open_windows_automatically(settings, 0)
    webkit_settings_set_javascript_can_access_clipboard(settings, 0)
    webkit_settings_set_allow_modal_dialogs(settings, 0)
    webkit_settings_set_enable_write_console_messages_to_stdout(settings, 0)
  }
}

extension WebContext {
  /// Ends the pages, and waits until WebKit has written what they have stored in the folder. Cookies are
  /// written as they come.
  ///
  /// WebKit's network process writes a site's storage when its page ends, or half a second after a change. It
  /// does not report that; but the site's file is open until then. With `sessionCookies`, cookies without a lifetime get
  /// one, so that they are written, too.
  static func write(_ views: [WebView], in folder: String, sessionCookies: Bool) async {
    guard let view = views.first else { return }
    defer { withExtendedLifetime(views) {} }
    let manager = webkit_web_view_get_website_data_manager(view.pointer)
    for view in views { webkit_web_view_terminate_web_process(view.pointer) }
    // The process may receive the first request before a page's last message, but not the second.
    for _ in 0..<2 { await askForStorage(manager) }
    if sessionCookies { await prolongSessionCookies(of: manager) }
    let processes = EngineProcesses.named("WebKitNetworkPr")
    while processes.contains(where: { EngineProcesses.holds(fileIn: folder + "/localstorage", $0) }) {
      try? await pause(for: .milliseconds(5))
    }
  }

  /// Longer than a connection to a remote desktop lasts, at whose end the cookies are removed, in seconds.
  private static let connectionTime: Int32 = 30 * 24 * 3_600

  private static func prolongSessionCookies(of manager: UnsafeMutablePointer<WebKitWebsiteDataManager>?) async
  {
    let (cookies, cancellable) = (webkit_website_data_manager_get_cookie_manager(manager), Cancellable())
    let result = await asyncCall(cancellable) { ready, data in
      webkit_cookie_manager_get_all_cookies(cookies, cancellable.pointer, ready, data)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(result.pointer)) }
    let list = webkit_cookie_manager_get_all_cookies_finish(cookies, result.pointer, nil)
    defer { g_list_free_full(list) { soup_cookie_free(OpaquePointer($0)) } }
    var next = list
    while let item = next {
      next = item.pointee.next
      let cookie = OpaquePointer(item.pointee.data)
      if soup_cookie_get_expires(cookie) != nil { continue }
      soup_cookie_set_max_age(cookie, connectionTime)
      let added = await asyncCall(cancellable) { ready, data in
        webkit_cookie_manager_add_cookie(cookies, cookie, cancellable.pointer, ready, data)
      }
      webkit_cookie_manager_add_cookie_finish(cookies, added.pointer, nil)
      g_object_unref(UnsafeMutableRawPointer(added.pointer))
    }
  }

  /// Waits for an answer of the network process, which has then handled all messages that it had received
  /// before.
  private static func askForStorage(_ manager: UnsafeMutablePointer<WebKitWebsiteDataManager>?) async {
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
