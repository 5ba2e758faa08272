import GLibSupport
import Glibc
import LoginCore
import Platform
import SignIn

/// Cargo's credential provider (The Cargo Book, "Credential Provider Protocol"): requests and answers in lines of JSON. The
/// user may be asked only for the request `login`.
struct CargoHelper: HelperProtocol {
  static let name = "cargo"
  static let callers = "cargo"
  static let settings = [".cargo/config.toml"]
  static let setUp = [
    #"[registries.NAME]"#, #"credential-provider = ["tokentry"]   in ~/.cargo/config.toml"#,
  ]
  /// Cargo passes this argument first.
  static let argument = "--cargo-plugin"

  static var arguments: [Option] { SetUpWishes.options }

  private let broker: TokenBroker

  init(_ broker: TokenBroker) throws(Failure) {
    self.broker = broker
    try broker.checkArguments([])
  }

  func text() async throws(Failure) -> String {
    let output = StreamedOutput()
    let reader = DescriptorReader(descriptor: STDIN_FILENO)
    func say(_ object: JSONObject, _ broker: TokenBroker) async throws(Failure) {
      broker.log(said: object.text)
      try await output.write(Array((object.text + "\n").utf8))
    }
    try await say(["v": [1]], broker)
    while let line = try? await reader.line(keeping: TokenBroker.maximumInput + 1) {
      let (answer, broker) = await answer(to: line)
      try await say(answer, broker)
    }
    try output.finish()
    return ""
  }

  @GLibActor
  private func answer(to line: [UInt8]) async -> (JSONObject, TokenBroker) {
    var (isLogin, broker) = (false, broker)
    do throws(Failure) {
      let request = try await Request(line, broker)
      (isLogin, broker) = (request.kind == Request.login, request.broker)
      return (["Ok": .object(try await request.answer())], broker)
    } catch {
      broker.shared.messages.report(error, isSaid: false)
      return (["Err": .object(Self.json(of: error, isLogin))], broker)
    }
  }

  private static func json(of failure: Failure, _ isLogin: Bool) -> JSONObject {
    if failure.isOfOtherServer { return ["kind": "url-not-supported"] }
    // For `not-found`, cargo tells its user that a login helps.
    if [.cancelled, .loginRequired].contains(failure.code), !isLogin { return ["kind": "not-found"] }
    if failure.kind == .unsupported { return ["kind": "operation-not-supported"] }
    return ["kind": "other", "message": .string(failure.message.description)]
  }

  private struct Request {
    static let login = "login"

    let kind: String
    /// Has read the arguments as well.
    let broker: TokenBroker
    private let registry: String
    private let hasToken: Bool

    @GLibActor
    init(_ line: [UInt8], _ broker: TokenBroker) async throws(Failure) {
      let members = try broker.members(of: line)
      if let token = members["token"]?.string { Messages.hide(token) }
      guard members["v"] == 1, let kind = members["kind"]?.string,
        let registry = members["registry"]?.object?["index-url"]?.string,
        let words = (members["args"] ?? []).array,
        case let arguments = words.compactMap(\.string), arguments.count == words.count
      else {
        broker.log(heard: line)
        throw broker.malformed
      }
      self.kind = kind
      self.registry = registry.hasPrefix("sparse+") ? String(registry.dropFirst(7)) : registry
      hasToken = members["token"]?.string != nil
      self.broker = try await broker.reread(arguments, mayAsk: kind == Self.login)
      self.broker.log(heard: line)
      try self.broker.checkArguments([])
    }

    @GLibActor
    func answer() async throws(Failure) -> JSONObject {
      switch kind {
      // A token that the user brings does not come from an account.
      case Self.login where !hasToken: _ = try await broker.token(at: registry)
      case "logout": try await signOut()
      case "get": return try await token()
      default: throw .unsupported(kind, by: CargoHelper.name)
      }
      return ["kind": .string(kind)]
    }

    /// Revokes the account's tokens at the provider, and keeps the account for the next login.
    @GLibActor
    private func signOut() async throws(Failure) {
      let wish = broker.wish(TokenWish.Address(url: registry))
      let name = try await KeptAccounts(store: try broker.shared.store).account(for: wish).name
      _ = try await SignIn(broker.shared.host, broker.signIn).signOut(of: name, keepingAccount: true)
    }

    @GLibActor
    private func token() async throws(Failure) -> JSONObject {
      let granted = try await broker.token(at: registry)
      let end = granted.token.expiresAt
      return [
        "kind": "get", "token": .string(try granted.authorization()),
        "cache": end == nil ? "session" : "expires",
        "expiration": end.map { .number(JSONNumber($0.secondsSince1970)) }, "operation_independent": true,
      ]
    }
  }
}
