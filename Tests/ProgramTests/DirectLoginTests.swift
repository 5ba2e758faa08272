import Foundation
import TestSupport
import Testing

@Suite("Grants without a page", .blocking)
struct DirectLoginTests {
  private let folder = TemporaryFolder()

  private func server(life: String = "3600") throws -> StandInServer {
    try StandInServer { request, _ in
      .json(
        #"{"access_token":"\#(request.form["grant_type"] ?? "")","token_type":"Bearer","expires_in":\#(life)}"#
      )
    }
  }

  private func run(
    _ server: StandInServer, _ grant: String, _ more: [String] = [], input: String = "",
    environment: [String: String] = [:]
  ) throws -> Outcome {
    try Tokentry.run(
      ["login", "--grant", grant, "--endpoint", "token=\(server.base)/t", "--client-id", "me"] + more,
      input: input, environment: environment)
  }

  @Test("A client with a secret gets a token of its own")
  func client() throws {
    let server = try server()
    let outcome = try run(
      server, "client-credentials", ["--scope", "mail", "--param", "audience=api"],
      environment: ["TOKENTRY_CLIENT_SECRET": "s"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.accessToken == "client_credentials")
    #expect(outcome.messages.isEmpty)
    let request = try #require(server.requests.first)
    #expect(request.form == ["grant_type": "client_credentials", "scope": "mail", "audience": "api"])
    #expect(request.headers["authorization"] == "Basic " + Data("me:s".utf8).base64EncodedString())
  }

  @Test(
    "With -v, a lifetime that cannot be read is named",
    arguments: [("\"soon\"", true), ("-1", true), ("null", false), ("0", false), ("3600.5", false)])
  func unreadableLifetime(life: String, isNamed: Bool) throws {
    let outcome = try run(
      try server(life: life), "client-credentials", ["-v"], environment: ["TOKENTRY_CLIENT_SECRET": "s"])
    #expect(outcome.status == 0 && outcome.accessToken == "client_credentials")
    #expect(
      outcome.messages.contains("info: the provider's expires_in is no number of seconds") == isNamed,
      "\(outcome.messages)")
  }

  @Test("An account of a client gets a new token with --silent, because there is no user")
  func account() throws {
    let server = try server(life: "10")
    let store = ["TOKENTRY_STORE": "file:\(folder.path)"]
    let environment = store.merging(["TOKENTRY_CLIENT_SECRET": "s"]) { $1 }
    let login = try run(server, "client-credentials", ["--account", "robot"], environment: environment)
    #expect(login.status == 0, "\(login.messages)")
    let token = try Tokentry.run(["token", "--account", "robot", "--silent"], environment: store)
    #expect(token.status == 0, "\(token.messages)")
    #expect(token.accessToken == "client_credentials")
    #expect(server.requests.count == 2)
    #expect(server.requests[1].headers["authorization"] == server.requests[0].headers["authorization"])
  }

  @Test(
    "The password comes from the environment or a document, with a warning",
    arguments: ["environment", "document"])
  func password(source: String) throws {
    let server = try server()
    let outcome =
      switch source {
      case "environment":
        try run(server, "password", ["--login-hint", "ann"], environment: ["TOKENTRY_PASSWORD": "p w"])
      default:
        try run(server, "password", ["--options", "-"], input: #"{"login_hint":"ann","password":"p w"}"#)
      }
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.messages.hasPrefix("tokentry: warning: the password grant"))
    #expect(!outcome.messages.contains("p w"))
    #expect(
      server.requests.first?.form == [
        "grant_type": "password", "username": "ann", "password": "p w", "client_id": "me",
      ])
  }

  @Test("A password in the environment does not describe another login than that of the kept account")
  func again() throws {
    let server = try server()
    let environment = ["TOKENTRY_STORE": "file:\(folder.path)", "TOKENTRY_PASSWORD": "p"]
    let first = try run(
      server, "password", ["--login-hint", "ann", "--account", "ann"], environment: environment)
    let second = try Tokentry.run(["login", "--account", "ann"], environment: environment)
    #expect(first.status == 0 && second.status == 0, "\(second)")
    #expect(server.requests.count == 2)
  }

  @Test("Incomplete or contradictory requests are refused before anything is sent")
  func impossible() throws {
    let server = try server()
    let password = ["TOKENTRY_PASSWORD": "p"]
    #expect(try run(server, "client-credentials").status == 2, "a client without a secret")
    #expect(try run(server, "password", ["--login-hint", "ann"]).status == 2, "no password")
    #expect(try run(server, "password", environment: password).status == 2, "no user")
    for (options, words) in [
      (["--grant", "password"], "it is not clear whose password this is"),
      (["--grant", "client-credentials"], "a client without a secret cannot get a token of its own"),
    ] {
      let explained = try Tokentry.run(
        ["explain", "--endpoint", "token=\(server.base)/t", "--client-id", "me"] + options)
      #expect(explained.status == 2 && explained.messages.contains(words), "\(explained.messages)")
    }
    let agent = ["--login-hint", "ann", "--way", "browser"]
    #expect(try run(server, "password", agent, environment: password).status == 2)
    let file = try folder.write(#"{"password":"p"}"#, to: "password", mode: 0o644)
    let readable = try run(server, "password", ["--login-hint", "ann", "--options", file])
    #expect(readable.status == 2, "a password that others can read")
    #expect(readable.messages.contains("chmod 600"))
    #expect(server.requests.isEmpty)
  }

  @Test("explain shows the request without its secrets", arguments: ["client-credentials", "password"])
  func explained(grant: String) throws {
    let outcome = try Tokentry.run(
      [
        "explain", "--grant", grant, "--endpoint", "token=https://as.example/t", "--client-id", "me",
        "--login-hint", "ann",
      ] + optionsFile(["client_authentication": "post"]),
      environment: ["TOKENTRY_CLIENT_SECRET": "hidden", "TOKENTRY_PASSWORD": "hidden"])
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome["url"] as? String == "https://as.example/t")
    #expect(outcome["way"] as? String == "none")
    #expect(outcome["grant"] as? String == grant)
    #expect(outcome.output.contains(#""client_id":"me""#))
    #expect(!outcome.output.contains("hidden"))
  }

  // RFC 8693.
  @Test("A token is exchanged for another, which has to be of the requested type")
  func exchange() throws {
    let type = "urn:ietf:params:oauth:token-type:"
    let server = try StandInServer { request, _ in
      let issued = request.form["audience"] == "odd" ? type + "saml2" : request.form["requested_token_type"]
      let member =
        request.form["audience"] == "mute"
        ? "" : #""issued_token_type":"\#(issued ?? type + "access_token")","#
      return .json(#"{"access_token":"NEW",\#(member)"token_type":"Bearer","expires_in":60}"#)
    }
    let file = try folder.write(
      #"{"access_token":"OLD","token_type":"Bearer","id_token":"IDENTITY"}"#, to: "old")
    func exchange(_ more: [String]) throws -> Outcome {
      try run(server, "token-exchange", ["--token-file", file] + more)
    }
    let outcome = try exchange(["--scope", "read", "--resource", "https://backend.example.com/api"])
    #expect(
      outcome.accessToken == "NEW" && outcome["issued_token_type"] as? String == type + "access_token",
      "\(outcome)")
    #expect(
      server.requests[0].form == [
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": "OLD",
        "subject_token_type": type + "access_token", "scope": "read",
        "resource": "https://backend.example.com/api",
        "client_id": "me",
      ])
    let types = ["subject_token_type=\(type)id_token", "requested_token_type=\(type)jwt", "audience=api"]
    let other = try exchange(types.flatMap { ["--param", $0] })
    #expect(other.accessToken == "NEW", "\(other)")
    let form = server.requests[1].form
    #expect(form["subject_token"] == "IDENTITY" && form["subject_token_type"] == type + "id_token")
    #expect(form["requested_token_type"] == type + "jwt" && form["audience"] == "api")
    for (audience, error) in [("odd", "unsupported_token_type"), ("mute", "bad_provider_response")] {
      let refused = try exchange(["--param", "audience=\(audience)"])
      #expect(refused.error == error && !refused.output.contains("NEW"), "\(refused)")
    }
    let missing = try run(server, "token-exchange")
    #expect(missing.status == 2 && missing.messages.contains("--token-file"), "\(missing)")
    #expect(server.requests.count == 4)
  }

  // RFC 8693 section 2.2.1.
  @Test("A token for another use than access is printed, and never sent as one")
  func exchangeForOtherUse() throws {
    let type = "urn:ietf:params:oauth:token-type:"
    let server = try StandInServer { request, _ in
      let issued = type + (request.form["requested_token_type"] == nil ? "access_token" : "id-jag")
      return .json(#"{"access_token":"NEW","issued_token_type":"\#(issued)","token_type":"N_A"}"#)
    }
    let file = try folder.write(#"{"access_token":"OLD","token_type":"Bearer"}"#, to: "old")
    func exchange(_ more: String...) throws -> Outcome {
      try run(server, "token-exchange", ["--token-file", file] + more)
    }
    let asked = ["--param", "requested_token_type=\(type)id-jag"]
    let outcome = try exchange(asked[0], asked[1])
    #expect(outcome.accessToken == "NEW" && outcome["token_type"] as? String == "N_A", "\(outcome)")
    #expect(try exchange(asked[0], asked[1], "--output", "token").output == "NEW\n")
    let refusals = [
      try exchange(), try exchange(asked[0], "requested_token_type=\(type)jwt"),
      try exchange(asked[0], asked[1], "--output", "header"),
      try exchange(asked[0], asked[1], "--output", "xoauth2", "--login-hint", "u"),
    ]
    for refused in refusals {
      #expect(refused.status == 6 && !refused.output.contains("NEW"), "\(refused)")
    }
  }

  @Test(
    "An account of an exchanged token needs the old token for another one, and a server that an API names gets none"
  )
  func exchangedAccount() throws {
    let server = try StandInServer { _, _ in
      .json(
        #"{"access_token":"NEW","issued_token_type":"urn:ietf:params:oauth:token-type:access_token","#
          + #""token_type":"Bearer","expires_in":10}"#)
    }
    let store = ["TOKENTRY_STORE": "file:\(folder.path)"]
    let file = try folder.write(#"{"access_token":"OLD","token_type":"Bearer"}"#, to: "old")
    let options = ["--token-file", file, "--account", "work"]
    #expect(try run(server, "token-exchange", options, environment: store).status == 0)
    #expect(try Tokentry.run(["token", "--account", "work", "--silent"], environment: store).status == 8)
    #expect(server.requests.count == 1)
    let found = try Tokentry.run(
      [
        "login", "--grant", "token-exchange", "--token-file", file, "--resource", server.base + "/api",
        "--client-id", "me",
      ], environment: store)
    #expect(found.status == 2 && found.messages.contains("--issuer"), "\(found)")
    #expect(server.requests.allSatisfy { $0.form["subject_token"] == nil || $0.path == "/t" })
  }
}
