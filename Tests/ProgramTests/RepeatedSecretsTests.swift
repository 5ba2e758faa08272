import Foundation
import TestSupport
import Testing

@Suite("Secrets in the words of a provider", .blocking)
struct RepeatedSecretsTests {
  private static let secret = #"c4n/ry "of" 2026"#

  /// All that tokentry sent in a request, as a form and in words.
  private static func words(of request: StandInServer.Request) -> String {
    let form = request.form.sorted { $0.key < $1.key }.map { "\($0.key) is \($0.value)" }
    return (form + [request.body, request.target, request.headers["authorization"] ?? ""]).joined(
      separator: ", ")
  }

  private static func refusal(_ request: StandInServer.Request) throws -> StandInServer.Answer {
    // The provider also knows the state and the nonce from the browser.
    let more = ", st4te-of-this and n0nce-of-this"
    let object = ["error": "invalid_client", "error_description": words(of: request) + more]
    return .json(String(decoding: try JSONEncoder().encode(object), as: UTF8.self), status: 400)
  }

  @Test(
    "The words of a provider that repeats a request are shown without the secrets",
    arguments: ["basic", "post"])
  func provider(authentication: String) throws {
    let server = try StandInServer { request, _ in (try? Self.refusal(request)) ?? .html("") }
    let verifier = String(repeating: "v3rifi3r", count: 6)
    let outcome = try Tokentry.run(
      ["login"] + server.endpoints("/a", "/t", client: "c") + [
        "--redirect-uri", "https://app.example/done",
        "--state", "st4te-of-this", "--headless-test",
        "--navigations", "-", "-vv",
      ]
        + optionsFile([
          "nonce": "n0nce-of-this", "code_verifier": verifier, "client_authentication": authentication,
        ]), input: "https://app.example/done?code=c0d3-of-this&state=st4te-of-this\n",
      environment: ["TOKENTRY_CLIENT_SECRET": Self.secret])
    #expect(outcome.status == 1, "\(outcome.output)")
    #expect(
      outcome.messages.contains("code is [redacted], code_verifier is [redacted]"), "\(outcome.messages)")
    // The last one is base64 of c:c4n.
    for canary in ["c4n", "c0d3-of-this", "v3rifi3r", "st4te", "n0nce", "YzpjNG"] {
      #expect(!outcome.messages.contains(canary), "\(canary): \(outcome.messages)")
    }
  }

  @Test("Messages of libraries show no password of a proxy, and errors show no password in an address")
  func addresses() throws {
    let login = ["login", "--client-id", "c", "--browser", "true", "-vv"]
    for proxy in ["u:pr0xyW0rd@127.0.0.1:9", "http://u:pr0xyW0rd@127.0.0.1:x"] {
      let outcome = try Tokentry.run(
        login + ["--issuer", "https://as.invalid"], environment: ["https_proxy": proxy])
      #expect(outcome.status == 5, "\(outcome.output)")
      #expect(!outcome.messages.contains("pr0xyW0rd"), "\(outcome.messages)")
    }
    for address in ["https://u:pr0xyW0rd@as.example/a", "https://as.example/a?x y&access_token=pr0xyW0rd"] {
      let outcome = try Tokentry.run(login + ["--endpoint", "authorization=\(address)"])
      #expect(outcome.status == 2, "\(outcome.output)")
      #expect(!(outcome.messages + outcome.output).contains("pr0xyW0rd"), "\(outcome.messages)")
    }
  }

  @Test("A repeated refresh token or access token is not shown")
  func tokens() throws {
    let server = try StandInServer { request, _ in (try? Self.refusal(request)) ?? .html("") }
    let refreshed = try Tokentry.run(
      ["login"] + server.endpoints("/a", "/t", client: "c") + ["--options", "-"],
      input: #"{"refresh_token":"r3fr3sh-me"}"#)
    let asked = try Tokentry.run(
      ["userinfo", "--endpoint", "userinfo=\(server.base)/u", "--token-file", "-"],
      input: #"{"access_token":"4ccess-me","token_type":"Bearer"}"#)
    for (outcome, canary) in [(refreshed, "r3fr3sh"), (asked, "4ccess")] {
      #expect(outcome.status != 0)
      #expect(!outcome.messages.contains(canary), "\(outcome.messages)")
    }
    #expect(refreshed.messages.contains("[redacted]"))
  }

  @Test("An answer that repeats its own secrets is shown without them")
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
    let endpoints = ["--endpoint", "token=\(server.base)/t", "--client-id", "c"]
    let answered = try Tokentry.run(
      ["login", "--grant", "client-credentials"] + endpoints,
      environment: ["TOKENTRY_CLIENT_SECRET": Self.secret])
    let redirected = try Tokentry.run(
      ["login", "--endpoint", "authorization=\(server.base)/a", "--redirect-uri", "https://app.example/done"]
        + endpoints + ["--state", "S", "--headless-test"])
    for (outcome, canary) in [(answered, "4ccess"), (redirected, "c0d3")] {
      #expect(outcome.status == 1, "\(outcome.output)")
      #expect(outcome.messages.contains("not [redacted]"), "\(outcome.messages)")
      #expect(!outcome.messages.contains(canary), "\(outcome.messages)")
    }
  }

  @Test("A repeated token of a kept account is not shown")
  func kept() throws {
    let folder = TemporaryFolder()
    let server = try StandInServer { request, _ in
      request.path == "/t"
        ? .json(#"{"access_token":"4ccess-kept","token_type":"Bearer","refresh_token":"r3fr3sh-kept"}"#)
        : (try? Self.refusal(request)) ?? .html("")
    }
    let environment = ["TOKENTRY_STORE": "file:\(folder.path)/store"]
    let login = try Tokentry.run(
      ["login", "--grant", "client-credentials", "--endpoint", "token=\(server.base)/t", "--client-id", "c"]
        + [
          "--endpoint", "introspection=\(server.base)/i", "--endpoint", "revocation=\(server.base)/r",
          "--account", "work",
        ], environment: environment.merging(["TOKENTRY_CLIENT_SECRET": Self.secret]) { $1 })
    #expect(login.status == 0, "\(login.messages)")
    for command in [["userinfo"], ["logout"]] {
      let outcome = try Tokentry.run(command + ["--account", "work"], environment: environment)
      #expect(outcome.status != 0)
      #expect(outcome.messages.contains("token is [redacted]"), "\(outcome.messages)")
      for canary in ["4ccess", "r3fr3sh", "c4n"] {
        #expect(!outcome.messages.contains(canary), "\(outcome.messages)")
      }
    }
  }

  @Test(
    "The address of a page is shown without its parameters, and traced without nested ones",
    arguments: ["http://elsewhere.example/x", "https://user@elsewhere.example/x"])
  func page(address: String) throws {
    let server = try StandInServer { request, _ in
      request.path == "/a"
        ? .redirect(
          "/b?scope=a%3Fcode%3Dc0d3-in-scope;code=c0d3-behind&redirect_uri=https%3A%2F%2Fx%2F%3Fcode%3Dc0d3-inside#c0d3-alone"
        )
        : .redirect(address + "?code=c0d3-of-this&password=p4ssw0rd-of-ann")
    }
    let outcome = try Tokentry.run(
      ["login"] + server.endpoints("/a", "/t", client: "c") + [
        "--redirect-uri", "https://app.example/done", "--headless-test", "--form", "password=p4ssw0rd-of-ann",
        "-vv",
      ])
    #expect(outcome.status == 5, "\(outcome.output)")
    #expect(outcome.messages.contains("elsewhere.example/x?code=[redacted]"), "\(outcome.messages)")
    #expect(
      !outcome.messages.contains("c0d3") && !outcome.messages.contains("p4ssw0rd"), "\(outcome.messages)")
  }

  @Test("A value filled into a form is hidden if its name or its file says that it is secret")
  func form() throws {
    let folder = TemporaryFolder()
    let file = try folder.write("4nswer-of-ann", to: "answer")
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
    let outcome = try Tokentry.run(
      ["login"] + server.endpoints("/a", "/t", client: "c") + [
        "--redirect-uri", "https://app.example/done", "--state", "S", "--headless-test", "--form",
        "user=ann-herself", "--form", "passphrase=p4ss-of-ann", "--form", "answer=@\(file)",
      ])
    #expect(outcome.error == "access_denied", "\(outcome.output)")
    #expect(outcome.messages.contains("ann-herself or [redacted] or [redacted]"), "\(outcome.messages)")
    #expect(!outcome.messages.contains("p4ss") && !outcome.messages.contains("4nswer"), "\(outcome.messages)")
  }
}
