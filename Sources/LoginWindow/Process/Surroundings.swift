import CLinux
import CWebKitGTK
import GLibSupport
import Glibc
import LoginCore
import LoginWays

/// What GTK and WebKit take from the environment: decided before they look.
enum Surroundings {
  /// Whatever the caller's environment says, nothing leaves the sandbox out, and nothing is written down.
  static func clear() { for name in names where !WindowEnvironment.passes(name) { unsetenv(name) } }

  /// Nobody may look into this process or its pages.
  static func close() {
    setenv("G_TLS_GNUTLS_PRIORITY", priorities, 1)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    // The desktop's portal has to see from which sandbox it is asked, and in there nobody else is.
    if !Flatpak.isAround { _ = linux_set_dumpable(0) }
    signal(SIGPIPE, SIG_IGN)
    umask(0o077)  // what is kept is kept for the user alone, and WebKit's processes write it
    g_set_prgname(applicationID)
  }

  /// What desktops find our icon by: Wayland's application id, X11's class, and the name of the desktop entry.
  static let applicationID = "org.tokentry.Tokentry"

  /// What of TLS is offered: what the system has decided or else GnuTLS, less what nobody should use (RFC 8996).
  private static var priorities: String {
    var text: UnsafeMutablePointer<gchar>?
    defer { g_free(text) }
    let hasPolicy =
      g_file_get_contents("/etc/gnutls/config", &text, nil, nil) != 0
      && (text.map { String(cString: $0) } ?? "").split(separator: "\n").contains { $0.hasPrefix("SYSTEM") }
    return (hasPolicy ? "@SYSTEM" : "NORMAL") + ":%COMPAT:-VERS-TLS1.1:-VERS-TLS1.0"
  }

  /// The names of all variables.
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

  /// The renderer that asks the graphics card for help takes 65 ms more to start, and leaves the window blank
  /// with some drivers: only whoever asks for it gets it. What the user has set stays.
  static func choose(_ rendering: Rendering) {
    for (name, value) in rendering.variables { setenv(name, value, 1) }
  }

  /// The socket of a Wayland display that is named by its path. WebKit's sandbox knows only of those that are named
  /// by a file in XDG_RUNTIME_DIR, and its processes would end without the display.
  static var displaySocket: String? {
    guard let name = getenv("WAYLAND_DISPLAY").map({ String(cString: $0) }), name.hasPrefix("/") else {
      return nil
    }
    return name
  }

  /// The user's languages as HTTP writes them, the best first.
  static var languages: [String] {
    var languages: [String] = []
    var name = g_get_language_names()
    while let text = name?.pointee {
      // de_DE.UTF-8@euro comes in several spellings, and the short ones say all.
      let language = String(cString: text).replacingAll("_", with: "-")
      if language != "C", language.utf8.allSatisfy({ $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }) {
        languages.append(language)
      }
      name = name?.successor()
    }
    return languages.isEmpty ? ["en"] : languages
  }
}
