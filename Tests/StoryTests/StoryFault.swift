/// Why a file is not a story; every case but the last two names the line, counted from 1.
enum StoryFault: Error, Equatable, CustomStringConvertible {
  /// The first line does not begin with `# `.
  case noTitle
  /// No line begins with `  $ `.
  case noCommand
  /// A line that begins with a tab or with one space: neither prose nor part of a command.
  case indentation(line: Int)
  /// A continuation or an expectation that follows no command.
  case orphan(line: Int)
  /// A continuation that follows an expectation.
  case lateContinuation(line: Int)
  /// An expectation that follows the exit status, or a second exit status.
  case afterStatus(line: Int)
  /// An exit status above 255.
  case status(line: Int)

  var description: String {
    switch self {
    case .noTitle: "a story begins with its title: '# …'"
    case .noCommand: "a story runs at least one command: '  $ …'"
    case .indentation(let line): "line \(line): indent by two spaces, or not at all"
    case .orphan(let line): "line \(line): belongs to no command"
    case .lateContinuation(let line): "line \(line): a command continues before its output"
    case .afterStatus(let line): "line \(line): nothing follows the exit status of a command"
    case .status(let line): "line \(line): an exit status is at most 255"
    }
  }
}
