import Foundation
import Testing

@testable import LoginCore
@testable import TestSupport

/// A login at one of the servers with the real program.
struct Login {
  /// The command-line options that name the server and the client.
  let options: [String]
  let secret: String

  /// A login at oidc-provider-mock, which accepts any client with a secret.
  static func mock(secret: String = "secret") throws -> Login {
    let redirect = "http://127.0.0.1/done"
    return Login(
      options: common + ["--issuer", try Servers.running().mock["base"], "--redirect-uri", redirect],
      secret: secret)
  }

  /// A login at an issuer of glewlwyd.
  static func glewlwyd(_ issuer: String = "oidc", at server: Server? = nil) throws -> Login {
    let base = (try server ?? Servers.running().glewlwyd)["base"]
    return Login(
      options: common + ["--issuer", "\(base)/api/\(issuer)", "--redirect-uri", "https://app.example/done"],
      secret: "a-secret-of-both-with-0123456789")
  }

  private static let common = ["login", "--client-id", "me", "--scope", "openid profile"]

  func with(_ more: String...) -> Login { with(more) }

  func with(_ more: [String]) -> Login { Login(options: options + more, secret: secret) }

  /// The login through the front that signs in without JavaScript. glewlwyd's own page is a script.
  func signingIn(_ issuer: String = "oidc", password: String = "Pass-word1", at server: Server? = nil) throws
    -> Login
  {
    let front = (try server ?? Servers.running().glewlwyd)["front"]
    return with("--endpoint", "authorization=\(front)/anna/\(password)/\(issuer)")
  }

  /// Runs the login with a headless test.
  func headless(_ more: String...) async throws -> Answer {
    try await run(options + ["--headless-test"] + more)
  }

  /// Uses a refresh token.
  func refresh(_ token: String) async throws -> Answer {
    try await run(options + ["--options", "-"], input: #"{"refresh_token":"\#(token)"}"#)
  }

  /// Renews a printed token.
  func renewal(of token: Answer) async throws -> Answer {
    try await run(options + ["--token-file", "-"], input: token.text)
  }

  /// Asks the provider for the user of a printed token.
  func userinfo(with token: Answer, _ more: String...) async throws -> Answer {
    let place = options.firstIndex(of: "--issuer").map { Array(options[$0...($0 + 1)]) } ?? []
    return try await run(
      ["userinfo", "--client-id", "me", "--token-file", "-"] + place + more, input: token.text)
  }

  private func run(_ arguments: [String], input: String = "") async throws -> Answer {
    try await Self.run(arguments, input: input, environment: ["TOKENTRY_CLIENT_SECRET": secret])
  }

  /// A new store for accounts and clients.
  static func store() throws -> String { try "file:\(Servers.running().folder)/\(UUID().uuidString)" }

  /// Runs any command.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) async throws -> Answer {
    let program = try started(arguments, environment)
    try program.write(input)
    try program.closeInput()
    return try await Answer(of: program)
  }

  /// Starts the program with other arguments, without a display.
  func started(_ arguments: [String]) throws -> Program {
    try Self.started(arguments, ["TOKENTRY_CLIENT_SECRET": secret])
  }

  private static func started(_ arguments: [String], _ environment: [String: String]) throws -> Program {
    try Program(
      Desk.program("tokentry"), arguments,
      environment: ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"].merging(environment) { $1 },
      errorPath: "\(Servers.running().folder)/\(UUID().uuidString)")
  }

  /// Starts the login with the window.
  func window(on desk: Desk) throws -> Program {
    try Program(
      Desk.program("tokentry"), options + ["--way", "window", "-vv"],
      environment: desk.environment.merging(["TOKENTRY_CLIENT_SECRET": secret]) { $1 },
      errorPath: "\(desk.folder)/\(UUID().uuidString)")
  }
}

/// The answer of the program.
struct Answer {
  let status: Int32
  let text: String
  let errors: String
  private let members: [String: Any]
  /// The seconds since 1970 in which the program ran.
  private let run: ClosedRange<Int>

  /// Waits until the program has ended.
  init(of program: Program) async throws {
    status = try #require(await program.end(), "\(program.errors)")
    let start = Int(program.start.timeIntervalSince1970)
    run = start...max(start, Int(Date().timeIntervalSince1970))
    (text, errors) = (program.text, program.errors)
    members = try Self.object(text.utf8)
  }

  subscript(_ name: String) -> String? { members[name] as? String }

  /// True if the token was valid for this time when it was received. It was received at some moment of the run, and
  /// `expires_in` was computed between then and the end of the run.
  func lasted(_ seconds: Int) -> Bool {
    guard let left = members["expires_in"] as? Int,
      let end = self["expires_at"].flatMap({ UTCDate($0) })
    else { return false }
    let receipt = Int(end.secondsSince1970) - seconds
    guard run.contains(receipt) else { return false }
    return (max(0, seconds - (run.upperBound - receipt))...seconds).contains(left)
  }

  var checks: [String: String] { members["checks"] as? [String: String] ?? [:] }

  var claims: [String: Any] { members["claims"] as? [String: Any] ?? [:] }

  var details: [String: String] { members["details"] as? [String: String] ?? [:] }

  /// The signature algorithm of the id_token.
  func algorithm() throws -> String? {
    var header = try #require(self["id_token"]?.split(separator: ".").first.map(String.init))
    header = header.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    header += String(repeating: "=", count: (4 - header.count % 4) % 4)
    return try Self.object(#require(Data(base64Encoded: header)))["alg"] as? String
  }

  private static func object(_ bytes: some Sequence<UInt8>) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }
}
