import Foundation

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

/// The same as a text, which is empty if it cannot be opened.
public func systemText(_ path: String) -> String {
  String(decoding: systemFile(path) ?? Data(), as: UTF8.self)
}
