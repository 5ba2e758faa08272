import Foundation
import Testing

/// What is in a file of /proc; nothing if it cannot be opened. The kernel hands out such a file a page at a time and tells
/// no size, and Foundation takes the first page for all of it.
public func systemFile(_ path: String) -> Data? {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var data = Data()
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = read(file, &buffer, buffer.count), count > 0 { data += buffer[..<count] }
  return data
}

/// The same as a text, which has to be there: nothing is found in what was not read.
public func systemText(_ path: String) throws -> String {
  String(decoding: try #require(systemFile(path), "\(path) cannot be opened"), as: UTF8.self)
}
