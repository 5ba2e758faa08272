import Foundation
import LoginCore
import TestSupport
import Testing

@Suite("Helpers that hand out an id_token", .blocking)
struct IdentityTests {
  /// An account whose access token is good for an hour, and whose id_token ends after so many seconds. Whoever refreshes
  /// gets an id_token that lasts, if it is said to.
  private func account(
    _ seconds: Int64, renewing: Bool = true, _ body: (StandInServer, [String: String]) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "identity-\(UUID().uuidString)")
      .path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let authority = try IDTokenAuthority()
    let server = try StandInServer { request, base in
      func end(_ seconds: Int64) -> JSONValue {
        .number(JSONNumber(Int64(Date().timeIntervalSince1970) + seconds))
      }
      switch request.path {
      case "/.well-known/openid-configuration":
        return .json(
          #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/a","token_endpoint":"\#(base)/token","#
            + #""jwks_uri":"\#(base)/keys"}"#)
      case "/keys": return authority.keys
      default:
        let isRefresh = request.form["refresh_token"] != nil
        let changes: JSONObject = [
          "nonce": isRefresh ? .null : "N", "exp": end(isRefresh ? 600 : seconds),
          "mark": isRefresh ? "new" : "old",
        ]
        let idToken = isRefresh && !renewing ? nil : try? authority.token(of: base, changes)
        let member = idToken.map { #","id_token":"\#($0)""# } ?? ""
        return .json(
          #"{"access_token":"T","token_type":"Bearer","expires_in":3600,"refresh_token":"R"\#(member)}"#)
      }
    }
    let environment = [
      "TOKENTRY_STORE": "file:\(folder)",
      "KUBERNETES_EXEC_INFO": #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","#
        + #""spec":{"interactive":false,"cluster":{"server":"https://cluster.example:6443"}}}"#,
    ]
    let login = try Program.run(
      [
        "login", "--issuer", server.base, "--client-id", "client", "--scope", "openid", "--state", "S",
        "--nonce",
        "N", "--redirect-uri", "https://app.example/done", "--headless-test", "--navigations", "-",
        "--account",
        "work", "--for", "cluster.example:6443",
      ], input: "https://app.example/done?code=C&state=S\n", environment: environment)
    try #require(login.status == 0, "\(login.output)\(login.messages)")
    try body(server, environment)
  }

  /// Who is meant by the id_token in an answer, and when it ends by the answer's own account.
  private func status(_ outcome: Program.Outcome) throws -> (claims: [String: Any], end: String?) {
    let status = try #require(outcome["status"] as? [String: Any], "\(outcome.output)\(outcome.messages)")
    let token = try #require(status["token"] as? String)
    var payload = token.split(separator: ".")[1].replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    payload += String(repeating: "=", count: (4 - payload.count % 4) % 4)
    let claims = try JSONSerialization.jsonObject(with: try #require(Data(base64Encoded: payload)))
    return (try #require(claims as? [String: Any]), status["expirationTimestamp"] as? String)
  }

  @Test("An account without an id_token says so, and how there is one")
  func without() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "identity-\(UUID().uuidString)")
      .path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try StandInServer { _, _ in
      .json(#"{"access_token":"T","token_type":"Bearer","expires_in":3600}"#)
    }
    let environment = [
      "TOKENTRY_STORE": "file:\(folder)", "TOKENTRY_CLIENT_SECRET": "s",
      "KUBERNETES_EXEC_INFO": #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","#
        + #""spec":{"interactive":false,"cluster":{"server":"https://cluster.example:6443"}}}"#,
    ]
    let login = try Program.run(
      [
        "login", "--grant", "client-credentials", "--token-endpoint", server.base + "/t", "--client-id", "me",
        "--account", "work", "--for", "cluster.example:6443",
      ], environment: environment)
    try #require(login.status == 0, "\(login.messages)")
    let outcome = try Program.run(["helper", "kubernetes"], environment: environment)
    #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome.output)\(outcome.messages)")
    #expect(outcome.messages.contains("the account \"work\" has no id_token"), "\(outcome.messages)")
    #expect(outcome.messages.contains("hint: sign in to it again with openid"), "\(outcome.messages)")
  }

  @Test(
    "Its end is that of the id_token, which is renewed when it comes to it", arguments: [600, 30] as [Int64])
  func end(seconds: Int64) throws {
    try account(seconds) { server, environment in
      let outcomes = try (0..<2).map { _ in
        try Program.run(["helper", "kubernetes"], environment: environment)
      }
      for outcome in outcomes {
        let (claims, end) = try status(outcome)
        #expect(claims["mark"] as? String == (seconds == 600 ? "old" : "new"))
        let written = try #require(end.flatMap { UTCDate($0) }?.secondsSince1970)
        #expect(written == (claims["exp"] as? NSNumber)?.int64Value)
      }
      #expect(server.requests.count { $0.form["refresh_token"] != nil } == (seconds == 600 ? 0 : 1))
    }
  }

  @Test("One that has ended and cannot be renewed is not handed out")
  func ended() throws {
    try account(600, renewing: false) { _, environment in
      // As if the time had come.
      let store = try #require(environment["TOKENTRY_STORE"]).dropFirst("file:".count)
      let document = try String(contentsOfFile: store + "/work.json", encoding: .utf8)
      let changed = document.replacing(/"exp":[0-9]+/, with: "\"exp\":1")
      try #require(changed != document)
      try changed.write(toFile: store + "/work.json", atomically: false, encoding: .utf8)
      let outcome = try Program.run(["helper", "kubernetes"], environment: environment)
      #expect(outcome.status == 8 && outcome.output.isEmpty, "\(outcome.output)")
      let access = try Program.run(["helper", "kubernetes", "--access-token"], environment: environment)
      #expect(access.output.contains("\"token\":\"T\""))
    }
  }
}
