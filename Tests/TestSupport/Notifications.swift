import Foundation

/// What shows notifications on a bus, until it has shown one.
public final class Notifications {
  private let process = Process()
  private let shown = Pipe()

  /// `variables` are those with which programs find the bus.
  public init(_ variables: [String: String]) throws {
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", Self.script]
    process.environment = variables
    process.standardOutput = shown
    try process.run()
    _ = shown.fileHandleForReading.availableData  // that it is ready
  }

  deinit { if process.isRunning { process.terminate() } }

  /// The icon and the title of the first one.
  public func first() -> String {
    let text = String(decoding: shown.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.trimmingCharacters(in: .newlines)
  }

  private static let script = """
    from gi.repository import Gio, GLib
    node = Gio.DBusNodeInfo.new_for_xml('<node><interface name="org.freedesktop.Notifications"><method name="Notify">'
        + ''.join(f'<arg type="{kind}" direction="in"/>' for kind in ('s', 'u', 's', 's', 's', 'as', 'a{sv}', 'i'))
        + '<arg type="u" direction="out"/></method></interface></node>')
    bus, loop = Gio.bus_get_sync(Gio.BusType.SESSION), GLib.MainLoop()
    def answer(bus, sender, path, interface, method, parameters, invocation):
        print(parameters.unpack()[2] + ': ' + parameters.unpack()[3], flush=True)
        invocation.return_value(GLib.Variant('(u)', (1,)))
        bus.flush_sync()
        loop.quit()
    bus.register_object('/org/freedesktop/Notifications', node.interfaces[0], answer, None, None)
    Gio.bus_own_name_on_connection(bus, 'org.freedesktop.Notifications', 0, lambda *_: print('ready', flush=True), None)
    GLib.timeout_add_seconds(30, loop.quit)
    loop.run()
    """
}
