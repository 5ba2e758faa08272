import Foundation
import Testing

@testable import TestSupport

/// A login at one of the servers, by the real program.
struct Login {
  /// The options that say where and as whom.
  let options: [String]
  let secret: String

  /// At oidc-provider-mock, which takes any client that has a secret.
  static func mock(secret: String = "secret") throws -> Login {
    let redirect = "http://127.0.0.1/done"
    return Login(
      options: common + ["--issuer", try Servers.running().mock["base"], "--redirect-uri", redirect],
      secret: secret)
  }

  /// At an issuer of a glewlwyd.
  static func glewlwyd(_ issuer: String = "oidc", at server: Server? = nil) throws -> Login {
    let base = (try server ?? Servers.running().glewlwyd)["base"]
    return Login(
      options: common + ["--issuer", "\(base)/api/\(issuer)", "--redirect-uri", "https://app.example/done"],
      secret: "a-secret-of-both-with-0123456789")
  }

  private static let common = ["login", "--client-id", "me", "--scope", "openid profile"]

  /// With further options.
  func with(_ more: String...) -> Login { with(more) }

  /// With further options.
  func with(_ more: [String]) -> Login { Login(options: options + more, secret: secret) }

  /// Starts at the front that signs in by itself. The issuer's own page is a script.
  func signingIn(_ issuer: String = "oidc", password: String = "Pass-word1", at server: Server? = nil) throws
    -> Login
  {
    let front = (try server ?? Servers.running().glewlwyd)["front"]
    return with("--authorization-endpoint", "\(front)/anna/\(password)/\(issuer)")
  }

  /// What it comes to without a display.
  func headless(_ more: String...) async throws -> Answer {
    try await run(options + ["--headless-test"] + more)
  }

  /// What a refresh token comes to.
  func refresh(_ token: String) async throws -> Answer {
    try await run(options + ["--request", "-"], input: #"{"refresh_token":"\#(token)"}"#)
  }

  /// What a printed token comes to that is renewed.
  func renewal(of token: Answer) async throws -> Answer {
    try await run(options + ["--token-file", "-"], input: token.text)
  }

  /// Who the provider says a printed token belongs to, unless something else is asked.
  func userinfo(with token: Answer, _ more: String...) async throws -> Answer {
    let place = options.firstIndex(of: "--issuer").map { Array(options[$0...($0 + 1)]) } ?? []
    return try await run(
      ["userinfo", "--client-id", "me", "--token-file", "-"] + place + more, input: token.text)
  }

  private func run(_ arguments: [String], input: String = "") async throws -> Answer {
    try await Self.run(arguments, input: input, environment: ["TOKENTRY_CLIENT_SECRET": secret])
  }

  /// A place for accounts and clients of one test.
  static func store() throws -> String { try "file:\(Servers.running().folder)/\(UUID().uuidString)" }

  /// What any command comes to.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) async throws -> Answer {
    let program = try started(arguments, environment)
    try program.write(input)
    try program.closeInput()
    return try await Answer(of: program)
  }

  /// The program with these arguments in the place of a login's own, and without a display.
  func started(_ arguments: [String]) throws -> Program {
    try Self.started(arguments, ["TOKENTRY_CLIENT_SECRET": secret])
  }

  private static func started(_ arguments: [String], _ environment: [String: String]) throws -> Program {
    try Program(
      Desk.program("tokentry"), arguments,
      environment: ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"].merging(environment) { $1 },
      errorPath: "\(Servers.running().folder)/\(UUID().uuidString)")
  }

  /// Opens its window.
  func window(on desk: Desk) throws -> Program {
    try Program(
      Desk.program("tokentry"), options + ["--agent", "window", "--trace"],
      environment: desk.environment.merging(["TOKENTRY_CLIENT_SECRET": secret]) { $1 },
      errorPath: "\(desk.folder)/\(UUID().uuidString)")
  }
}
