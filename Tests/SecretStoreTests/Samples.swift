import Foundation
import GLibSupport
@testable import LoginCore
import TestSupport
import Testing

/// Accounts and clients for the tests.
enum Sample {
  static func name(_ text: String) throws -> AccountName { try #require(AccountName(text)) }

  static func client(at issuer: String) throws -> (RegisteredClient, ClientSlot) {
    var provider = Provider()
    provider.issuer = try Issuer(issuer)
    let json: JSONObject = [
      "client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "client_secret_basic",
    ]
    return (
      try #require(RegisteredClient(json: json)),
      try #require(ClientSlot(provider, RedirectURI("https://app.example/done")))
    )
  }

  static func account(_ name: AccountName, token: String) throws -> Account {
    let login = LoginRequest(
      provider: Provider(), clientID: "client", redirectURI: try RedirectURI("https://app.example/done"))
    let token = try #require(Token(json: ["access_token": .string(token), "token_type": "Bearer"]))
    return Account(
      name, login: login, token: token, receivedAt: try #require(UTCDate("2026-11-21T07:14:00Z")))
  }
}

/// A folder that is removed with this object.
final class TemporaryFolder: Sendable {
  let path =
    FileManager.default.temporaryDirectory.path(percentEncoded: false) + "/store-\(UUID().uuidString)"

  init() { mkdir(path, 0o700) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The permissions of a file below the folder.
  func mode(_ name: String) throws -> mode_t {
    var status = stat()
    try #require(lstat("\(path)/\(name)", &status) == 0)
    return status.st_mode & 0o7777
  }

  /// The names of the files in a subfolder.
  func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)")
  }
}

/// Expects a failure with this code and returns it.
@discardableResult
func expectFailure(
  _ code: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ work: () async throws -> Void
) async -> Failure? {
  do {
    try await work()
    Issue.record("no failure", sourceLocation: sourceLocation)
    return nil
  } catch {
    let failure = error as? Failure
    #expect(failure?.code.description == code, sourceLocation: sourceLocation)
    return failure
  }
}

/// Notes in the order in which they are made.
@GLibActor
final class Order {
  private(set) var notes: [String] = []
  func note(_ text: String) { notes.append(text) }
}

/// A task that runs on the main loop at the same time as the test.
@GLibActor
final class GLibActorTask {
  private let task: Task<Void, Never>

  init(_ body: @escaping @GLibActor @Sendable () async -> Void) { task = GLibActor.task(body) }

  func cancel() { task.cancel() }
  func end() async { await task.value }

  /// Waits long enough for the task to reach the point where it waits.
  func afterAWhile() async { try? await pause(for: .milliseconds(100)) }
}
