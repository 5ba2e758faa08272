import GLibSupport
import Glibc
import LoginCore
import Wording

/// A life of this program as its own child in a session of its own, which gets a token for a caller that does not wait
/// for somebody to sign in: it goes on, however its parent ends. The store and the turn at the account are what both
/// have in common.
enum SignInChild {
  /// What makes this program such a child: no option, so that no command line of a user does. The command line of the
  /// parent comes behind it.
  static let argument = "sign-in-for-helper:"

  /// Whether this is one.
  static let isThis = CommandLine.arguments.dropFirst().first == argument

  /// How the parent is told of a failure, if it is still there.
  static let refusal = Refusal(output: { Messages.told($0).text + "\n" }, isSaid: false)

  /// The most that it says.
  private static let maximumOutput = 64 * 1_024

  /// Starts one, and waits until it has got a token; what it has failed with is the failure of this program, too.
  @GLibActor
  static func end(_ run: Composition) async throws(Failure) {
    guard let executable = run.environment.executable else { throw .defect(.here()) }
    let process: DetachedProcess
    do throws(SystemError) {
      process = try DetachedProcess(
        [executable, argument] + HelperProtocols.arguments(CommandLine.arguments), isHeard: true)
    } catch {
      throw .defect(.here(error.message))
    }
    guard let output = process.output else { throw .defect(.here()) }
    defer { close(output) }
    let told: [UInt8]?
    do throws(SystemError) {
      told = try await DescriptorReader(descriptor: output).all(upTo: maximumOutput)
    } catch {
      throw .defect(.here(error.message))
    }
    guard let told, !told.isEmpty else { return }
    throw .repeated((try? JSONReader.read(told))?.object ?? [:])
  }
}
