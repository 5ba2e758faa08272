import GLibSupport
import LoginCore
import Platform

/// The protocol in which one kind of program asks its helper for a token. The program decides the helper's name, its
/// arguments, its input and environment, and the meaning of its output and status.
protocol HelperProtocol: Sendable {
  /// The name on the command line.
  static var name: String { get }
  /// The file name by which the programs look for their helper, if they do.
  static var link: String? { get }
  /// The programs that use it.
  static var callers: String { get }
  /// Lines for people that show how to set it up.
  static var setUp: [String] { get }
  /// True if the programs choose all arguments, so that none of them is an option of ours.
  static var hasArgumentsOfItsOwn: Bool { get }

  /// The options that no other part of this program has.
  static var arguments: [Option] { get }
  /// Further options: those that describe a login, or a page.
  static var loginOptions: [Option] { get }

  /// True if the helper is for the user who runs it as root with sudo: a window must not be root's.
  static var leavesRoot: Bool { get }

  /// The paths at which the programs look for their helper.
  static func places(in environment: Environment) -> [String]
  /// The files in which a user sets the helper up, below the home folder. Empty if only its place counts, or it is set up elsewhere.
  static var settings: [String] { get }
  /// True if the program allows its helper to ask the user to sign in.
  static func mayAsk(_ environment: Environment) -> Bool
  /// Returns the account that fulfils a program's wish. This runs where the accounts are kept.
  @GLibActor static func account(
    for wish: TokenWish, in kept: KeptAccounts
  ) async throws(Failure) -> Account
  /// The user name that the program wants beside the token.
  static func user(of account: Account) -> String?
  /// The answer to the program if there is no token.
  static func refusal(of failure: Failure) -> Refusal

  /// Reads the arguments.
  init(_ broker: TokenBroker) throws(Failure)
  /// Runs the dialogue. Returns the rest of the text for standard output.
  @GLibActor func text() async throws(Failure) -> String
}

extension HelperProtocol {
  static var link: String? { nil }
  static var hasArgumentsOfItsOwn: Bool { false }
  static var arguments: [Option] { [] }
  static var loginOptions: [Option] { [] }
  static var leavesRoot: Bool { false }
  static var settings: [String] { [] }
  static func places(in environment: Environment) -> [String] {
    [environment.program(link ?? "tokentry")].compactMap(\.self)
  }
  static func mayAsk(_ environment: Environment) -> Bool { false }
  static func account(for wish: TokenWish, in kept: KeptAccounts) async throws(Failure) -> Account {
    try await kept.chosen(for: wish)
  }
  static func user(of account: Account) -> String? { nil }
  static func refusal(of failure: Failure) -> Refusal { .silent }
}

extension HelperProtocol {
  /// All options of the helper.
  static var options: [Option] {
    // The cookie of a VPN gateway is not kept.
    let ofAccounts = AccountWishes.options("account", "min-valid") + PlaceWishes.options("store")
    return arguments + loginOptions + (leavesRoot ? [] : ofAccounts) + Command.asking
  }
}

/// The helpers that exist.
enum HelperProtocols {
  static let all: [any HelperProtocol.Type] = [
    GitHelper.self, DockerHelper.self, CargoHelper.self, BazelHelper.self, TerraformHelper.self,
    KubernetesHelper.self, KeyringHelper.self, GoogleHelper.self, AWSHelper.self, GoHelper.self,
    AzureHelper.self,
    DatabricksHelper.self, FreeRDPHelper.self, HeadersHelper.self,
    OpenFortiVPNHelper.self, OpenConnectHelper.self,
  ]

  static func named(_ name: String) -> (any HelperProtocol.Type)? { all.first { $0.name == name } }

  /// Returns the arguments, with `helper NAME` or `open` in front if this program was started by the name of a link. `words`
  /// begins with that name.
  static func arguments(_ words: [String]) -> [String] {
    let arguments = Array(words.dropFirst())
    if arguments.first == CargoHelper.argument {
      return [Command.helper.rawValue, CargoHelper.name] + arguments.dropFirst()
    }
    let name = words.first?.parts(at: "/").last
    if let name, OpenCommand.links.contains(name) { return [Command.open.rawValue] + arguments }
    let linked = all.first { $0.link != nil && $0.link == name }
    let isMeant = DatabricksHelper.isMeant(by: arguments)
    guard let helperProtocol = linked ?? (isMeant ? DatabricksHelper.self : nil) else { return arguments }
    return [Command.helper.rawValue, helperProtocol.name] + arguments
  }
}
