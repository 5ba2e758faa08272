import Foundation
@testable import TestSupport
import Testing

/// A Wayland display without a person in front of it, and where the compositor can do it hands that type there
/// and eyes that look.
final class Compositor: Sendable {
  /// What draws the display.
  enum Kind: String, CaseIterable {
    /// Weston, which hands nobody else's keys to a window and knows no windows of other programs.
    case weston
    /// sway, which lets a window belong to one of another program, and lets programs type and look.
    case sway
  }

  /// How sway lays windows out. Where they are tiles, one that belongs to another, of whatever program
  /// (xdg-foreign), floats all the same.
  enum Layout: String {
    case floating = "for_window [title=\".*\"] floating enable\n"
    case tiles = ""
  }

  /// What a program needs to show its windows here and nowhere else.
  let variables: [String: String]
  /// The path of the display's socket.
  let socket: String
  private let server: Program
  /// A keyboard that is there before a key is pressed: a window that has seen none misses the first keys.
  private let keyboard: Program?

  /// `folder` is where its socket is: a path of less than 70 bytes.
  init(_ kind: Kind, folder: String, layout: Layout = .floating) async throws {
    let runtime = folder + "/\(kind)"
    try FileManager.default.createDirectory(
      atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let name = kind == .weston ? "weston" : "wayland-1"
    socket = "\(runtime)/\(name)"
    let settings = runtime + "/settings"
    let lines = "output HEADLESS-1 resolution 640x760\ndefault_border none\nxwayland disable\n"
    try (lines + layout.rawValue).write(toFile: settings, atomically: true, encoding: .utf8)
    server = try Program(
      "/usr/bin/env",
      ["timeout", "-s", "KILL", "300"] + Self.command(kind, socket: name, settings: settings),
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
      await eventually { FileManager.default.fileExists(atPath: socket) },
      "no \(kind): \(server.errors)")
    keyboard =
      kind == .weston
      ? nil
      : try Program(
        "/usr/bin/env", ["wtype", "-s", "120000"],
        environment: ["PATH": "/usr/bin:/bin"].merging(variables) { $1 }, errorPath: runtime + "/keyboard")
  }

  private static func command(_ kind: Kind, socket: String, settings: String) -> [String] {
    switch kind {
    case .weston:
      ["weston", "--backend=headless-backend.so", "--socket=\(socket)", "--no-config", "--idle-time=0"]
    case .sway:
      // It does not run as root, nor where it could become root again.
      (getuid() == 0 ? ["unshare", "--user", "--map-user=1000", "--map-group=1000"] : [])
        + ["sway", "--config", settings]
    }
  }

  /// Ends it under whoever is shown on it.
  func end() { server.end(SIGKILL) }

  /// Types into the window that has the focus; sway alone lets it.
  func type(_ text: String) throws { try run("wtype", "-d", "15", text) }

  /// Presses a key of the X keyboard's names; sway alone lets it.
  func press(_ key: String) throws { try run("wtype", "-k", key) }

  /// Whether a window with this title can be seen; sway alone tells.
  func shows(_ title: String) -> Bool { kind(of: title) != nil }

  /// How a window is laid out; nothing if it is not there. sway alone tells.
  func kind(of title: String) -> String? { property("type", of: title) }

  /// What sway says of a window; nothing if it is not there.
  func property(_ property: String, of title: String) -> String? {
    guard let text = try? run("swaymsg", "--type", "get_tree", "--raw") else { return nil }
    return (try? JSONSerialization.jsonObject(with: Data(text.utf8))).flatMap {
      Self.property(property, of: title, in: $0)
    }
  }

  private static func property(_ property: String, of title: String, in tree: Any) -> String? {
    guard let node = tree as? [String: Any] else { return nil }
    if node["name"] as? String == title { return node[property] as? String }
    let children = ["nodes", "floating_nodes"].flatMap { node[$0] as? [Any] ?? [] }
    return children.lazy.compactMap { Self.property(property, of: title, in: $0) }.first
  }

  /// Keeps a picture of the display in Tests/results; sway alone lets it.
  func shoot(_ name: String) async throws {
    let path = try Screen.resultPath(name + ".png")
    try await Screen.stillPicture(path) { try run("grim", path) }
  }

  @discardableResult
  private func run(_ command: String, _ arguments: String...) throws -> String {
    let runtime = variables["XDG_RUNTIME_DIR"] ?? ""
    return try Screen.run(
      [command] + arguments, variables.merging(["SWAYSOCK": runtime + "/sway"]) { $1 })
  }
}
