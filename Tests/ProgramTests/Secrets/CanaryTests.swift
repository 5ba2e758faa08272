import Foundation
import LoginCore
@testable import TestSupport
import Testing

/// A secret that is looked for wherever the system lets anybody look, at every step of every way to a token.
@Suite("Where secrets can be found", .blocking)
struct CanaryTests {
  private static let table = ResultTable(
    "secrets.md", "Where secrets were found, without a window", "way | holder | place | secret | ")

  /// Where a secret may be, and why.
  private static let allowed: [Exposure: String] = {
    var allowed: [Exposure: String] = [:]
    for secret in ["client secret", "password"] {
      allowed[Exposure("tokentry", .environment, secret)] = "the caller gave it so"
    }
    for secret in [
      "access token", "refresh token", "id_token", "second access token", "second refresh token",
    ] {
      allowed[Exposure("tokentry", .output, secret)] = "the answer"
      allowed[Exposure("the store", .file, secret)] = "the account"
    }
    allowed[Exposure("tokentry", .output, "proof key")] = "the answer, for who signs requests alone"
    for secret in ["client secret", "registration token", "nonce", "proof key"] {
      allowed[Exposure("the store", .file, secret)] = "the account or its client"
    }
    return allowed
  }()

  private func check(
    _ way: String, _ desk: CanaryDesk, _ more: [Exposure: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    desk.lookIntoFiles()
    let allowed = Self.allowed.merging(more) { $1 }
    let wrong = desk.found.filter { allowed[$0] == nil }.sorted()
    #expect(wrong == [], "\(way)", sourceLocation: sourceLocation)
    for exposure in desk.found { Self.table.note("\(way) | \(exposure)", allowed[exposure] ?? "WRONG") }
    for (step, secrets) in desk.remembered {
      Self.table.note(
        "\(way) | tokentry | its own memory at \(step) | \(secrets.joined(separator: ", "))", "no promise")
    }
    if geteuid() == 0 {
      #expect(
        desk.remembered.contains { !$0.secrets.isEmpty }, "memory is looked into",
        sourceLocation: sourceLocation)
    }
  }

  /// The options of a login at a provider whose id_token is passed on as it is.
  private func endpoints(_ desk: CanaryDesk, _ page: String = "/auth") throws -> [String] {
    let preset = desk.folder + "/tool-preset.json"
    try """
    {"name":"Canaries","authorization_endpoint":"\(desk.base)\(page)","token_endpoint":"\(desk.base)/t",
     "revocation_endpoint":"\(desk.base)/r","id_token":"opaque"}
    """.write(toFile: preset, atomically: true, encoding: .utf8)
    return ["--provider", preset, "--client-id", "me", "--scope", "openid", "-v", "--trace"]
  }

  private func form(_ desk: CanaryDesk) throws -> [String] {
    let file = desk.folder + "/tool-password"
    _ = FileManager.default.createFile(
      atPath: file, contents: Data(desk.secret("password").utf8), attributes: [.posixPermissions: 0o600])
    return [
      "--redirect-uri", "https://app.example/done", "--headless-test", "--form", "user=ann", "--form",
      "pw=@" + file,
    ]
  }

  @Test("In a login without a window, a refresh, a request, a helper and a logout", arguments: [false, true])
  func kept(isBound: Bool) throws {
    let desk = try CanaryDesk()
    let login = try desk.run(
      [
        "login", "--account", "work", "--for", desk.base,
      ]
        + endpoints(desk) + form(desk) + (isBound ? ["--dpop"] : []))
    try #require(login.status == 0, "\(login.messages)")
    #expect(["state", "code verifier"].allSatisfy { desk.secrets[$0] != nil }, "\(desk.secrets.keys)")
    if isBound {
      let text = try String(contentsOfFile: desk.folder + "/store/work.json", encoding: .utf8)
      desk.learn("proof key", try #require(text.firstMatch(of: /"d":"([^"]+)"/)).1.description)
    }
    let refreshed = try desk.run(["token", "--account", "work", "--silent", "-v", "--trace"])
    #expect(
      refreshed["access_token"] as? String == desk.secret("second access token"), "\(refreshed.messages)")
    let request = try desk.run(["request", "--account", "work", desk.base + "/api", "-v", "--trace"])
    #expect(request.output == "{}", "\(request.messages)")
    if !isBound {
      let helper = try desk.run(["helper", "bazel", "get"], input: #"{"uri":"\#(desk.base)/api"}"#)
      #expect(helper.output.contains("Bearer"), "\(helper.messages)")
    }
    #expect(try desk.run(["logout", "--account", "work", "-v", "--trace"]).status == 0)
    check(isBound ? "login with DPoP and what follows" : "login and what follows", desk)
  }

  @Test("With a code for another device, a password, a client's own name, and a client that registers itself")
  func direct() throws {
    let desk = try CanaryDesk()
    let token = ["login", "--token-endpoint", desk.base + "/t", "--client-id", "me", "-v", "--trace"]
    let device = try desk.run(
      token + ["--grant", "device", "--device-authorization-endpoint", desk.base + "/codes"])
    #expect(device.status == 0, "\(device.messages)")
    let password = try desk.run(token + ["--grant", "password", "--login-hint", "ann"])
    #expect(password.status == 0, "\(password.messages)")
    let client = try desk.run(token + ["--grant", "client-credentials"])
    #expect(client.status == 0, "\(client.messages)")
    check("device, password, client-credentials", desk)

    let registering = try CanaryDesk()
    let register = try registering.run(
      ["register", "--registration-endpoint", registering.base + "/register", "-v", "--trace"])
    #expect(register.status == 0, "\(register.messages)")
    check(
      "register", registering,
      [Exposure("tokentry", .output, "client secret"): "the answer"])
  }

  @Test("A program that crashes while it holds a token leaves no picture of its memory")
  func core() throws {
    for signal in [SIGSEGV, SIGABRT, SIGBUS, SIGTRAP] {
      let desk = try FaultDesk()
      try desk.logIn()
      desk.hold("/t")
      let work = desk.folder + "/tmp"
      let caller = try desk.start(
        FaultDesk.refresh, wrapper: ["/bin/sh", "-c", "cd \(work); ulimit -c unlimited; exec \"$0\" \"$@\""])
      try #require(desk.isReached())
      let limits = try String(contentsOfFile: "/proc/\(caller.identifier)/limits", encoding: .utf8)
      #expect(limits.contains(#/Max core file size +0 +0 /#))
      caller.end(signal)
      let outcome = caller.outcome()
      #expect(outcome.status == 70 && outcome["error"] as? String == "internal_error")
      #expect(outcome.faultsOfAnswer == [])
      #expect(!outcome.messages.contains("R1") && !outcome.messages.contains("T1"), "\(outcome.messages)")
      #expect(try desk.faultsOfAccount() == [])
      FaultTable.note("crash: signal \(signal) | token, refreshing", outcome)
    }
  }
}
