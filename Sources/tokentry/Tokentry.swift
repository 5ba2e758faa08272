import GLibSupport
import Glibc
import LoginCore

/// The program: reads the command line, runs the command, and hands over one answer.
@main
enum Tokentry {
  static func main() {
    let output = StandardOutput()
    if CommandLine.arguments.dropFirst().elementsEqual([DesktopChild.argument]) { exit(DesktopChild.run()) }
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 2, arguments[0] == CallbackChild.argument {
      Hardening.apply()
      exit(CallbackChild.run(arguments[1], places: Environment().schemePlaces))
    }
    CrashAnswer.install()
    Hardening.apply()
    if Invocation.asksForText(arguments) { CrashAnswer.silence() }
    exit(answer(to: arguments, on: output))
  }

  /// Writes the answer and returns the exit status.
  private static func answer(to arguments: [String], on output: consuming StandardOutput) -> Int32 {
    let result = run(arguments)
    CrashAnswer.silence()
    let messages = Messages()
    do throws(Failure) {
      switch result {
      case .text(let text): try output.write(text)
      case .failure(let failure, let asJSON):
        messages.report(failure)
        if asJSON { try output.write(failure.json.text + "\n") }
        return failure.exitStatus
      }
      return 0
    } catch {
      messages.report(error)
      return error.exitStatus
    }
  }

  /// What a command line comes to.
  private enum Result: Sendable {
    case text(String)
    case failure(Failure, asJSON: Bool)
  }

  private static func run(_ arguments: [String]) -> Result {
    let asksForText = Invocation.asksForText(arguments)
    do throws(Failure) {
      let invocation = try Invocation(arguments)
      switch invocation.action {
      case .help(let command): return .text(HelpText.text(for: command))
      case .version(let asJSON): return .text(Version.text(asJSON: asJSON))
      case .run(let command): return run(command, invocation)
      }
    } catch {
      return .failure(error, asJSON: !asksForText)
    }
  }

  private static func run(_ command: Command, _ invocation: Invocation) -> Result {
    let settings = invocation.settings
    let operand = invocation.operand
    return GLibActor.run {
      let interruption = Interruption()
      let run = CommandRun(
        command, operand: operand, messages: Messages(settings), interruption: interruption)
      let answer = Answer(isText: command.answersInText || OutputFormat(settings) != .json)
      do throws(Failure) {
        let text = try await interruption.first { () async throws(Failure) -> String in
          try await run.text(settings) { answer.becomesText() }
        }
        return .text(text)
      } catch {
        return .failure(error, asJSON: !answer.isText)
      }
    }
  }

  /// Whether the answer is something other than JSON, so that standard output stays empty on failure.
  @GLibActor
  private final class Answer {
    private(set) var isText: Bool
    init(isText: Bool) { self.isText = isText }

    func becomesText() {
      isText = true
      CrashAnswer.silence()
    }
  }
}
