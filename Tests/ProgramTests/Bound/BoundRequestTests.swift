import Foundation
import TestSupport
import Testing

/// RFC 9449 sections 7 to 9, for everything that is done with the token of an account.
@Suite("Requests with a token that is bound to a key, against a server", .blocking)
struct BoundRequestTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "bound-\(UUID().uuidString)")
    .path(percentEncoded: false)

  private func run(_ arguments: [String], input: String = "") throws -> Program.Outcome {
    try Program.run(
      arguments, input: input,
      environment: ["TOKENTRY_STORE": "file:\(folder)/accounts", "XDG_CONFIG_HOME": "\(folder)/config"])
  }

  /// A provider that is also the API, and an account there whose token is `T1`.
  private func withAccount(
    _ change: @escaping @Sendable (inout Manner) -> Void = { _ in }, preset: String? = nil,
    _ body: @escaping @Sendable (BoundProvider) throws -> Void
  ) async throws {
    try await onThread {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let provider = try BoundProvider(change)
      var arguments = BoundLoginTests.arguments(at: provider.server)
      if let preset {
        let presets = folder + "/config/tokentry/providers"
        try FileManager.default.createDirectory(atPath: presets, withIntermediateDirectories: true)
        try preset.replacingOccurrences(of: "BASE", with: provider.server.base)
          .write(toFile: presets + "/here.json", atomically: true, encoding: .utf8)
        arguments += ["--provider", "here"]
      }
      let login = try run(arguments + ["--dpop", "--account", "sky", "--for", "https://git.example"])
      try #require(login["access_token"] as? String == "T1", "\(login.output)\(login.messages)")
      try body(provider)
      try Proofs.expectVerified(provider.server)
    }
  }

  private func request(_ provider: BoundProvider, _ arguments: String..., input: String = "") throws
    -> Program.Outcome
  {
    let base = provider.server.base
    return try run(
      ["request", "--account", "sky", "--silent", "--allow-origin", base] + arguments + [base + "/api"],
      input: input)
  }

  /// What the API was asked, in order.
  private func asked(_ provider: BoundProvider) -> [String] {
    provider.server.requests.filter { $0.path == "/api" }.map { "\($0.method) \($0.body)" }
  }

  private func refreshes(_ provider: BoundProvider) -> Int {
    Set(provider.server.requests.compactMap { $0.form["refresh_token"] }).count
  }

  @Test("A request carries a proof of itself and of the token, and is sent once more with the server's nonce")
  func nonce() async throws {
    try await withAccount { provider in
      let outcome = try request(provider, "-X", "PATCH", "-d", "a=b")
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome.output == "PATCH a=b\n")
      #expect(asked(provider) == ["PATCH a=b", "PATCH a=b"])
      #expect(refreshes(provider) == 0)
    }
  }

  @Test(
    "A body from a file or a pipe is sent when the nonce is known, and not in vain", arguments: [true, false])
  func file(isPipe: Bool) async throws {
    try await withAccount { provider in
      try "1234567".write(toFile: folder + "/body", atomically: true, encoding: .utf8)
      let outcome = try request(provider, "-d", isPipe ? "@-" : "@\(folder)/body", input: "1234567")
      #expect(outcome.output == "POST 1234567\n", "\(outcome.messages)")
      #expect(asked(provider) == ["HEAD ", "POST 1234567"])
    }
  }

  @Test(
    "Where the nonce is told too late a file is sent again; what came from a pipe is gone, and the token stays"
  )
  func late() async throws {
    try await withAccount { manner in
      if manner.request.method == "HEAD" { manner.answers["/api"] = StandInServer.Answer(405) }
    } _: { provider in
      try "1234567".write(toFile: folder + "/body", atomically: true, encoding: .utf8)
      let outcome = try request(provider, "-d", "@\(folder)/body")
      #expect(outcome.output == "POST 1234567\n", "\(outcome.messages)")
      #expect(asked(provider) == ["HEAD ", "POST 1234567", "POST 1234567"])
      let pipe = try request(provider, "-d", "@-", input: "1234567")
      #expect(pipe.status == 1)
      #expect(pipe.messages.contains("use_dpop_nonce") && pipe.messages.contains("cannot be sent twice"))
      #expect(asked(provider).count == 5)
      #expect(try run(["token", "--account", "sky", "--silent"])["access_token"] as? String == "T1")
    }
  }

  @Test("A token that is refused is refreshed, with the nonce of a server that changes it as well")
  func refused() async throws {
    for changesNonce in [false, true] {
      try await withAccount { manner in
        manner.deadTokens = ["T1"]
        manner.changesNonce = changesNonce
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

  /// One way in which an API is never content, and how often it is asked.
  private static let refusals: [(String, Int, Int, @Sendable (inout Manner) -> Void)] = [
    ("invalid_token", 3, 1, { $0.deadTokens = ["T1", "T2"] }),
    ("use_dpop_nonce", 2, 0, { if $0.request.path == "/api" { $0.isNeverContent = true } }),
    (
      "use_dpop_nonce", 1, 0,
      { if $0.request.path == "/api" { ($0.isNeverContent, $0.keepsNonceToItself) = (true, true) } }
    ),
    (
      "invalid_dpop_proof", 1, 0,
      {
        $0.answers["/api"] = StandInServer.Answer(
          401, [#"WWW-Authenticate: DPoP error="invalid_dpop_proof""#])
      }
    ),
    (
      "insufficient_scope", 1, 0,
      {
        $0.answers["/api"] = StandInServer.Answer(
          403, [#"WWW-Authenticate: DPoP error="insufficient_scope""#])
      }
    ),
  ]

  @Test("An API that is never content is asked no more often than it helps", arguments: refusals.indices)
  func never(index: Int) async throws {
    let (code, count, refreshed, change) = Self.refusals[index]
    try await withAccount(change) { provider in
      let outcome = try request(provider)
      #expect(outcome.status == 1, "\(outcome.messages)")
      #expect(outcome.messages.contains(code))
      #expect(asked(provider).count == count)
      #expect(refreshes(provider) == refreshed)
    }
  }

  @Test("A redirect is not followed, so neither token nor proof reach another server")
  func redirect() async throws {
    let other = try StandInServer { _, _ in .json("{}") }
    try await withAccount { manner in
      if manner.request.path == "/api" {
        manner.answers["/api"] = .redirect(other.base + "/api", status: 307)
      }
    } _: { provider in
      let outcome = try request(provider, "-d", "x")
      #expect(outcome.status == 5, "\(outcome.messages)")
      #expect(asked(provider).count == 1 && other.requests.isEmpty)
    }
  }

  @Test(
    "Programs with helpers make no proofs, so they are told why they get nothing, before anybody signs in")
  func git() async throws {
    let preset =
      #"{"name":"Here","issuer":"BASE","git_hosts":["git.example"],"redirect_uri":"https://app.example/done"}"#
    try await withAccount(preset: preset) { provider in
      let sent = provider.server.requests.count
      let given = "protocol=https\nhost=git.example\n\n"
      for account in [["--account", "sky", "--min-valid", "100000"], ["--dpop", "--client-id", "c"]] {
        let outcome = try run(["git-credential", "--headless-test"] + account + ["get"], input: given)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.messages.contains("error: the token is bound to a key"), "\(outcome.messages)")
      }
      for row in HelperRow.all {
        let question = row.question("https://git.example")
        let outcome = try Program.run(
          ["helper", row.name] + question.arguments, input: question.input,
          environment: question.environment.merging(["TOKENTRY_STORE": "file:\(folder)/accounts"]) { $1 })
        #expect(!outcome.output.contains("\"T1\"") && !outcome.output.contains("Bearer"), "\(row.name)")
        #expect((outcome.output + outcome.messages).contains("the token is bound to a key"), "\(row.name)")
      }
      let listed = try Program.run(
        ["helper", "docker", "list"], environment: ["TOKENTRY_STORE": "file:\(folder)/accounts"])
      #expect(listed.output == "{}\n", "\(listed.messages)")
      #expect(provider.server.requests.count == sent)
    }
  }

  @Test(
    "The kept token is handed over with its key or not at all",
    arguments: ["token", "header", "env", "xoauth2"])
  func shapes(format: String) async throws {
    try await withAccount { provider in
      let outcome = try run(["token", "--account", "sky", "--silent", "--output", format])
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.messages.contains("--output json") && outcome.messages.contains("tokentry request"))
      let whole = try run(["token", "--account", "sky", "--silent"])
      #expect((whole["dpop_jwk"] as? [String: String])?["d"] != nil)
    }
  }

  @Test("Who signed in is asked, and the tokens are revoked, with the kept key")
  func afterwards() async throws {
    let preset = #"""
      {"name":"Here","issuer":"BASE","end_session_endpoint":"BASE/end","redirect_uri":"https://app.example/done",
       "logout_request":{"method":"POST","query":["client_id"]}}
      """#
    try await withAccount(preset: preset) { provider in
      let who = try run(["userinfo", "--account", "sky", "--silent"])
      #expect(who["sub"] as? String == "did:plc:ann", "\(who.output)\(who.messages)")
      let outcome = try run(["logout", "--account", "sky"])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.messages)")
      #expect(outcome["revoked"] as? [String] == ["refresh_token", "access_token"])
      #expect(outcome["session_ended"] as? Bool == true)
      let ends = provider.server.requests.filter { $0.path == "/end" }
      #expect(ends.map { $0.headers["authorization"] } == ["DPoP T1", "DPoP T1"])
      #expect(provider.server.hits("/revoke") == 3, "once without the nonce of that server")
    }
  }
}
