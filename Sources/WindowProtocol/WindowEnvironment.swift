/// The environment variables that the window's program gets: those that say where the display, the user's files and the
/// network are, and how windows should look.
///
/// All others are left out, because the libraries below give meaning to many: one variable turns the sandbox off, three
/// of a snap do the same, and others make TLS write down its keys.
package enum WindowEnvironment {
  /// True for a variable that the window gets.
  package static func passes(_ name: String) -> Bool { names.contains(name) || name.hasPrefix("LC_") }

  /// The variables that name hosts without a proxy, with this machine added to what `value` returns for them. Pages of this
  /// machine may use plain http because they do not leave it, so a proxy must not get them.
  package static func proxyExceptions(_ value: (String) -> String?) -> [(name: String, value: String)] {
    // Where only one of the two is set, some libraries take that one. Where both are set, each reads its own.
    let names = ["no_proxy", "NO_PROXY"]
    let set = names.lazy.compactMap(value).first
    return names.map { name in
      let hosts = value(name) ?? set ?? ""
      return (name, hosts.isEmpty ? thisMachine : hosts == "*" ? hosts : "\(hosts),\(thisMachine)")
    }
  }

  private static let thisMachine = "localhost,127.0.0.0/8,::1"

  private static let names: Set<String> = Set(
    [user, display, gtk, input, desktop, libraries, network, kerberos, fonts, drawing, debugging]
      .flatMap { $0 })

  private static let user = [
    "HOME", "USER", "LOGNAME", "PATH", "TMPDIR", "LANG", "LANGUAGE", "TEXTDOMAINDIR", "LOCPATH",
    "LOCALE_ARCHIVE", "CHARSET", "TZ", "TZDIR",
  ]
  private static let display = [
    "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "GDK_BACKEND", "GDK_SCALE", "GDK_DPI_SCALE", "GDK_RENDERING",
    "GDK_GL", "GDK_SYNCHRONIZE", "GDK_CORE_DEVICE_EVENTS", "XCURSOR_THEME", "XCURSOR_SIZE", "XCURSOR_PATH",
    "XKB_CONFIG_ROOT", "XLOCALEDIR", "DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN",
  ]
  private static let gtk = [
    "GTK_THEME", "GTK_CSD", "GTK_OVERLAY_SCROLLING", "GTK_PATH", "GTK_EXE_PREFIX", "GTK_DATA_PREFIX",
    "GTK_A11Y", "GTK_USE_PORTAL", "NO_AT_BRIDGE", "AT_SPI_BUS_ADDRESS", "GDK_PIXBUF_MODULE_FILE",
    "GDK_PIXBUF_MODULEDIR",
  ]
  private static let input = [
    "GTK_IM_MODULE", "GTK_IM_MODULE_FILE", "XMODIFIERS", "IBUS_ADDRESS", "IBUS_ADDRESS_FILE",
    "IBUS_USE_PORTAL", "IBUS_ENABLE_SYNC_MODE", "IBUS_DISCARD_PASSWORD",
  ]
  private static let desktop = [
    "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME",
    "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CACHE_HOME", "XDG_STATE_HOME",
    "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "XDG_SESSION_DESKTOP", "XDG_SESSION_ID", "XDG_SESSION_CLASS",
    "XDG_SEAT", "GSETTINGS_BACKEND", "GSETTINGS_SCHEMA_DIR", "FLATPAK_ID",
  ]
  private static let libraries = [
    "LD_LIBRARY_PATH", "LD_PRELOAD", "GIO_EXTRA_MODULES", "GIO_MODULE_DIR", "GIO_USE_TLS", "GIO_USE_VFS",
  ]
  private static let network =
    ["http", "https", "ftp", "all", "no"].flatMap { ["\($0)_proxy", "\($0)_PROXY".uppercased()] }
    + [
      "SSL_CERT_FILE", "SSL_CERT_DIR", "GIO_USE_PROXY_RESOLVER", "GIO_USE_NETWORK_MONITOR",
      "GIO_USE_PORTALS",
    ]
  /// Where the user's Kerberos tickets are.
  package static let kerberos = ["KRB5CCNAME", "KRB5_CONFIG"]
  private static let fonts = [
    "FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT", "FREETYPE_PROPERTIES", "PANGOCAIRO_BACKEND",
  ]
  private static let drawing =
    [
      "WEBKIT_DISABLE_DMABUF_RENDERER", "WEBKIT_DISABLE_COMPOSITING_MODE", "WEBKIT_FORCE_COMPOSITING_MODE",
      "WEBKIT_DMABUF_RENDERER_FORCE_SHM", "WEBKIT_SKIA_ENABLE_CPU_RENDERING",
      "WEBKIT_SKIA_CPU_PAINTING_THREADS", "WEBKIT_SKIA_GPU_PAINTING_THREADS", "DRI_PRIME", "EGL_PLATFORM",
      "GALLIUM_DRIVER", "MESA_LOADER_DRIVER_OVERRIDE",
    ]
    + [
      "LIBGL_ALWAYS_SOFTWARE", "LIBGL_DRIVERS_PATH", "__GLX_VENDOR_LIBRARY_NAME",
      "__EGL_VENDOR_LIBRARY_DIRS", "__EGL_VENDOR_LIBRARY_FILENAMES", "__NV_PRIME_RENDER_OFFLOAD",
    ]
  private static let debugging = [
    "G_DEBUG", "G_MESSAGES_DEBUG", "G_DBUS_DEBUG", "G_ENABLE_DIAGNOSTIC", "GDK_DEBUG", "GTK_DEBUG",
    "SWIFT_BACKTRACE",
  ]
}
