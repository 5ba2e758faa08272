import Foundation
import Testing

@testable import tokentry

@Suite("What a cleared environment lacks")
struct UserSessionTests {
  /// A folder as systemd makes it, with these sockets.
  private func folder(mode: Int = 0o700, _ sockets: [String]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "run-\(UUID().uuidString.prefix(8))")
      .path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
    for name in sockets {
      let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(socket) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array("\(folder)/\(name)".utf8)) }
      let isBound = withUnsafeBytes(of: &address) { bytes in
        bytes.baseAddress.map {
          bind(socket, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
        }
      }
      try #require(isBound == true)
    }
    return folder
  }

  @Test("is found where systemd puts it")
  func found() throws {
    let folder = try folder(["bus", "wayland-1"])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let session = UserSession(folder: folder)
    #expect(
      session.sockets == ["XDG_RUNTIME_DIR": folder, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus"])
    #expect(session.display == ["WAYLAND_DISPLAY": "wayland-1"])
  }

  @Test("is not taken from a folder that others can change, or that is not there")
  func refused() throws {
    let folder = try folder(mode: 0o755, ["bus"])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(UserSession(folder: folder).sockets.isEmpty)
    #expect(UserSession(folder: folder + "/none").sockets.isEmpty)
    let file = folder + "/wayland-0"
    try "".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(UserSession(folder: folder).display.isEmpty, "a file is no socket")
  }
}
