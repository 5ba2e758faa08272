import Foundation
import Testing

/// A session bus for one test, with a keyring and other daemons if the test starts them. All end with this object.
final class PrivateBus {
  /// The state of the keyring at the start.
  enum Keyring {
    case none, unlocked
  }

  private let root = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID().uuidString)")
  private var daemons: [Program] = []
  /// The environment of a program that uses this bus.
  private(set) var environment: [String: String] = [:]

  init(_ keyring: Keyring) throws {
    for name in ["home", "run"] {
      try FileManager.default.createDirectory(
        at: root.appending(path: name), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    environment = [
      "HOME": path("home"), "XDG_RUNTIME_DIR": path("run"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path("run"))/bus",
    ]
    // With the system's configuration, the bus would start a keyring itself and ask for its password.
    let configuration = """
      <busconfig><type>session</type><listen>unix:path=\(path("run"))/bus</listen>
      <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
      """
    try configuration.write(to: root.appending(path: "bus.conf"), atomically: true, encoding: .utf8)
    try start("dbus-daemon", "--nofork", "--config-file=" + path("bus.conf"))
    try waitFor { try self.call(["org.freedesktop.DBus.GetId"]) }
    guard keyring == .unlocked else { return }
    let daemon = try start("gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets")
    try daemon.write("password")
    try daemon.closeInput()
    try waitForOwner(of: "org.freedesktop.secrets")
  }

  deinit {
    for daemon in daemons.reversed() { daemon.end(SIGKILL) }
    removeFolder(root.path(percentEncoded: false))
  }

  func signalBus(_ number: Int32) { daemons[0].end(number) }

  func signalKeyring(_ number: Int32) { daemons[1].end(number) }

  func signalAll(_ number: Int32) { for daemon in daemons { daemon.end(number) } }

  func lock() throws {
    let service = ["--dest", "org.freedesktop.secrets", "--object-path", "/org/freedesktop/secrets"]
    let collection = "['/org/freedesktop/secrets/collection/login']"
    #expect(
      try gdbus(service + ["--method", "org.freedesktop.Secret.Service.Lock", collection]))
  }

  /// The contents of all files of the keyring.
  func files() throws -> Data {
    let folder = root.appending(path: "home/.local/share/keyrings")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
    return try names.reduce(into: Data()) { $0 += try Data(contentsOf: folder.appending(path: $1)) }
  }

  /// The public properties of an account in the keyring, or of another kind of item: label, attributes and dates, but not
  /// the secret.
  func item(_ name: String, of kind: String = "account") throws -> String {
    let service = ["gdbus", "call", "--session", "--dest", "org.freedesktop.secrets", "--object-path"]
    let found = try output(
      service + [
        "/org/freedesktop/secrets", "--method", "org.freedesktop.Secret.Service.SearchItems",
        "{'\(kind)': '\(name)'}",
      ])
    let path = try #require(
      found.split(separator: "'").map(String.init).first { $0.hasPrefix("/") }, "\(found)")
    return try output(
      service + [path, "--method", "org.freedesktop.DBus.Properties.GetAll", "org.freedesktop.Secret.Item"])
  }

  /// Runs a program on this bus and returns its output.
  func output(_ command: [String]) throws -> String {
    let pipe = Pipe()
    let process = try process(command)
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  private func path(_ name: String) -> String { root.appending(path: name).path(percentEncoded: false) }

  private func process(_ command: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.environment = environment
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    return process
  }

  /// Starts a program in the background, on this bus.
  @discardableResult
  func start(_ words: String..., variables: [String: String] = [:]) throws -> Program {
    try start(words, variables: variables)
  }

  @discardableResult
  func start(_ words: [String], variables: [String: String] = [:]) throws -> Program {
    let daemon = try Program(
      "/usr/bin/env", words, environment: environment.merging(variables) { $1 },
      errorPath: path("errors-\(daemons.count)"))
    daemons.append(daemon)
    return daemon
  }

  /// Waits until a name on the bus has an owner.
  func waitForOwner(of name: String) throws {
    try waitFor { try self.call(["org.freedesktop.DBus.GetNameOwner", name]) }
  }

  /// Calls a method of the bus itself. Returns true if it succeeds.
  private func call(_ method: [String]) throws -> Bool {
    let bus = ["--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus"]
    return try gdbus(bus + ["--method"] + method)
  }

  private func gdbus(_ arguments: [String]) throws -> Bool {
    let process = try process(["gdbus", "call", "--session", "--timeout", "5"] + arguments)
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private func waitFor(_ condition: () throws -> Bool) throws {
    for _ in 0..<3_000 {
      if try condition() { return }
      usleep(20_000)
    }
    Issue.record("a service on the bus did not start")
  }
}

/// A notification service that ends after the first notification.
public final class Notifications {
  private let process = Process()
  private let shown = Pipe()

  /// `variables` is the environment of programs that use the bus.
  public init(_ variables: [String: String]) throws {
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", Self.script]
    process.environment = variables
    process.standardOutput = shown
    try process.run()
    _ = shown.fileHandleForReading.availableData  // the line "ready"
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Waits for the first notification and returns its icon and title.
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
