import GLibSupport
import LoginCore
import SignIn

/// The credential helper of docker and similar programs (docker/docker-credential-helpers, `credentials/`): a verb as the
/// argument, a server on standard input, and one JSON object as the answer.
struct DockerHelper: HelperProtocol {
  static let name = "docker"
  static let link: String? = "docker-credential-tokentry"
  static let callers = "docker, podman, skopeo, buildah"
  static let settings = [".docker/config.json"]
  static let setUp = [#"{"credHelpers": {"registry.example": "tokentry"}}   in ~/.docker/config.json"#]

  private let broker: TokenBroker
  private let verb: String

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    guard broker.arguments.count == 1, let verb = broker.arguments.first,
      ["get", "store", "erase", "list", "version"].contains(verb)
    else { throw broker.malformed }
    self.verb = verb
  }

  /// These programs read errors from standard output, and go on without credentials after this sentence.
  static func refusal(of failure: Failure) -> Refusal {
    if failure.isOfOtherServer {
      return Refusal(
        output: { _ in "credentials not found in native keychain\n" }, isSaid: false, status: 1)
    }
    return Refusal(output: { "\($0.failure.message)\n" }, isSaid: false)
  }

  func text() async throws(Failure) -> String {
    switch verb {
    case "get": return try await answer(for: try await broker.input())
    case "list": return try await list()
    case "version": return "\(Self.link ?? Self.name) (tokentry) \(Version.program)\n"
    case "store":
      _ = try await broker.input()
      throw Failure(
        .invalidConfiguration, "tokentry keeps no passwords; `tokentry login` signs in to a registry")
    default:
      // There is no kept password to erase. A failure would make the podman and skopeo of Debian 12 overflow their stack.
      _ = try await broker.input()
      broker.shared.messages.warning("the account stays; `tokentry logout` signs out of it")
      return ""
    }
  }

  /// Lists the registries for which accounts were made. A registry with several accounts is left out,
  /// because it is not clear which one is meant.
  @GLibActor
  private func list() async throws(Failure) -> String {
    var (object, names) = (JSONObject(), [String]())
    for account in try await broker.tokens.accounts() {
      if account["token_type"]?.string?.lowercased() == "dpop" { continue }
      for origin in (account["for"]?.array ?? []).compactMap(\.string) {
        object[origin] = names.contains(origin) ? nil : .string(Self.noUser)
        names.append(origin)
      }
    }
    return object.text + "\n"
  }

  /// Registries take this name for one that is not used.
  private static let noUser = "<token>"

  static var arguments: [Option] { SetUpWishes.options }

  static func user(of account: Account) -> String? { account.login.provider.profile.registryUser }

  private func answer(for input: [UInt8]) async throws(Failure) -> String {
    guard let line = String(validating: input, as: UTF8.self),
      case let server = line.hasSuffix("\n") ? String(line.dropLast()) : line,
      server.utf8.allSatisfy(\.isVisible)
    else { throw broker.malformed }
    // These programs know the sentence.
    if server.isEmpty { throw Failure(.invalidOption, "no credentials server URL") }
    let granted = try await broker.token(atServer: server)
    let object: JSONObject = [
      "ServerURL": .string(server),
      "Username": .string(granted.user ?? Self.noUser),
      "Secret": .string(try granted.sendableToken().revealed()),
    ]
    return object.text + "\n"
  }
}
