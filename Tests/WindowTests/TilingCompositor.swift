import Foundation
@testable import TestSupport
import Testing

/// A Wayland display on which a window that belongs to another one, of whatever program (xdg-foreign), floats, and
/// every other window is a tile.
final class TilingCompositor {
  private let folder: String
  private let program: Program
  private let display: String

  init() async throws {
    // The path of a socket is short.
    folder = "/tmp/sway-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try "output HEADLESS-1 resolution 1280x900\nxwayland disable\n"
      .write(toFile: folder + "/config", atomically: true, encoding: .utf8)
    program = try Program(
      "/usr/bin/env", ["timeout", "120"] + Self.unprivileged + ["sway", "-c", folder + "/config"],
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder, "SWAYSOCK": folder + "/control",
        "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
      ], errorPath: folder + "/errors")
    let (folder, program) = (folder, program)
    display = folder + "/wayland-1"
    try #require(
      await eventually(within: 15) { FileManager.default.fileExists(atPath: folder + "/wayland-1") },
      "no sway: \(program.errors)")
  }

  deinit {
    program.end(SIGKILL)
    while program.status == nil { usleep(1_000) }  // until then it may add to the folder
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// What lets a program find it.
  var variables: [String: String] { ["WAYLAND_DISPLAY": display, "GDK_BACKEND": "wayland"] }

  /// How a window is laid out; nothing if it is not there.
  func kind(of title: String) -> String? {
    guard let text = try? Screen.run(["swaymsg", "-s", folder + "/control", "-t", "get_tree"], [:]) else {
      return nil
    }
    let data = Data(text.utf8)
    return (try? JSONSerialization.jsonObject(with: data)).flatMap { Self.kind(of: title, in: $0) }
  }

  private static func kind(of title: String, in tree: Any) -> String? {
    guard let node = tree as? [String: Any] else { return nil }
    if node["name"] as? String == title { return node["type"] as? String }
    let children = ["nodes", "floating_nodes"].flatMap { node[$0] as? [Any] ?? [] }
    return children.lazy.compactMap { kind(of: title, in: $0) }.first
  }

  /// sway does not start as root, nor where it could become root again.
  private static var unprivileged: [String] {
    geteuid() == 0 ? ["unshare", "--user", "--map-user=1000", "--map-group=1000"] : []
  }
}
