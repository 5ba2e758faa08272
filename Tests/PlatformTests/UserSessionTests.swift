import Foundation
import Testing

@testable import Platform

@Suite("UserSession")
struct UserSessionTests {
  /// A folder such as systemd makes for a session, with these sockets.
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

  @Test("The bus and the display are found where systemd puts them")
  func found() throws {
    let folder = try folder(["bus", "wayland-1"])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let session = UserSession(folder: folder)
    #expect(
      session.sockets == ["XDG_RUNTIME_DIR": folder, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus"])
    #expect(session.display == ["WAYLAND_DISPLAY": "wayland-1"])
  }

  @Test("A missing folder, a folder that is open to others and a file instead of a socket are ignored")
  func refused() throws {
    let folder = try folder(mode: 0o755, ["bus"])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(UserSession(folder: folder).sockets.isEmpty)
    #expect(UserSession(folder: folder + "/none").sockets.isEmpty)
    try "".write(toFile: folder + "/wayland-0", atomically: true, encoding: .utf8)
    #expect(UserSession(folder: folder).display.isEmpty)
  }
}
