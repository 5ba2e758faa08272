import CWebKitGTK
import GLibSupport
import LoginWays

/// What all views of one window share: a context of their own, and settings that leave a page what a login needs.
@GLibActor
final class Browsing {
  private let pointer: UnsafeMutablePointer<WebKitWebContext>

  private let rendering: Rendering

  init(languages: [String], trust: [String: String], rendering: Rendering, keptIn folder: String?) {
    self.rendering = rendering
    pointer = KeptData.makeContext(in: folder)
    webkit_web_context_set_sandbox_enabled(pointer, 1)
    if let socket = Surroundings.displaySocket { webkit_web_context_add_path_to_sandbox(pointer, socket, 0) }
    webkit_web_context_set_spell_checking_enabled(pointer, 0)
    let manager = webkit_web_context_get_website_data_manager(pointer)
    webkit_website_data_manager_set_tls_errors_policy(manager, WEBKIT_TLS_ERRORS_POLICY_FAIL)
    webkit_website_data_manager_set_persistent_credential_storage_enabled(manager, 0)
    setLanguages(languages)
    for (host, pem) in trust { accept(pem, of: host) }
    refuseDownloads()
  }

  isolated deinit { g_object_unref(pointer) }

  /// A view without a page.
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

  /// WebKit takes no authority from the environment; one certificate for one host is what it can be told.
  private func accept(_ pem: String, of host: String) {
    guard let certificate = g_tls_certificate_new_from_pem(pem, -1, nil) else { return }
    webkit_web_context_allow_tls_certificate_for_host(pointer, certificate, host)
    g_object_unref(certificate)
  }

  /// A download would be saved without a question, even from an ephemeral context.
  private func refuseDownloads() {
    let cancel:
      @GLibActor @convention(c) (
        gpointer, UnsafeMutablePointer<WebKitDownload>, gpointer
      ) -> Void = { _, download, _ in webkit_download_cancel(download)
      }
    connect(pointer, "download-started", cancel, ())
  }

  /// Changes the view's own settings: with others put in their place WebKit 2.50 crashes when a page opens
  /// another one.
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
