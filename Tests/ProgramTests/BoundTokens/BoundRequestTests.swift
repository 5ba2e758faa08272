import Foundation
import TestSupport
import Testing

/// RFC 9449 sections 7 to 9, for all commands that use the token of an account.
@Suite("Requests with a bound token", .blocking)
struct BoundRequestTests {
  private let folder = TemporaryFolder()

  private func run(_ arguments: [String], input: String = "") throws -> Outcome {
    try Tokentry.run(
      arguments, input: input,
      environment: [
        "TOKENTRY_STORE": "file:\(folder.path)/accounts", "XDG_CONFIG_HOME": folder.path + "/config",
      ])
  }

  /// A provider that is also the API, and an account there whose token is `T1`.
  private func withAccount(
    _ change: @escaping @Sendable (inout BoundBehavior) -> Void = { _ in }, preset: String? = nil,
    _ body: (BoundProvider) throws -> Void
  ) throws {
    let provider = try BoundProvider(change)
    var arguments = BoundLoginTests.arguments(at: provider.server)
    if let preset {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/config/tokentry/providers", withIntermediateDirectories: true)
      try folder.write(
        preset.replacing("BASE", with: provider.server.base), to: "config/tokentry/providers/here.json")
      arguments += ["--provider", "here"]
    }
    // An account of the provider before this one would not be replaced.
    _ = try run(["logout", "--account", "sky", "--force"])
    let login = try run(arguments + ["--dpop", "--account", "sky", "--for", "https://git.example"])
    try #require(login.accessToken == "T1", "\(login)")
    try body(provider)
    try Proofs.expectVerified(provider.server)
  }

  private func request(_ provider: BoundProvider, _ arguments: String..., input: String = "") throws
    -> Outcome
  {
    let base = provider.server.base
    return try run(
      ["request", "--account", "sky", "--silent", "--allow-origin", base] + arguments + [base + "/api"],
      input: input)
  }

  /// The requests of the API, in order.
  private func asked(_ provider: BoundProvider) -> [String] {
    provider.server.requests.filter { $0.path == "/api" }.map { "\($0.method) \($0.body)" }
  }

  private func refreshes(_ provider: BoundProvider) -> Int {
    Set(provider.server.requests.compactMap { $0.form["refresh_token"] }).count
  }

  @Test("A request carries a proof of itself and of the token, and is repeated with the server's nonce")
  func nonce() throws {
    try withAccount { provider in
      let outcome = try request(provider, "-X", "PATCH", "-d", "a=b")
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome.output == "PATCH a=b\n")
      #expect(asked(provider) == ["PATCH a=b", "PATCH a=b"])
      #expect(refreshes(provider) == 0)
    }
  }

  @Test("A body from a file or a pipe is sent only when the nonce is known", arguments: [true, false])
  func file(isPipe: Bool) throws {
    try withAccount { provider in
      let file = try folder.write("1234567", to: "body")
      let outcome = try request(provider, "-d", isPipe ? "@-" : "@\(file)", input: "1234567")
      #expect(outcome.output == "POST 1234567\n", "\(outcome.messages)")
      #expect(asked(provider) == ["HEAD ", "POST 1234567"])
    }
  }

  @Test(
    "If the nonce comes too late, a file is sent again, but a pipe is not"
  )
  func late() throws {
    try withAccount { provider in
      if provider.request.method == "HEAD" { provider.answers["/api"] = StandInServer.Answer(405) }
    } _: { provider in
      let file = try folder.write("1234567", to: "body")
      let outcome = try request(provider, "-d", "@\(file)")
      #expect(outcome.output == "POST 1234567\n", "\(outcome.messages)")
      #expect(asked(provider) == ["HEAD ", "POST 1234567", "POST 1234567"])
      let pipe = try request(provider, "-d", "@-", input: "1234567")
      #expect(pipe.status == 1)
      #expect(pipe.messages.contains("use_dpop_nonce") && pipe.messages.contains("cannot be sent twice"))
      #expect(asked(provider).count == 5)
      #expect(try run(["token", "--account", "sky", "--silent"]).accessToken == "T1")
    }
  }

  @Test("A refused token is refreshed, also by a server that changes its nonce")
  func refused() throws {
    for changesNonce in [false, true] {
      try withAccount { provider in
        provider.deadTokens = ["T1"]
        provider.changesNonce = changesNonce
      } _: { provider in
        let outcome = try request(provider, "-d", "x")
        #expect(outcome.status == 0, "\(outcome.messages)")
        #expect(outcome.output == "POST x\n")
        let tokens = provider.server.requests.filter { $0.path == "/api" }.map { $0.headers["authorization"] }
        #expect(tokens == ["DPoP T1", "DPoP T1"] + (changesNonce ? ["DPoP T2", "DPoP T2"] : ["DPoP T2"]))
        #expect(refreshes(provider) == 1)
      }
    }
  }

  /// An API that refuses every request: the error, the number of requests and of refreshes.
  private static let refusals: [(String, Int, Int, @Sendable (inout BoundBehavior) -> Void)] = [
    ("invalid_token", 3, 1, { $0.deadTokens = ["T1", "T2"] }),
    ("use_dpop_nonce", 2, 0, { if $0.request.path == "/api" { $0.refusesEveryNonce = true } }),
    (
      "invalid_dpop_proof", 1, 0,
      {
        $0.answers["/api"] = StandInServer.Answer(
          401, [#"WWW-Authenticate: DPoP error="invalid_dpop_proof""#])
      }
    ),
  ]

  @Test("An API that refuses every request is not asked in vain", arguments: refusals.indices)
  func never(index: Int) throws {
    let (code, count, refreshed, change) = Self.refusals[index]
    try withAccount(change) { provider in
      let outcome = try request(provider)
      #expect(outcome.status == 1, "\(outcome.messages)")
      #expect(outcome.messages.contains(code))
      #expect(asked(provider).count == count)
      #expect(refreshes(provider) == refreshed)
    }
  }

  @Test(
    "Helpers cannot make proofs, so they refuse a bound token before the user signs in")
  func git() throws {
    let preset =
      #"{"name":"Here","issuer":"BASE","git_hosts":["git.example"],"redirect_uri":"https://app.example/done"}"#
    try withAccount(preset: preset) { provider in
      let sent = provider.server.requests.count
      let given = "protocol=https\nhost=git.example\n\n"
      for account in [["--account", "sky", "--min-valid", "100000"], ["--dpop", "--client-id", "c"]] {
        let outcome = try run(["helper", "git", "--headless-test"] + account + ["get"], input: given)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.messages.contains("error: the token is bound to a key"), "\(outcome.messages)")
      }
      for row in HelperRow.all {
        let question = row.question("https://git.example")
        let outcome = try Tokentry.run(
          ["helper", row.name] + question.arguments, input: question.input,
          environment: question.environment.merging(["TOKENTRY_STORE": "file:\(folder.path)/accounts"]) { $1 }
        )
        #expect(!outcome.output.contains("\"T1\"") && !outcome.output.contains("Bearer"), "\(row.name)")
        #expect((outcome.output + outcome.messages).contains("the token is bound to a key"), "\(row.name)")
      }
      let listed = try run(["helper", "docker", "list"])
      #expect(listed.output == "{}\n", "\(listed.messages)")
      #expect(provider.server.requests.count == sent)
    }
  }

  @Test(
    "The kept token is handed out with its key or not at all",
    arguments: ["token", "header", "env", "xoauth2"])
  func shapes(format: String) throws {
    try withAccount { provider in
      let outcome = try run(["token", "--account", "sky", "--silent", "--output", format])
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty != (format == "env"), "\(outcome.output)")
      #expect(outcome.messages.contains("--output json") && outcome.messages.contains("tokentry request"))
      let whole = try run(["token", "--account", "sky", "--silent"])
      #expect((whole["dpop_jwk"] as? [String: String])?["d"] != nil)
    }
  }

  @Test("userinfo and the revocation use the kept key")
  func afterwards() throws {
    let preset = #"""
      {"name":"Here","issuer":"BASE","end_session_endpoint":"BASE/end","redirect_uri":"https://app.example/done",
       "logout_request":{"method":"POST","query":["client_id"]}}
      """#
    try withAccount(preset: preset) { provider in
      let who = try run(["userinfo", "--account", "sky", "--silent"])
      #expect(who["sub"] as? String == "did:plc:ann", "\(who)")
      let outcome = try run(["logout", "--account", "sky"])
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome["revoked"] as? [String] == ["refresh_token", "access_token"])
      #expect(outcome["session_ended"] as? Bool == true)
      let ends = provider.server.requests.filter { $0.path == "/end" }
      #expect(ends.map { $0.headers["authorization"] } == ["DPoP T1", "DPoP T1"])
      #expect(provider.server.hits("/revoke") == 3, "once without the nonce of that server")
    }
  }
}
