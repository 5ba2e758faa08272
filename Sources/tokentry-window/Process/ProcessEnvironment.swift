import CWebKitGTK
import GLibSupport
import Glibc
import LoginCore
import WindowProtocol

/// The environment variables that GTK and WebKit read, and what this program reads from them.
enum ProcessEnvironment {
  /// Removes every variable that is not on the list of ``WindowEnvironment``: some turn the sandbox off or
  /// have secrets written to a file. Excepts this machine from proxies. Called before GTK and WebKit look.
  static func prepare() {
    for name in names where !WindowEnvironment.passes(name) { unsetenv(name) }
    for (name, value) in WindowEnvironment.proxyExceptions({ getenv($0).map { String(cString: $0) } }) {
      setenv(name, value, 1)
    }
    setenv("G_TLS_GNUTLS_PRIORITY", tlsPriorities, 1)
  }

  /// Lets libsoup in WebKit's network process answer only these origins with a Kerberos ticket. Without the variable it
  /// would answer every server with https.
  static func allowNegotiation(with origins: [String]) {
    setenv("SOUP_GSSAPI_TRUSTED_URIS", origins.isEmpty ? "none:" : origins.joined(separator: ","), 1)
    if origins.isEmpty { for name in WindowEnvironment.kerberos { unsetenv(name) } }
  }

  private static var names: [String] {
    let list = g_get_environ()
    defer { g_strfreev(list) }
    var names: [String] = []
    var next = list
    while let variable = next?.pointee {
      names.append(String(cString: variable).splitOnce(at: "=").0)
      next = next?.successor()
    }
    return names
  }

  /// The TLS that is offered: the system's policy, or else GnuTLS's default, without the versions that must
  /// not be used (RFC 8996).
  private static var tlsPriorities: String {
    var text: UnsafeMutablePointer<gchar>?
    defer { g_free(text) }
    let hasPolicy =
      g_file_get_contents("/etc/gnutls/config", &text, nil, nil) != 0
      && (text.map { String(cString: $0) } ?? "").split(separator: "\n").contains { $0.hasPrefix("SYSTEM") }
    return (hasPolicy ? "@SYSTEM" : "NORMAL") + ":%COMPAT:-VERS-TLS1.1:-VERS-TLS1.0"
  }

  /// Chooses WebKit's renderer. The default is not the renderer that uses the graphics card: that takes 65 ms
  /// more to start, and leaves the window blank with some drivers. Other variables of the user stay.
  static func setRendering(_ rendering: Rendering) {
    for (name, value) in rendering.variables { setenv(name, value, 1) }
  }

  /// Lets our window come to the front with the token that the caller was given (XDG_ACTIVATION_TOKEN). GTK 3
  /// itself reads only the older variable, and pages' processes must not see the token. Call after
  /// `gtk_init_check`.
  @GLibActor
  static func handOverActivationToken() {
    guard let token = getenv("XDG_ACTIVATION_TOKEN").map({ String(cString: $0) }),
      let display = gdk_display_get_default()
    else { return }
    unsetenv("XDG_ACTIVATION_TOKEN")
    if display.isX11 { gdk_x11_display_set_startup_notification_id(display, token) }
    if display.isWayland { gdk_wayland_display_set_startup_notification_id(display, token) }
  }

  /// The socket of a Wayland display that is named by its path. WebKit lets only sockets in
  /// XDG_RUNTIME_DIR into its sandbox, and its processes end without a display.
  static var displaySocket: String? {
    guard let name = getenv("WAYLAND_DISPLAY").map({ String(cString: $0) }), name.hasPrefix("/") else {
      return nil
    }
    return name
  }

  /// The user's languages in the form that HTTP uses, the preferred first.
  static var languages: [String] {
    var languages: [String] = []
    var name = g_get_language_names()
    while let text = name?.pointee {
      // GLib lists de_DE.UTF-8@euro in several spellings; the short ones suffice.
      let language = String(cString: text).replacingAll("_", with: "-")
      if language != "C", language.utf8.allSatisfy({ $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }) {
        languages.append(language)
      }
      name = name?.successor()
    }
    return languages.isEmpty ? ["en"] : languages
  }
}
