import Foundation

extension Pipe {
  /// Writes all that a program is to read, and that there is no more. Whoever has ended before reads nothing, which is no
  /// fault of the test's.
  public func give(_ data: Data) throws {
    signal(SIGPIPE) { _ in }  // were it ignored, every program that is started would ignore it, too
    try? fileHandleForWriting.write(contentsOf: data)
    try fileHandleForWriting.close()
  }

  /// The same with a text.
  public func give(_ text: String) throws { try give(Data(text.utf8)) }
}
