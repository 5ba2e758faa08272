import Foundation
import Testing

/// A virtual Wayland display. Typing, looking and finding windows need sway.
final class Compositor: Seat {
  /// A compositor.
  enum Kind: String, CaseIterable {
    /// Weston. It lets no program type, and has no parent windows of other programs (xdg-foreign).
    case weston
    /// sway. It lets programs type and take pictures, and a window can have a parent of another program.
    case sway
  }

  /// The layout of windows in sway. In a tiled layout, a window with a parent still floats.
  enum Layout: String {
    case floating = "for_window [title=\".*\"] floating enable\n"
    case tiles = ""
  }

  let variables: [String: String]
  /// The path of the display's socket.
  let socket: String
  private let server: Program
  private let keyboard: Keyboard?

  /// `folder` holds the socket. Its path must be shorter than 70 bytes.
  init(
    _ kind: Kind, folder: String, layout: Layout = .floating, size: String = "640x760"
  ) async throws {
    let runtime = folder + "/\(kind)"
    try FileManager.default.createDirectory(
      atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let name = kind == .weston ? "weston" : "wayland-1"
    socket = "\(runtime)/\(name)"
    let settings = runtime + "/settings"
    let lines = "output HEADLESS-1 resolution \(size)\ndefault_border none\nxwayland disable\n"
    try (lines + layout.rawValue).write(toFile: settings, atomically: true, encoding: .utf8)
    server = try Program(
      server: Self.command(kind, socket: name, settings: settings),
      environment: [
        "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": runtime, "SWAYSOCK": runtime + "/sway",
        "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
      ],
      errorPath: runtime + "/log")
    variables = [
      "DISPLAY": "", "WAYLAND_DISPLAY": name, "XDG_RUNTIME_DIR": runtime, "GDK_BACKEND": "wayland",
    ]
    let (server, socket) = (self.server, self.socket)
    try #require(
      await eventually { try server.status != nil || Self.isListening(at: socket) } && server.status == nil,
      "no \(kind): \(server.errors)")
    keyboard = kind == .weston ? nil : try await Keyboard(variables, folder: runtime)
    Evidence.current?.add(self)
  }

  /// True if the compositor accepts connections. The file of the socket exists earlier.
  private static func isListening(at socket: String) throws -> Bool {
    let listening = "00010000"
    return try systemText("/proc/net/unix").split(separator: "\n").contains {
      $0.hasSuffix(" \(socket)") && $0.split(separator: " ").dropFirst(3).first == listening[...]
    }
  }

  private static func command(_ kind: Kind, socket: String, settings: String) -> [String] {
    switch kind {
    case .weston:
      ["weston", "--backend=headless-backend.so", "--socket=\(socket)", "--no-config", "--idle-time=0"]
    case .sway:
      // sway refuses to run as root, or where it could become root again.
      (getuid() == 0 ? ["unshare", "--user", "--map-user=1000", "--map-group=1000"] : [])
        + ["sway", "--config", settings]
    }
  }

  func end() { server.end(SIGKILL) }

  // The rest needs sway.

  func type(_ text: String) throws {
    for letter in text.unicodeScalars { try keyboard?.press("U" + String(letter.value, radix: 16)) }
  }

  func press(_ keys: String) throws { try keyboard?.press(keys) }

  func close(_ title: String) throws { try run("swaymsg", "[title=\"\(Screen.pattern(title))\"]", "kill") }

  func resize(_ title: String, width: Int, height: Int) throws {
    try run(
      "swaymsg", "[title=\"\(Screen.pattern(title))\"]", "resize set width \(width) px height \(height) px")
  }

  func shows(_ title: String) -> Bool { kind(of: title) != nil }

  /// The layout of a window, such as `floating_con`. Returns nil if there is no such window.
  func kind(of title: String) -> String? { property("type", of: title) }

  func place(of title: String) -> Place? {
    guard let place = self[title]?["rect"] as? [String: Any],
      let values = ["x", "y", "width", "height"].map({ place[$0] as? Int }) as? [Int]
    else { return nil }
    return Place(x: values[0], y: values[1], width: values[2], height: values[3])
  }

  /// A property of a window in sway's tree. Returns nil if there is no such window.
  func property(_ property: String, of title: String) -> String? { self[title]?[property] as? String }

  private subscript(_ title: String) -> [String: Any]? {
    windows.first { ($0["name"] as? String).map { $0 == title || $0.hasPrefix(title + " ") } ?? false }
  }

  var titles: [String] { windows.compactMap { $0["name"] as? String } }

  /// The windows in sway's tree.
  private var windows: [[String: Any]] {
    guard let text = try? run("swaymsg", "--type", "get_tree", "--raw") else { return [] }
    return (try? JSONSerialization.jsonObject(with: Data(text.utf8))).map(Self.windows) ?? []
  }

  private static func windows(in tree: Any) -> [[String: Any]] {
    guard let node = tree as? [String: Any] else { return [] }
    let children = ["nodes", "floating_nodes"].flatMap { node[$0] as? [Any] ?? [] }
    return (node["pid"] == nil ? [] : [node]) + children.flatMap(windows)
  }

  func look() throws -> Data {
    let path = (variables["XDG_RUNTIME_DIR"] ?? "") + "/sight-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try run("grim", "-t", "ppm", path)
    return try Data(contentsOf: URL(filePath: path))
  }

  static let format = "ppm"

  @discardableResult
  private func run(_ words: String...) throws -> String { try run(words) }

  @discardableResult
  private func run(_ words: [String]) throws -> String {
    let runtime = variables["XDG_RUNTIME_DIR"] ?? ""
    return try Screen.run(
      words, variables.merging(["SWAYSOCK": runtime + "/sway"]) { $1 })
  }
}

/// A virtual keyboard that exists before the first key is pressed and stays the same. A window misses the first keys of a
/// new keyboard, and does not recognise its accelerators if each key comes from another keyboard.
private final class Keyboard: Sendable {
  private let program: Program

  /// The path of the program, which is compiled once per run, next to the programs that are tested. `rename` replaces the
  /// one of another run, which may be in use.
  private static let path = Result {
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "keyboard.c").path()
    let (path, draft) = (try Desk.program("keyboard"), try Desk.program("keyboard-\(getpid())"))
    try Screen.run(["gcc", "-o", draft, source, "-lwayland-client", "-lxkbcommon"], [:])
    guard rename(draft, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return path
  }

  init(_ variables: [String: String], folder: String) async throws {
    program = try Program(
      Self.path.get(), [], environment: variables, errorPath: folder + "/keyboard-errors")
    let program = self.program
    try #require(
      await eventually { program.text == "\n" || program.status != nil } && program.status == nil,
      "no keyboard: \(program.errors)")
  }

  func press(_ keys: String) throws {
    let count = program.text.count
    try program.write(keys + "\n")
    let deadline = ContinuousClock.now + .seconds(patience)
    while program.text.count == count, ContinuousClock.now < deadline { usleep(1_000) }
    guard program.text.dropFirst(count) == "\n" else { throw Screen.Failed(command: "press \(keys)") }
  }
}
