import Foundation

/// Writes a script for a test to run.
///
/// Another process writes it: what this one has open for writing is, for a moment, open in every process as well that
/// another test starts, and Linux runs no program that somebody may still write.
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
