import Foundation
import Testing

/// `tokentry demo --serve` in a process of its own, and a user with a store. It ends with this object.
final class RunningDemo {
  /// The document that the provider printed.
  let document: [String: Any]
  private let provider: RunningTokentry
  private let folder: TemporaryFolder

  /// The user's part in a login with pages.
  static let form = ["username=ada", "password=demo", "decision=allow"].flatMap { ["--form", $0] }

  /// The store is in `folder`, which several providers may share.
  init(_ options: [String] = ["--user", "ada"], in folder: TemporaryFolder = TemporaryFolder()) throws {
    let started = try RunningTokentry(["demo", "--serve", "--port", "0"] + options)
    (provider, self.folder) = (started, folder)
    waitUntil { started.output.hasSuffix("\n") || !started.isRunning }
    let object = try JSONSerialization.jsonObject(with: Data(started.output.utf8))
    document = try #require(object as? [String: Any])
  }

  deinit { provider.end(SIGTERM) }

  var issuer: String { document["issuer"] as? String ?? "" }
  var environment: [String: String] { ["TOKENTRY_STORE": "file:\(folder.path)/store"] }

  func run(_ arguments: [String], input: String = "") throws -> Outcome {
    try Tokentry.run(arguments, input: input, environment: environment)
  }

  /// Signs in without a page.
  func login(_ options: [String] = [], scope: String = "openid profile", input: String = "") throws -> Outcome
  {
    let client = ["--issuer", issuer, "--client-id", "tokentry-demo"]
    return try run(["login"] + client + ["--scope", scope, "--headless-test"] + options, input: input)
  }

  /// Switches these faults on, such as `denied` or `token-500=2`, and all others off.
  func faults(_ names: String...) throws {
    try post("faults", names.map { $0.contains("=") ? $0 : $0 + "=on" })
  }

  /// Sends a form, such as `token_life=10` to the page at `/`.
  func post(_ path: String, _ form: [String] = []) throws {
    let outcome = try Command.run(
      ["/usr/bin/curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-d", form.joined(separator: "&")]
        + ["\(issuer)/\(path)"])
    #expect(outcome.output == "303", "\(outcome)")
  }

  /// The record of what the provider has seen.
  func log() throws -> Outcome { try Command.run(["/usr/bin/curl", "-sS", issuer + "/log"]) }

  /// A number of the record, such as `sign_ins`.
  func count(_ name: String) throws -> Int? { try log()[name] as? Int }

  /// The requests for a path, or all of them.
  func requests(at path: String? = nil) throws -> [[String: Any]] {
    let all = try #require(log()["requests"] as? [[String: Any]])
    return all.filter { path == nil || $0["path"] as? String == path }
  }
}
