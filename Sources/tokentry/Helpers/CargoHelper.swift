import GLibSupport
import Glibc
import LoginCore
import Wording

/// Cargo's credential provider (The Cargo Book, "Credential Provider Protocol"): requests and answers in lines of JSON.
/// `login` is the only one by which cargo says that somebody is there.
struct CargoHelper: HelperProtocol {
  static let name = "cargo"
  static let callers = "cargo"
  static let setUp = [
    #"[registries.NAME]"#, #"credential-provider = ["tokentry"]   in ~/.cargo/config.toml"#,
  ]
  /// What it puts in front of the arguments in place of a name of ours.
  static let argument = "--cargo-plugin"

  private let desk: TokenBroker

  init(_ desk: TokenBroker) throws(Failure) {
    self.desk = desk
    try desk.checkArguments([])
  }

  func text() async throws(Failure) -> String {
    let output = StreamedOutput()
    let reader = DescriptorReader(descriptor: STDIN_FILENO)
    func say(_ object: JSONObject) async throws(Failure) {
      desk.log(said: object.text)
      try await output.write(Array((object.text + "\n").utf8))
    }
    try await say(["v": [1]])
    while let line = try? await reader.line(keeping: TokenBroker.maximumInput + 1) {
      try await say(await answer(to: line))
    }
    try output.finish()
    return ""
  }

  @GLibActor
  private func answer(to line: [UInt8]) async -> JSONObject {
    var isLogin = false
    do throws(Failure) {
      let request = try Request(line, desk)
      isLogin = request.kind == Request.login
      return ["Ok": .object(try await request.answer())]
    } catch {
      desk.run.messages.report(error, isSaid: false)
      return ["Err": .object(Self.words(for: error, isLogin))]
    }
  }

  /// Cargo says of what is not found that a login helps.
  private static func words(for failure: Failure, _ isLogin: Bool) -> JSONObject {
    switch failure {
    case _ where failure.isOfOtherServer: ["kind": "url-not-supported"]
    case .user where !isLogin: ["kind": "not-found"]
    case _ where failure.isOfOperation: ["kind": "operation-not-supported"]
    default: ["kind": "other", "message": .string(Report(failure).message.source)]
    }
  }

  /// One request of its.
  struct Request {
    static let login = "login"

    let kind: String
    private let desk: TokenBroker
    private let registry: String
    private let hasToken: Bool

    init(_ line: [UInt8], _ desk: TokenBroker) throws(Failure) {
      let members = try desk.members(of: line)
      if let token = members["token"]?.string { Messages.hide(token) }
      desk.log(heard: line)
      guard members["v"] == 1, let kind = members["kind"]?.string,
        let registry = members["registry"]?.object?["index-url"]?.string,
        let words = (members["args"] ?? []).array,
        case let arguments = words.compactMap(\.string), arguments.count == words.count
      else { throw desk.malformed }
      self.kind = kind
      self.registry = registry.hasPrefix("sparse+") ? String(registry.dropFirst(7)) : registry
      hasToken = members["token"]?.string != nil
      let invocation = try Invocation([Command.helper.rawValue, CargoHelper.name] + arguments)
      var settings = invocation.settings
      settings.fill(from: desk.given)
      self.desk = TokenBroker(settings, desk.run, mayAsk: kind == Self.login)
      try self.desk.checkArguments([])
    }

    @GLibActor
    func answer() async throws(Failure) -> JSONObject {
      switch kind {
      // A token that somebody brings is none of an account's.
      case Self.login where !hasToken: _ = try await account()
      case "logout": try await desk.signOut(of: try await desk.kept(at: registry))
      case "get": return try await token()
      default: throw .helper(.notHere(caller: CargoHelper.name, kind))
      }
      return ["kind": .string(kind)]
    }

    @GLibActor
    private func account() async throws(Failure) -> Account { try await desk.account(at: registry) }

    @GLibActor
    private func token() async throws(Failure) -> JSONObject {
      let account = try await account()
      let end = account.token.expiresAt
      return [
        "kind": "get", "token": .string(try account.authorization()),
        "cache": end == nil ? "session" : "expires",
        "expiration": end.map { .number(JSONNumber($0.secondsSince1970)) }, "operation_independent": true,
      ]
    }
  }
}
