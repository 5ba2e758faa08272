import GLibSupport
import LoginWays
import PrivateFiles

/// The lines to and from the program that started this one.
@GLibActor
final class CallerLink {
  private let reader: DescriptorReader
  private let streams: StandardStreams

  init(_ streams: StandardStreams) {
    reader = DescriptorReader(descriptor: streams.input)
    self.streams = streams
  }

  /// Ends this process as soon as the caller has gone, however busy it is.
  func watch() { CallerWatch.begin(streams.input) }

  /// The next command that is understood, or nothing when the caller has gone.
  func next() async -> WindowCommand? {
    while let line = try? await reader.line(keeping: WindowCommand.maximumLength + 1) {
      if let command = WindowCommand(line: line) { return command }
    }
    return nil
  }

  /// Tells the caller. If it has gone, its end of the input has too, which ends this process.
  func send(_ event: WindowEvent) { Self.send(event, to: streams.output) }

  /// The same from any thread, when nothing else will be said.
  nonisolated static func send(_ event: WindowEvent, to output: Int32) {
    try? writeAll(event.line.utf8, to: output)
  }
}
