import GLibSupport
import Glibc
import GnuTLSCrypto
import Language
import LoginCore
import Platform
import SignIn

/// Opens a page in the desktop's browser. The portal refuses a process that cannot be debugged, which is true of the one
/// with the secrets, so that one starts this program again in this mode.
enum DesktopChild {
  /// The argument that selects this mode. It is not an option, so that no user can set it by accident.
  static let argument = "open-in-desktop-browser:"

  private static let maximumLength = 1_024 * 1_024

  /// Opens the page whose address is on standard input, and closes standard output once the browser has been started.
  /// Returns the exit status: 0 if the page is open.
  static func run() -> Int32 {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(STDIN_FILENO, &chunk, chunk.count), count > 0 {
      bytes += chunk[..<count]
      if bytes.count > maximumLength { return 1 }
    }
    // The browser inherits these descriptors.
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { dup2(null, descriptor) }
    let address = String(decoding: bytes, as: UTF8.self)
    guard address.hasPrefix("https://") || address.hasPrefix("http://") else { return 1 }
    return DesktopBrowser.open(address) { close(StandardOutput.descriptor) } ? 0 : 1
  }
}

/// Takes an address with a registered scheme to the login that waits for it. The desktop starts this program in this mode.
enum CallbackChild {
  /// The argument that selects this mode. The address follows it.
  static let argument = "take-callback:"

  /// Returns the exit status: 0 if a login has accepted the address.
  static func run(_ callback: String, folders: SchemeRegistration.Folders?) -> Int32 {
    if let folders { SchemeRegistration.endAbandoned(in: folders) }
    switch ending(callback) {
    case .taken: return 0
    case .refused: Messages().report(.malformedCallback("it is not the answer to this login"))
    case .nobodyWaits:
      Messages().report(Failure(.cancelled, "no sign-in is waiting for this answer"))
      DesktopNotification.show(DesktopText.lostAnswer.title.text, DesktopText.lostAnswer.sentence.text)
    }
    return 1
  }

  private static func ending(_ callback: String) -> CallbackHandover.Ending {
    guard let name = try? LoginBusName(ofCallback: callback, cryptography: GnuTLSCryptography()) else {
      return .nobodyWaits
    }
    return CallbackHandover.hand(callback, to: name.text)
  }
}

/// Runs a command whose caller does not wait until the user has signed in. This process has a session of its own, so it goes
/// on when its parent has ended. Helpers' processes use the same store as their parents, and take turns at the account.
enum SignInChild {
  /// The argument that selects this mode. The arguments of the parent are on standard input, because every user can read
  /// command lines, and the address of a page belongs to the sign-in.
  static let argument = "sign-in-for-helper:"

  /// True if this process runs in this mode.
  static let isThis = CommandLine.arguments.dropFirst().elementsEqual([argument])

  /// Reports a failure to the parent, if it still runs.
  static let refusal = Refusal(output: { $0.failure.redactedReport.text + "\n" }, isSaid: false)

  private static let maximumOutput = 64 * 1_024

  /// Reads the arguments of the parent.
  static func arguments() -> [String] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(STDIN_FILENO, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self).parts(at: "\0").dropLast()
  }

  /// Starts such a process and waits until it closes its output. Throws the failure that it reports.
  @GLibActor
  static func signIn(_ shared: Composition) async throws(Failure) {
    guard let executable = shared.environment.executable else { throw .defect() }
    let arguments = HelperProtocols.arguments(CommandLine.arguments)
    let process = try failing(
      DetachedProcess(
        [executable, argument], input: arguments.flatMap { Array($0.utf8) + [0] }, isHeard: true)
    ) { (error: SystemError) in .defect(error.message) }
    guard let output = process.output else { throw .defect() }
    defer { close(output) }
    let told: [UInt8]?
    do throws(SystemError) {
      told = try await DescriptorReader(descriptor: output).all(upTo: maximumOutput)
    } catch {
      throw .defect(error.message)
    }
    guard let told, !told.isEmpty else { return }
    throw (try? JSONReader.read(told))?.object.flatMap(Failure.init(report:)) ?? .defect("malformed report")
  }
}
