import CLinux
import GLibSupport
import Glibc
import LoginCore
import Wording

/// FreeRDP's helper for sign-ins at Entra (FreeRDP, `client/common/aad-helper-protocol.md`): JSON-RPC in lines over two
/// descriptors that it inherits. It hands out no token, but takes the user to pages, with the same cookies for as long as
/// FreeRDP is connected.
struct FreeRDPHelper: HelperProtocol {
  static let name = "freerdp"
  static let link: String? = "freerdp-webview-aad-helper"
  static let callers = "FreeRDP"
  static let setUp = ["xfreerdp /azure:auth-helper:$(command -v freerdp-webview-aad-helper) FILE.rdp"]
  static let hasArgumentsOfItsOwn = true

  /// Beside its programs, unless it is told another place.
  static func places(in environment: Environment) -> [String] {
    let clients = ["xfreerdp", "xfreerdp3", "sdl-freerdp", "sdl-freerdp3"].compactMap(environment.program)
    return clients.compactMap { client in
      client.lastIndex(of: "/").map { client[...$0] + "freerdp-webview-aad-helper" }
    }
  }

  static func mayAsk(_ settings: Settings, _ environment: Environment) -> Bool { true }

  private let desk: TokenBroker
  private let input: Int32
  private let output: Int32

  init(_ desk: TokenBroker) throws(Failure) {
    self.desk = desk
    var descriptors: [String: Int32] = [:]
    for word in desk.arguments {
      let (flag, value) = word.splitOnce(at: "=")
      guard descriptors[flag] == nil, let value, value.hasPrefix("P"),
        let descriptor = Int32(value.dropFirst(), radix: 16), descriptor > STDERR_FILENO,
        fcntl(descriptor, F_SETFD, FD_CLOEXEC) != -1
      else { throw desk.malformed }
      descriptors[flag] = descriptor
    }
    guard descriptors.count == 2, let input = descriptors["--cmdInFd"], let output = descriptors["--cmdOutFd"]
    else { throw desk.malformed }
    (self.input, self.output) = (input, output)
  }

  func text() async throws(Failure) -> String {
    // A connection lasts as long as it lasts.
    desk.run.interruption.pauseDeadline()
    let dialogue = RemoteDesktopDialogue(desk, output: output)
    let reader = DescriptorReader(descriptor: input)
    while let line = try? await reader.line(keeping: TokenBroker.maximumInput + 1) {
      if try await dialogue.hear(line) == .end { break }
    }
    await dialogue.end()
    return ""
  }
}
