import Foundation
import Testing

/// A folder of the test's own.
final class Place {
  let path = FileManager.default.temporaryDirectory.appending(path: "private-\(UUID().uuidString)").path()

  init() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func mode(of name: String) throws -> mode_t {
    var status = stat()
    try #require(lstat("\(path)/\(name)", &status) == 0)
    return status.st_mode
  }
}
