/// Why a preset file is refused: where, and what about it.
public struct PresetFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line, counted from one.
  public let line: Int
  /// The reason, without the line.
  public let reason: String

  /// Line and reason.
  public var description: String { "line \(line): \(reason)" }
}
