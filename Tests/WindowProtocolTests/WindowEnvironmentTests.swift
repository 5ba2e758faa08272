import Testing

@testable import WindowProtocol

@Suite("WindowEnvironment")
struct WindowEnvironmentTests {
  @Test(
    "Variables about the display, the desktop, the network and the look of windows pass",
    arguments: [
      "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "HOME", "PATH", "TMPDIR", "LANG", "LC_ALL", "LC_TIME",
      "LANGUAGE", "GTK_THEME", "GDK_SCALE", "GTK_IM_MODULE", "XMODIFIERS", "NO_AT_BRIDGE",
      "AT_SPI_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_DATA_DIRS", "XDG_CURRENT_DESKTOP",
      "DBUS_SESSION_BUS_ADDRESS", "http_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "ALL_PROXY",
      "FONTCONFIG_FILE", "GIO_EXTRA_MODULES", "LD_LIBRARY_PATH", "WEBKIT_DISABLE_DMABUF_RENDERER",
      "G_MESSAGES_DEBUG",
    ])
  func passes(_ name: String) { #expect(WindowEnvironment.passes(name)) }

  @Test(
    "Variables that weaken the sandbox or TLS, and unknown ones, do not pass",
    arguments: [
      "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "WEBKIT_FORCE_SANDBOX", "SNAP", "SNAP_NAME",
      "SNAP_REVISION", "WEBKIT_ENABLE_DEBUG_PERMISSIONS_IN_SANDBOX", "SSLKEYLOGFILE", "G_TLS_GNUTLS_PRIORITY",
      "GTK_MODULES", "GNUTLS_SYSTEM_PRIORITY_FILE", "WEBKIT_INSPECTOR_SERVER", "WEBKIT_INSPECTOR_HTTP_SERVER",
      "WEBKIT_DEBUG", "WEBKIT_EXEC_PATH", "WEBKIT_INJECTED_BUNDLE_PATH", "JSC_dumpOptions",
      "TOKENTRY_CLIENT_SECRET", "TOKENTRY_PASSWORD", "WEB_PROCESS_CMD_PREFIX", "NETWORK_PROCESS_CMD_PREFIX",
      "WAYLAND_SOCKET", "", "lc_all",
    ])
  func staysOutside(_ name: String) { #expect(!WindowEnvironment.passes(name)) }

  @Test(
    "This machine is excepted from proxies, in both spellings of the variable and besides the user's own exceptions",
    arguments: [
      ([:], "localhost,127.0.0.0/8,::1", nil), (["no_proxy": ""], "localhost,127.0.0.0/8,::1", nil),
      (["no_proxy": ".corp"], ".corp,localhost,127.0.0.0/8,::1", nil),
      (["NO_PROXY": ".corp"], ".corp,localhost,127.0.0.0/8,::1", nil),
      (
        ["no_proxy": "a", "NO_PROXY": "b"], "a,localhost,127.0.0.0/8,::1", "b,localhost,127.0.0.0/8,::1"
      ),
      (["no_proxy": "*"], "*", nil),
    ] as [([String: String], String, String?)])
  func proxies(variables: [String: String], lower: String, upper: String?) {
    let exceptions = WindowEnvironment.proxyExceptions { variables[$0] }
    #expect(exceptions.map(\.name) == ["no_proxy", "NO_PROXY"])
    #expect(exceptions.map(\.value) == [lower, upper ?? lower])
  }
}
