import GLibSupport
import LoginCore
import Wording

/// The credential helper of docker and its kin (docker/docker-credential-helpers, `credentials/`): a verb in the
/// argument, a server on standard input, and one JSON object as the answer.
struct DockerHelper: HelperProtocol {
  static let name = "docker"
  static let link: String? = "docker-credential-tokentry"
  static let callers = "docker, podman, skopeo, buildah"
  static let setUp = [#"{"credHelpers": {"registry.example": "tokentry"}}   in ~/.docker/config.json"#]

  private let desk: TokenBroker
  private let verb: String

  init(_ desk: TokenBroker) throws(Failure) {
    self.desk = desk
    guard desk.arguments.count == 1, let verb = desk.arguments.first,
      ["get", "store", "erase", "list"].contains(verb)
    else { throw desk.malformed }
    self.verb = verb
  }

  /// These programs read errors from standard output, and know one sentence by heart.
  static func refusal(of failure: Failure) -> Refusal {
    if failure.isOfOtherServer {
      return Refusal(
        output: { _ in "credentials not found in native keychain\n" }, isSaid: false, status: 1)
    }
    return Refusal(output: { $0.message.source + "\n" }, isSaid: false)
  }

  func text() async throws(Failure) -> String {
    // Whatever they would keep or forget is a copy of what is kept here.
    switch verb {
    case "get": return try await answer(for: try await desk.input())
    case "list": return try await list()
    default:
      _ = try await desk.input()
      return ""
    }
  }

  /// The registries that accounts were made for, each with the name of its user; of those for which there are several
  /// nobody knows which one is meant.
  @GLibActor
  private func list() async throws(Failure) -> String {
    var (object, names) = (JSONObject(), [String]())
    for stored in try await desk.run.store.list() {
      guard case .account(let account) = stored.contents, !account.token.isBound else { continue }
      for origin in account.origins.map(\.description) {
        object[origin] = names.contains(origin) ? nil : .string(Self.user(of: account))
        names.append(origin)
      }
    }
    return object.text + "\n"
  }

  private static func user(of account: Account) -> String {
    account.login.provider.registryUser ?? "<token>"
  }

  private func answer(for input: [UInt8]) async throws(Failure) -> String {
    guard let line = String(validating: input, as: UTF8.self),
      case let server = line.hasSuffix("\n") ? String(line.dropLast()) : line,
      !server.isEmpty, server.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw desk.malformed }
    let account = try await desk.account(atServer: server)
    let object: JSONObject = [
      "ServerURL": .string(server),
      "Username": .string(Self.user(of: account)),
      "Secret": .string(try account.sendableToken().revealed()),
    ]
    return object.text + "\n"
  }
}
