import Foundation
import Testing

/// The contents of a file in /proc, or nil if it cannot be opened. Such files have no size and are read page by page;
/// Foundation would return only the first page.
public func systemFile(_ path: String) -> Data? {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var data = Data()
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = read(file, &buffer, buffer.count), count > 0 { data += buffer[..<count] }
  return data
}

/// The text of a file in /proc. The test fails if it cannot be opened.
public func systemText(_ path: String) throws -> String {
  String(decoding: try #require(systemFile(path), "\(path) cannot be opened"), as: UTF8.self)
}

/// Removes a folder, even if a program still writes into it.
///
/// If `afterPrograms` is true, this first waits for programs that have the folder in their arguments or environment. Use
/// it in tests that do not end the programs that they have started.
public func removeFolder(_ path: String, afterPrograms waits: Bool = false) {
  for _ in 0..<(waits ? 500 : 50) {
    if !waits || !isNamedByProgram(path) {
      try? FileManager.default.removeItem(atPath: path)
      if !FileManager.default.fileExists(atPath: path) { return }
    }
    usleep(40_000)
  }
  try? FileManager.default.removeItem(atPath: path)
}

private func isNamedByProgram(_ path: String) -> Bool {
  let name = Data(path.utf8)
  let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
  return processes.contains { process in
    guard process.first?.isNumber == true, process != "\(getpid())" else { return false }
    return ["cmdline", "environ"].contains { file in
      systemFile("/proc/\(process)/\(file)")?.range(of: name) != nil
    }
  }
}

/// Writes an executable script.
///
/// Another process writes it. If this process had the file open for writing, a program that another test starts at that
/// moment would inherit the descriptor, and Linux does not run a file that is open for writing.
public func writeProgram(_ text: String, to path: String) throws {
  let writer = Process()
  writer.executableURL = URL(filePath: "/bin/sh")
  writer.arguments = ["-c", "cat >\"$1\" && chmod 700 \"$1\"", "sh", path]
  let input = Pipe()
  writer.standardInput = input
  try writer.run()
  try input.give(text)
  writer.waitUntilExit()
  guard writer.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
}

extension Pipe {
  /// Writes a program's whole input and closes the pipe. A program that ends without reading it is not an error.
  public func give(_ data: Data) throws {
    signal(SIGPIPE) { _ in }  // programs that are started would inherit SIG_IGN, but not a handler
    try? fileHandleForWriting.write(contentsOf: data)
    try fileHandleForWriting.close()
  }

  /// Writes a program's whole input and closes the pipe.
  public func give(_ text: String) throws { try give(Data(text.utf8)) }
}

/// A pipe that a test fills.
public struct FilledPipe: Sendable {
  /// The descriptor to read from.
  public let reading: Int32
  private let writing: Int32

  /// An empty pipe.
  public init() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { preconditionFailure("no pipe can be made") }
    (reading, writing) = (ends[0], ends[1])
  }

  /// A pipe that holds `text` and then ends. Another thread writes the text, which may be longer than the pipe's buffer.
  public init(_ text: String) {
    self.init()
    Thread.detachNewThread { [self] in
      write(text)
      closeWriting()
    }
  }

  /// Writes more text into the pipe.
  public func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(writing, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Closes the writing end, so that the reader sees the end of the file.
  public func closeWriting() { close(writing) }

  public func closeReading() { close(reading) }
}
