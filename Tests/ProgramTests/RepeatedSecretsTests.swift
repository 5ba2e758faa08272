import Foundation
import TestSupport
import Testing

@Suite("Secrets in the words of others", .blocking)
struct RepeatedSecretsTests {
  private static let secret = #"c4n/ry "of" 2026"#

  /// Everything that was ours in a request, in the spelling of a form and in that of people.
  private static func words(of request: StandInServer.Request) -> String {
    let form = request.form.sorted { $0.key < $1.key }.map { "\($0.key) is \($0.value)" }
    return (form + [request.body, request.target, request.headers["authorization"] ?? ""]).joined(
      separator: ", ")
  }

  private static func refusal(_ request: StandInServer.Request) throws -> StandInServer.Answer {
    // Of what was in the browser it knows as well, although no request of ours has told it here.
    let more = ", st4te-of-this and n0nce-of-this"
    let object = ["error": "invalid_client", "error_description": words(of: request) + more]
    return .json(String(decoding: try JSONEncoder().encode(object), as: UTF8.self), status: 400)
  }

  @Test(
    "A provider that repeats what it was sent is quoted without it", arguments: ["basic", "post"])
  func provider(authentication: String) throws {
    let server = try StandInServer { request, _ in (try? Self.refusal(request)) ?? .html("") }
    let verifier = String(repeating: "v3rifi3r", count: 6)
    let outcome = try Program.run(
      [
        "login", "--authorization-endpoint", server.base + "/a", "--token-endpoint", server.base + "/t",
        "--client-id",
        "c", "--client-authentication", authentication, "--redirect-uri", "https://app.example/done",
        "--code-verifier", verifier, "--state", "st4te-of-this", "--nonce", "n0nce-of-this",
        "--headless-test", "--navigations", "-", "-v", "--trace",
      ], input: "https://app.example/done?code=c0d3-of-this&state=st4te-of-this\n",
      environment: ["TOKENTRY_CLIENT_SECRET": Self.secret])
    #expect(outcome.status == 1, "\(outcome.output)")
    #expect(
      outcome.messages.contains("code is [redacted], code_verifier is [redacted]"),
      "\(outcome.messages)")
    // The last is base64 of c:c4n.
    for canary in ["c4n", "c0d3-of-this", "v3rifi3r", "st4te", "n0nce", "YzpjNG"] {
      #expect(!outcome.messages.contains(canary), "\(canary): \(outcome.messages)")
    }
  }

  @Test("A library that repeats the address of a proxy is quoted without the password, and so is an address")
  func addresses() throws {
    let login = ["login", "--client-id", "c", "--browser", "true", "--trace"]
    for proxy in ["u:pr0xyW0rd@127.0.0.1:9", "http://u:pr0xyW0rd@127.0.0.1:x"] {
      let outcome = try Program.run(
        login + ["--issuer", "https://as.invalid"], environment: ["https_proxy": proxy])
      #expect(outcome.status == 5, "\(outcome.output)")
      #expect(!outcome.messages.contains("pr0xyW0rd"), "\(outcome.messages)")
    }
    for address in ["https://u:pr0xyW0rd@as.example/a", "https://as.example/a?x y&access_token=pr0xyW0rd"] {
      let outcome = try Program.run(login + ["--authorization-endpoint", address])
      #expect(outcome.status == 2, "\(outcome.output)")
      #expect(!(outcome.messages + outcome.output).contains("pr0xyW0rd"), "\(outcome.messages)")
    }
  }

  @Test("So is one that repeats a refresh token, and a server that repeats an access token")
  func tokens() throws {
    let server = try StandInServer { request, _ in (try? Self.refusal(request)) ?? .html("") }
    let refreshed = try Program.run(
      [
        "login", "--authorization-endpoint", server.base + "/a", "--token-endpoint", server.base + "/t",
        "--client-id",
        "c", "--request", "-",
      ],
      input: #"{"refresh_token":"r3fr3sh-me"}"#)
    let asked = try Program.run(
      ["userinfo", "--userinfo-endpoint", server.base + "/u", "--token-file", "-"],
      input: #"{"access_token":"4ccess-me","token_type":"Bearer"}"#)
    for (outcome, canary) in [(refreshed, "r3fr3sh"), (asked, "4ccess")] {
      #expect(outcome.status != 0)
      #expect(!outcome.messages.contains(canary), "\(outcome.messages)")
    }
    #expect(refreshed.messages.contains("[redacted]"))
  }

  @Test("So is an answer that repeats a secret of its own, and an address that does")
  func own() throws {
    let server = try StandInServer { request, _ in
      request.path == "/a"
        ? .redirect(
          "https://app.example/done?error=access_denied&error_description=not%20c0d3-of-this&code=c0d3-of-this&state=S"
        )
        : .json(
          #"{"error":"invalid_grant","error_description":"not 4ccess-of-this","access_token":"4ccess-of-this"}"#,
          status: 400
        )
    }
    let endpoints = ["--token-endpoint", server.base + "/t", "--client-id", "c"]
    let answered = try Program.run(
      ["login", "--grant", "client-credentials"] + endpoints,
      environment: ["TOKENTRY_CLIENT_SECRET": Self.secret])
    let redirected = try Program.run(
      ["login", "--authorization-endpoint", server.base + "/a", "--redirect-uri", "https://app.example/done"]
        + endpoints + ["--state", "S", "--headless-test"])
    for (outcome, canary) in [(answered, "4ccess"), (redirected, "c0d3")] {
      #expect(outcome.status == 1, "\(outcome.output)")
      #expect(outcome.messages.contains("not [redacted]"), "\(outcome.messages)")
      #expect(!outcome.messages.contains(canary), "\(outcome.messages)")
    }
  }

  @Test("So is a server that repeats the token of an account, with whose secrets nothing was said")
  func kept() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try StandInServer { request, _ in
      request.path == "/t"
        ? .json(#"{"access_token":"4ccess-kept","token_type":"Bearer","refresh_token":"r3fr3sh-kept"}"#)
        : (try? Self.refusal(request)) ?? .html("")
    }
    let environment = ["TOKENTRY_STORE": "file:\(folder)"]
    let login = try Program.run(
      [
        "login", "--grant", "client-credentials", "--token-endpoint", server.base + "/t",
        "--introspection-endpoint",
        server.base + "/i", "--revocation-endpoint", server.base + "/r", "--client-id", "c", "--account",
        "work",
      ], environment: environment.merging(["TOKENTRY_CLIENT_SECRET": Self.secret]) { $1 })
    #expect(login.status == 0, "\(login.messages)")
    for command in [["userinfo", "--introspect"], ["logout"]] {
      let outcome = try Program.run(command + ["--account", "work"], environment: environment)
      #expect(outcome.status != 0)
      #expect(outcome.messages.contains("token is [redacted]"), "\(outcome.messages)")
      for canary in ["4ccess", "r3fr3sh", "c4n"] {
        #expect(!outcome.messages.contains(canary), "\(outcome.messages)")
      }
    }
  }

  @Test(
    "An address to which a page leads is quoted without its parameters, and traced without those in others",
    arguments: ["http://elsewhere.example/x", "https://user@elsewhere.example/x"])
  func page(address: String) throws {
    let server = try StandInServer { request, _ in
      request.path == "/a"
        ? .redirect(
          "/b?scope=a%3Fcode%3Dc0d3-in-scope;code=c0d3-behind&redirect_uri=https%3A%2F%2Fx%2F%3Fcode%3Dc0d3-inside#c0d3-alone"
        )
        : .redirect(address + "?code=c0d3-of-this&password=p4ssw0rd-of-ann")
    }
    let outcome = try Program.run([
      "login", "--authorization-endpoint", server.base + "/a", "--token-endpoint", server.base + "/t",
      "--client-id",
      "c", "--redirect-uri", "https://app.example/done", "--headless-test", "--form",
      "password=p4ssw0rd-of-ann", "-v",
      "--trace",
    ])
    #expect(outcome.status == 5, "\(outcome.output)")
    #expect(outcome.messages.contains("elsewhere.example/x?code=[redacted]"), "\(outcome.messages)")
    #expect(
      !outcome.messages.contains("c0d3") && !outcome.messages.contains("p4ssw0rd"), "\(outcome.messages)")
  }

  @Test("What was filled into a form is not shown where it is a password by its name, or was in a file")
  func form() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "form-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try "4nswer-of-ann".write(toFile: folder + "/answer", atomically: false, encoding: .utf8)
    chmod(folder + "/answer", 0o600)
    let server = try StandInServer { request, _ in
      if request.path == "/a" {
        return .html(
          "<form method=post action=/in><input name=user><input name=passphrase><input name=answer></form>")
      }
      let words = ["user", "passphrase", "answer"].compactMap { request.form[$0] }
        .joined(separator: "%20or%20")
      return .redirect(
        "https://app.example/done?error=access_denied&error_description=\(words)&state=S")
    }
    let outcome = try Program.run([
      "login", "--authorization-endpoint", server.base + "/a", "--token-endpoint", server.base + "/t",
      "--client-id", "c", "--redirect-uri", "https://app.example/done", "--state", "S", "--headless-test",
      "--form", "user=ann-herself", "--form", "passphrase=p4ss-of-ann", "--form", "answer=@\(folder)/answer",
    ])
    #expect(outcome["error"] as? String == "access_denied", "\(outcome.output)")
    #expect(outcome.messages.contains("ann-herself or [redacted] or [redacted]"), "\(outcome.messages)")
    #expect(!outcome.messages.contains("p4ss") && !outcome.messages.contains("4nswer"), "\(outcome.messages)")
  }
}
