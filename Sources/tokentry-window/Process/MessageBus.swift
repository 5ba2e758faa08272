import CWebKitGTK
import Glibc

/// The message buses that pages' processes can reach.
///
/// WebKit's sandbox includes the folder of a bus's socket, whether the bus runs or not. If the folder is
/// missing WebKit ends this process; if the bus does not answer WebKit waits forever; and if the folder is
/// `/`, WebKit run as root leaves a file there that makes later windows take the system for a Flatpak.
enum MessageBus {
  /// Leaves only buses that answer in the environment. Returns true if the session's bus does not.
  static func disableSilentBuses() -> Bool {
    let isSilent =
      getenv("DBUS_SESSION_BUS_ADDRESS").map { !answers(String(cString: $0)) } ?? !answersAtUsualPlace
    // Without an address GLib would look for a bus itself.
    if isSilent { setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1) }
    if let address = getenv("AT_SPI_BUS_ADDRESS"), !answers(String(cString: address)) {
      unsetenv("AT_SPI_BUS_ADDRESS")
    }
    return isSilent
  }

  /// False if there is a silent bus in the place where GLib looks without an address.
  private static var answersAtUsualPlace: Bool {
    guard let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), !folder.isEmpty,
      access(folder + "/bus", F_OK) == 0
    else { return true }
    return Socket(path: folder + "/bus").answers
  }

  /// True if a bus answers at one of the addresses (D-Bus Specification, "Server Addresses"). Addresses other
  /// than Unix sockets cannot be checked and count as answering.
  private static func answers(_ addresses: String) -> Bool {
    let sockets = addresses.split(separator: ";").map { Socket(address: String($0)) }
    return sockets.isEmpty || sockets.contains { $0?.answers ?? true }
  }

  /// A Unix socket.
  private struct Socket {
    /// The path, or the abstract name after a NUL byte.
    private let name: [UInt8]

    init(path: String) { name = Array(path.utf8) }

    /// Returns nil if the address is not that of a Unix socket.
    init?(address: String) {
      guard address.hasPrefix("unix:") else { return nil }
      for pair in address.dropFirst(5).split(separator: ",") {
        guard let equals = pair.firstIndex(of: "="),
          let text = g_uri_unescape_string(String(pair[pair.index(after: equals)...]), nil)
        else { continue }
        defer { g_free(text) }
        switch pair[..<equals] {
        case "path": name = Array(String(cString: text).utf8)
        case "abstract": name = [0] + Array(String(cString: text).utf8)
        default: continue
        }
        return
      }
      return nil
    }

    /// True if the other end speaks D-Bus, within a second, and the socket is not in `/`.
    var answers: Bool {
      let slash = UInt8(ascii: "/")
      guard name.first == 0 || name.first == slash && name.lastIndex(of: slash) != 0 else { return false }
      let connection = socket(
        AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      guard connection >= 0 else { return false }
      defer { close(connection) }
      guard connects(connection) else { return false }
      let greeting = Array("\0AUTH\r\n".utf8)
      var watched = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      var byte: UInt8 = 0
      return send(connection, greeting, greeting.count, Int32(MSG_NOSIGNAL)) == greeting.count
        && poll(&watched, 1, 1_000) == 1 && recv(connection, &byte, 1, 0) == 1
    }

    private func connects(_ connection: Int32) -> Bool {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
      let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (name.first == 0 ? 0 : 1))
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection, $0, length) == 0 }
      }
    }
  }
}
