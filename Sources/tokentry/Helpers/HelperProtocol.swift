import GLibSupport
import LoginCore
import Wording

/// How one kind of program asks its helper for a token, and what it wants to hear: a helper's name, its arguments, its
/// standard input and the environment are the program's to choose, and so is what standard output and status mean.
protocol HelperProtocol: Sendable {
  /// What it is called on the command line.
  static var name: String { get }
  /// The name of the file as which the programs look for their helper, if they look for one.
  static var link: String? { get }
  /// The programs that run it.
  static var callers: String { get }
  /// The lines that set it up.
  static var setUp: [String] { get }
  /// The options that it takes besides those of every helper.
  static var options: [Option] { get }
  /// Whether the programs choose all of its arguments, so that no word of them is an option of ours.
  static var hasArgumentsOfItsOwn: Bool { get }

  /// Where the programs look for it.
  static func places(in environment: Environment) -> [String]
  /// Whether the program says that somebody is there who can be asked to sign in.
  static func mayAsk(_ settings: Settings, _ environment: Environment) -> Bool
  /// What the program is told of a failure.
  static func refusal(of failure: Failure) -> Refusal

  /// Reads the arguments.
  init(_ desk: TokenBroker) throws(Failure)
  /// Carries the dialogue out, and returns what is left to be said on standard output.
  @GLibActor func text() async throws(Failure) -> String
}

extension HelperProtocol {
  static var link: String? { nil }
  static var options: [Option] { [] }
  static var hasArgumentsOfItsOwn: Bool { false }
  static func places(in environment: Environment) -> [String] {
    [environment.program(link ?? "tokentry")].compactMap(\.self)
  }
  static func mayAsk(_ settings: Settings, _ environment: Environment) -> Bool { false }
  static func refusal(of failure: Failure) -> Refusal { .silent }

  /// All options that it takes.
  static var allOptions: [Option] {
    options + [.account, .store, .minValid].filter { !options.contains($0) }
      + OptionGroup.asking.filter { !options.contains($0) }
  }
}

/// The table of those that are known.
enum HelperProtocols {
  static let all: [any HelperProtocol.Type] = [
    GitHelper.self, DockerHelper.self, CargoHelper.self, BazelHelper.self, TerraformHelper.self,
    KubernetesHelper.self, KeyringHelper.self, GoogleHelper.self, FreeRDPHelper.self, HeadersHelper.self,
  ]

  static func named(_ name: String) -> (any HelperProtocol.Type)? { all.first { $0.name == name } }

  /// The arguments of the program, with what its own name says in front of them: most programs find their helper by
  /// the name of its file, and give it no arguments of ours.
  static func arguments(_ words: [String]) -> [String] {
    let arguments = Array(words.dropFirst())
    if arguments.first == SignInChild.argument { return Array(arguments.dropFirst()) }
    if arguments.first == CargoHelper.argument {
      return [Command.helper.rawValue, CargoHelper.name] + arguments.dropFirst()
    }
    let name = words.first?.parts(at: "/").last
    guard let helperProtocol = all.first(where: { $0.link != nil && $0.link == name }) else {
      return arguments
    }
    return [Command.helper.rawValue, helperProtocol.name] + arguments
  }
}
