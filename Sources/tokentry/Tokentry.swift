import GLibSupport
import Glibc
import LoginCore
import Platform
import SignIn

/// The program: reads the command line, runs the command, and writes one answer.
@main
enum Tokentry {
  static func main() {
    let output = StandardOutput()
    if CommandLine.arguments.dropFirst().elementsEqual([DesktopChild.argument]) { exit(DesktopChild.run()) }
    let arguments =
      SignInChild.isThis ? SignInChild.arguments() : HelperProtocols.arguments(CommandLine.arguments)
    if arguments.count == 2, arguments[0] == CallbackChild.argument {
      Hardening.apply()
      exit(CallbackChild.run(arguments[1], folders: Environment().schemeFolders))
    }
    if arguments.count == 2, arguments[0] == CookieRemover.argument {
      Hardening.apply()
      exit(CookieRemover.run(arguments[1]))
    }
    CrashAnswer.install()
    Hardening.apply()
    if Invocation.asksForText(arguments) { CrashAnswer.silence() }
    let status = answer(to: arguments, on: output)
    CrashAnswer.silence(status: status)
    exit(status)
  }

  /// Writes the answer, and returns the exit status.
  private static func answer(to arguments: [String], on output: consuming StandardOutput) -> Int32 {
    let result = run(arguments)
    CrashAnswer.silence()
    let messages = Messages()
    do throws(Failure) {
      switch result {
      case .text(let text, let nextStep):
        try output.write(text)
        if let nextStep, Messages.areRead { messages.tell(nextStep) }
        return 0
      case .failure(let failure, let refusal):
        let report = messages.report(failure, isSaid: refusal.isSaid)
        try output.write(refusal.output(report))
        return refusal.status ?? report.status
      }
    } catch {
      return messages.report(error).status
    }
  }

  private enum Outcome: Sendable {
    case text(String, nextStep: Message? = nil)
    case failure(Failure, Refusal)
  }

  private static func run(_ arguments: [String]) -> Outcome {
    if arguments.first == Completion.argument { return .text(Completion(arguments.dropFirst()).text()) }
    do throws(Failure) {
      // Swift reads the words from /proc. Without them, every command would be a login.
      if CommandLine.arguments.allSatisfy(\.isEmpty) { throw .noCommandLine }
      let invocation = try Invocation(arguments)
      switch invocation.action {
      case .help(let help): return .text(help.forReader() ?? "")
      case .version(let asJSON): return .text(Version.text(asJSON: asJSON))
      case .run(let command):
        // Both change the environment, so they come before the first thread. Help and version do not need them.
        if invocation.wishes.helper?.leavesRoot == true { try InvokingUser.become() }
        UserSession.restore()
        return run(command, invocation)
      }
    } catch {
      return .failure(error, Invocation.refusal(of: error, to: arguments))
    }
  }

  private static func run(_ command: Command, _ invocation: Invocation) -> Outcome {
    let given = invocation.wishes
    LibraryMessages.hand(
      to: { given.place.messages.traceWarning(Message(verbatim: $0.forDisplay(limit: 300))) },
      end: CrashAnswer.answer)
    return GLibActor.run {
      let run = Run()
      let interruption = Interruption(
        of: run, watchesCaller: (command == .open || !SignInChild.isThis) && !command.outlivesCaller(given))
      let isText = command.answersInText || command.answersInTable && given.answer.isForReader
      // With `keep`, `--output` is the format of the file.
      let format = command == .keep ? .json : given.answer.format
      // A person runs `--set-up`, not the helper's program.
      let answer = Answer(
        given[SetUpWishes.self].server != nil ? nil : given.helper, isText ? .silent : format.refusal)
      do throws(Failure) {
        let (text, nextStep) = try await interruption.command {
          () async throws(Failure) -> (String, Message?) in
          try await carryOut(command, given, run, interruption) { answer.becomes($0) }
        }
        return .text(text, nextStep: nextStep)
      } catch {
        return .failure(error, answer.refusal(of: error))
      }
    }
  }

  /// Completes the wishes, and runs the command.
  @GLibActor
  private static func carryOut(
    _ command: Command, _ given: Wishes, _ run: Run, _ interruption: Interruption,
    _ asksFor: (_ output: String) -> Void
  ) async throws(Failure) -> (text: String, nextStep: Message?) {
    run.setDeadline(seconds: given.asking.patience, isGiven: given.asking.timeout != nil)
    // An agent never asks another agent.
    if command == .agent { unsetenv(StorePlace.agentVariable) }
    let environment = Environment()
    if let path = try environment.text(MessageLog.variable) { try MessageLog.open(path) }
    let wishes = try await run.reading { () async throws(Failure) in
      try await given.completed(for: command, environment, asksFor)
    }
    if let seconds = wishes.asking.timeout, given.asking.timeout == nil {
      run.setDeadline(seconds: seconds, isGiven: true)
    }
    let mayAsk =
      ![.explain, .keep].contains(command) && wishes.helper?.mayAsk(environment) != false
    let composition = try Composition(
      wishes.place, wishes.asking, explains: command == .explain, mayAskForKeyring: mayAsk, run,
      interruption, environment)
    do throws(Failure) {
      let action = try command.action(wishes).init(wishes, composition)
      return (try await action.text(), action.nextStep)
    } catch {
      throw error.withHint(for: wishes, command)
    }
  }

  /// Knows how the caller learns of a failure: as a helper's protocol says it, or as the format of the answer.
  @GLibActor
  private final class Answer {
    private let helperProtocol: (any HelperProtocol.Type)?
    private var refusal: Refusal
    init(_ helperProtocol: (any HelperProtocol.Type)?, _ refusal: Refusal) {
      (self.helperProtocol, self.refusal) = (helperProtocol, refusal)
    }

    func refusal(of failure: Failure) -> Refusal {
      if SignInChild.isThis { return SignInChild.refusal }
      return helperProtocol?.refusal(of: failure) ?? refusal
    }

    func becomes(_ output: String) {
      guard output != OutputFormat.json.rawValue else { return }
      refusal = OutputFormat.refusal(named: output)
      CrashAnswer.silence()
    }
  }
}
