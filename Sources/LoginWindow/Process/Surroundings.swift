import CWebKitGTK
import Glibc
import LoginCore
import LoginWays

/// What GTK and WebKit take from the environment: decided before they look.
enum Surroundings {
  /// Whatever the caller's environment says, nobody may look into the page.
  static func close() {
    for name in ["WEBKIT_INSPECTOR_SERVER", "WEBKIT_INSPECTOR_HTTP_SERVER", "GTK_MODULES"] { unsetenv(name) }
    signal(SIGPIPE, SIG_IGN)
    umask(0o077)  // what is kept is kept for the user alone, and WebKit's processes write it
    g_set_prgname("tokentry-window")
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
