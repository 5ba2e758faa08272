import Foundation
import LoginCore
import TestSupport
import Testing

@Suite("userinfo", .blocking)
struct UserinfoTests {
  private static let token =
    #"{"access_token":"T.1","token_type":"Bearer","claims":{"sub":"ann"},"device_id":"D"}"#

  private func userinfo(
    _ answer: StandInServer.Answer, token: String = token, _ options: String...
  ) throws -> (Outcome, StandInServer) {
    let server = try StandInServer { request, base in
      switch request.path {
      case "/.well-known/openid-configuration":
        .json(#"{"issuer":"\#(base)","userinfo_endpoint":"\#(base)/me"}"#)
      case "/me": answer
      default: StandInServer.Answer(404)
      }
    }
    let outcome = try Tokentry.run(
      ["userinfo", "--issuer", server.base, "--client-id", "client", "--token-file", "-"] + options,
      input: token)
    return (outcome, server)
  }

  // RFC 6750 section 2.1, RFC 9700 section 4.3.2.
  @Test("oidcc-client-test-userinfo-bearer-header: the token is in a header field only")
  func header() throws {
    let (outcome, server) = try userinfo(.json(#"{"sub":"ann","name":"Ann \u00e9","n":1.50}"#))
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == #"{"sub":"ann","name":"Ann é","n":1.50,"checks":{"sub":"verified"}}"# + "\n")
    let request = try #require(server.requests.last)
    #expect(request.method == "GET" && request.target == "/me" && request.body.isEmpty)
    #expect(request.headers["authorization"] == "Bearer T.1")
    #expect(request.headers["cookie"] == nil)
  }

  @Test(
    "A document about another user is refused",
    arguments: [
      ("oidcc-client-test-userinfo-invalid-sub", #"{"sub":"eve","name":"Eve"}"#),
      ("oidcc-client-test-userinfo-missing-sub", #"{"name":"Eve"}"#),
    ])
  func otherUser(name: String, body: String) throws {
    let (outcome, _) = try userinfo(.json(body))
    #expect(outcome.status == 6)
    #expect(outcome.error == "subject_mismatch")
    #expect(!outcome.output.contains("Eve"))
  }

  @Test(
    "Wrong answers of the endpoint are reported",
    arguments: [
      (.json(#"{"error":"insufficient_scope"}"#, status: 403), 1, "insufficient_scope"),
      (.redirect("/elsewhere"), 5, "bad_provider_response"),
    ] as [(StandInServer.Answer, Int32, String)])
  func refused(answer: StandInServer.Answer, status: Int32, code: String) throws {
    let (outcome, server) = try userinfo(answer)
    #expect(outcome.status == status, "\(outcome.output)")
    #expect(outcome.error == code)
    #expect(server.hits("/elsewhere") == 0)
  }

  @Test(
    "A document without an access token is refused, and the provider is not asked",
    arguments: [
      "", "[]", "{}", #"{"access_token":"T"}"#, #"{"error":"access_denied"}"#, #"{"id_token":"I.I.I"}"#,
    ])
  func noToken(document: String) throws {
    let (outcome, server) = try userinfo(.json("{}"), token: document)
    #expect(outcome.status == 2, "\(outcome.output)")
    #expect(server.hits("/me") == 0)
    #expect(!outcome.messages.contains("I.I.I"))
  }

  @Test("The preset says how to ask, and a document of options may contain the token")
  func document() throws {
    let server = try StandInServer { _, _ in .json(#"{"user":{"user_id":"1"}}"#) }
    let folder = TemporaryFolder()
    let preset = try folder.write(
      #"{"userinfo_endpoint":"\#(server.base)/me","userinfo_request":{"method":"POST","members":["client_id","device_id"]}}"#,
      to: "preset.json")
    let token = #"{"access_token":"T","token_type":"Bearer","device_id":"D"}"#
    let outcome = try Tokentry.run(
      ["userinfo", "--options", "-"],
      input: #"{"provider":"\#(preset)","client_id":"client","token":\#(token)}"#)
    #expect(outcome.status == 0, "\(outcome.output)")
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.body == "client_id=client&device_id=D")
    #expect(request.headers["authorization"] == "Bearer T")
  }

  @Test(
    "The output of a login is enough to ask, and to compare the user",
    arguments: [("ann", 0), ("oidcc-client-test-userinfo-invalid-sub", 6)] as [(String, Int32)])
  func afterLogin(subject: String, status: Int32) throws {
    let authority = try IDTokenAuthority()
    let server = try StandInServer { request, base in
      switch request.path {
      case "/.well-known/openid-configuration":
        return .metadata(base, ["jwks_uri": "/keys", "userinfo_endpoint": "/me"])
      case "/keys": return authority.keys
      case "/token":
        let idToken = (try? authority.token(of: base)) ?? ""
        return .json(#"{"access_token":"T","token_type":"Bearer","id_token":"\#(idToken)"}"#)
      default: return .json(#"{"sub":"\#(subject)"}"#)
      }
    }
    let provider = ["--issuer", server.base, "--client-id", "client"]
    let folder = TemporaryFolder()
    let account = ["--account", "work", "--store", "file:\(folder.path)/store"]
    let login = try Tokentry.run(
      ["login", "--scope", "openid"] + optionsFile(["nonce": "N"]) + Tokentry.pasted + provider + account,
      input: Tokentry.callback)
    #expect(login.status == 0, "\(login.messages)")
    let outcome = try Tokentry.run(["userinfo", "--token-file", "-"] + provider, input: login.output)
    #expect(outcome.status == status, "\(outcome.output)")
    #expect(outcome.error == (status == 0 ? nil : "subject_mismatch"))
    #expect(server.hits("/me") == 1)
    let kept = try Tokentry.run(["userinfo"] + account)
    #expect(kept.status == status && kept.output == outcome.output, "\(kept.output)")
    #expect(server.hits("/me") == 2)
  }

  @Test(
    "The token comes from one place, and a renewal needs a refresh token",
    arguments: [
      ["userinfo", "--token-file", "-", "--options", "-"], ["userinfo"],
      ["userinfo", "--token-file", "/nonexistent"],
      ["login", "--token-file", "-", "--redirect-uri", "https://app.example/done"],
      ["login", "--token-file", "-", "--headless-test", "--navigations", "-"],
    ])
  func contradictions(words: [String]) throws {
    let outcome = try Tokentry.run(words + ["--issuer", "https://127.0.0.1:1"], input: Self.token)
    #expect(outcome.status == 2, "\(outcome.output)")
  }
}

@Suite("Taking over a token", .blocking)
struct TakenTokenTests {
  private let folder = TemporaryFolder()

  private func run(_ arguments: [String], input: String = "") throws -> Outcome {
    try Tokentry.run(arguments, input: input, environment: ["TOKENTRY_STORE": "file:\(folder.path)/store"])
  }

  @Test(
    "A bare access token or one without a refresh token is kept as it is, without a client",
    arguments: ["glpat-x_1\n", #"{"access_token":"glpat-x_1","token_type":"Bearer"}"#])
  func bare(input: String) throws {
    let login = ["login", "gitlab", "--token-file", "-"]
    let outcome = try run(login + ["--account", "work"], input: input)
    #expect(outcome.status == 0 && outcome.accessToken == "glpat-x_1", "\(outcome)")
    #expect(try run(["token", "--account", "work", "--silent", "-o", "token"]).output == "glpat-x_1\n")
    #expect(try run(["accounts"]).output.contains(#""provider":"gitlab""#))
    #expect(try run(login + ["--client-id", "a"], input: input).messages.contains("without a refresh token"))
  }

  @Test("Other text is no token", arguments: ["two words\n", "", "{", "a\nb\n"])
  func others(input: String) throws {
    let outcome = try run(["login", "gitlab", "--token-file", "-", "--account", "work"], input: input)
    #expect(outcome.status == 2 && outcome.error == "invalid_option", "\(outcome)")
  }
}

/// RFC 7662.
@Suite("userinfo at a provider that only describes tokens", .blocking)
struct IntrospectionTests {
  private let folder = TemporaryFolder()
  private static let secret = ["TOKENTRY_CLIENT_SECRET": "s"]
  private static let token = #"{"access_token":"T","token_type":"Bearer"}"#

  private func server(_ answer: StandInServer.Answer = .json(#"{"active":true,"scope":"mail","exp":1.5e9}"#))
    throws -> StandInServer
  {
    try StandInServer { request, base in
      switch request.path {
      case "/.well-known/openid-configuration": .metadata(base, ["introspection_endpoint": "/look"])
      case "/look": answer
      default: .json(Self.token)
      }
    }
  }

  private func look(_ server: StandInServer, _ more: String..., token: String = token) throws -> Outcome {
    try Tokentry.run(
      ["userinfo", "--issuer", server.base, "--client-id", "me", "--token-file", "-"] + more,
      input: token, environment: Self.secret)
  }

  @Test("The token is in the body, the client authenticates itself, and the answer is passed on unchanged")
  func asked() throws {
    let server = try server()
    let outcome = try look(server)
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.output == #"{"active":true,"scope":"mail","exp":1.5e9}"# + "\n")
    let request = try #require(server.requests.last)
    #expect(request.method == "POST" && request.path == "/look")
    #expect(request.form == ["token": "T", "token_type_hint": "access_token"])
    #expect(request.headers["authorization"] == "Basic " + Data("me:s".utf8).base64EncodedString())
  }

  @Test("An account knows the endpoint and the secret, and an inactive token is not an error")
  func account() throws {
    let server = try server(.json(#"{"active":false}"#))
    let account = ["--account", "work", "--store", "file:\(folder.path)/store"]
    let login = try Tokentry.run(
      ["login", "--issuer", server.base, "--client-id", "me"] + Tokentry.pasted + account,
      input: Tokentry.callback, environment: Self.secret)
    #expect(login.status == 0, "\(login.messages)")
    for more in [[], ["--endpoint", "introspection=\(server.base)/look"]] {
      let outcome = try Tokentry.run(["userinfo"] + account + more)
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(outcome.output == #"{"active":false}"# + "\n")
      #expect(server.requests.last?.headers["authorization"]?.hasPrefix("Basic ") == true)
    }
  }

  @Test(
    "Wrong answers of the endpoint are reported",
    arguments: [
      (.json(#"{"error":"invalid_client"}"#, status: 401), 1, "invalid_client"),
      (.redirect("/elsewhere", status: 307), 5, "bad_provider_response"),
    ] as [(StandInServer.Answer, Int32, String)])
  func refused(answer: StandInServer.Answer, status: Int32, code: String) throws {
    let server = try server(answer)
    let outcome = try look(server)
    #expect(outcome.status == status, "\(outcome.output)")
    #expect(outcome.error == code)
    #expect(server.hits("/elsewhere") == 0)
  }

  @Test(
    "Without an endpoint or an access token the provider is not asked; with both endpoints, the named one is")
  func impossible() throws {
    let server = try server()
    let idToken = try look(server, token: #"{"id_token":"I"}"#)
    #expect(idToken.status == 2)
    let endpoint = try Tokentry.run(
      ["userinfo", "--token-file", "-", "--endpoint", "token=\(server.base)/t"], input: Self.token)
    #expect(endpoint.status == 2)
    #expect(endpoint.messages.contains("--endpoint userinfo=URL"))
    #expect(server.hits("/look") == 0)
    let preset = try folder.write(
      #"{"userinfo_endpoint":"\#(server.base)/me","client_authentication":"none"}"#, to: "p.json")
    let both = ["userinfo", "--provider", preset, "--client-id", "me", "--token-file", "-"]
    #expect(try Tokentry.run(both, input: Self.token).status == 0)
    #expect(server.hits("/me") == 1 && server.hits("/look") == 0)
    let named = both + ["--endpoint", "introspection=\(server.base)/look"]
    #expect(try Tokentry.run(named, input: Self.token)["active"] as? Bool == true)
    #expect(server.hits("/me") == 1 && server.hits("/look") == 1)
  }
}
