import Foundation
import LoginCore
import TestSupport
import Testing

@Suite("Helpers that hand out an id_token", .blocking)
struct IdentityTests {
  /// Makes an account whose access token is good for an hour, and whose id_token expires after some seconds. A
  /// refresh brings a new id_token unless `renewing` is false.
  private func account(
    _ seconds: Int64, renewing: Bool = true,
    _ body: (StandInServer, TemporaryFolder, [String: String]) throws -> Void
  ) throws {
    let folder = TemporaryFolder()
    let authority = try IDTokenAuthority()
    let server = try StandInServer { request, base in
      func end(_ seconds: Int64) -> JSONValue {
        .number(JSONNumber(Int64(Date().timeIntervalSince1970) + seconds))
      }
      switch request.path {
      case "/.well-known/openid-configuration": return .metadata(base, ["jwks_uri": "/keys"])
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
    let environment = Self.cluster.merging(["TOKENTRY_STORE": "file:\(folder.path)"]) { $1 }
    let login = try Tokentry.run(
      ["login", "--issuer", server.base, "--client-id", "client", "--scope", "openid"]
        + optionsFile(["nonce": "N"])
        + Tokentry.pasted + ["--account", "work", "--for", "cluster.example:6443"],
      input: Tokentry.callback, environment: environment)
    try #require(login.status == 0, "\(login)")
    try body(server, folder, environment)
  }

  private static let cluster = [
    "KUBERNETES_EXEC_INFO": #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","#
      + #""spec":{"interactive":false,"cluster":{"server":"https://cluster.example:6443"}}}"#
  ]

  /// The claims of the id_token in an answer, and the expiry in the answer.
  private func status(_ outcome: Outcome) throws -> (claims: [String: Any], end: String?) {
    let status = try #require(outcome["status"] as? [String: Any], "\(outcome)")
    let token = try #require(status["token"] as? String)
    var payload = token.split(separator: ".")[1].replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    payload += String(repeating: "=", count: (4 - payload.count % 4) % 4)
    let claims = try JSONSerialization.jsonObject(with: try #require(Data(base64Encoded: payload)))
    return (try #require(claims as? [String: Any]), status["expirationTimestamp"] as? String)
  }

  @Test("An account without an id_token gets an error with a remedy")
  func without() throws {
    let folder = TemporaryFolder()
    let server = try StandInServer { _, _ in
      .json(#"{"access_token":"T","token_type":"Bearer","expires_in":3600}"#)
    }
    let environment = Self.cluster.merging([
      "TOKENTRY_STORE": "file:\(folder.path)", "TOKENTRY_CLIENT_SECRET": "s",
    ]) { $1 }
    let login = try Tokentry.run(
      [
        "login", "--grant", "client-credentials", "--endpoint", "token=\(server.base)/t", "--client-id", "me",
        "--account", "work", "--for", "cluster.example:6443",
      ], environment: environment)
    try #require(login.status == 0, "\(login.messages)")
    let outcome = try Tokentry.run(["helper", "kubernetes"], environment: environment)
    #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.messages.contains("the account \"work\" has no id_token"), "\(outcome.messages)")
    #expect(outcome.messages.contains("hint: sign in to it again with openid"), "\(outcome.messages)")
  }

  @Test("The answer expires with the id_token, which is renewed in time", arguments: [600, 30] as [Int64])
  func end(seconds: Int64) throws {
    try account(seconds) { server, _, environment in
      let outcomes = try (0..<2).map { _ in
        try Tokentry.run(["helper", "kubernetes"], environment: environment)
      }
      for outcome in outcomes {
        let (claims, end) = try status(outcome)
        #expect(claims["mark"] as? String == (seconds == 600 ? "old" : "new"))
        let written = try #require(end.flatMap { UTCDate($0) }?.secondsSince1970)
        #expect(written == (claims["exp"] as? NSNumber)?.int64Value)
      }
      let alone = try Tokentry.run(
        ["token", "--account", "work", "--output", "id_token"], environment: environment)
      #expect(alone.output == ((outcomes[1]["status"] as? [String: Any])?["token"] as? String ?? "") + "\n")
      #expect(server.requests.count { $0.form["refresh_token"] != nil } == (seconds == 600 ? 0 : 1))
    }
  }

  @Test("An expired id_token that cannot be renewed is not handed out")
  func ended() throws {
    try account(600, renewing: false) { _, folder, environment in
      // The id_token has expired long ago.
      let document = folder.text(of: "work.json")
      let changed = document.replacing(/"exp":[0-9]+/, with: "\"exp\":1")
      try #require(changed != document)
      try folder.write(changed, to: "work.json")
      let outcome = try Tokentry.run(["helper", "kubernetes"], environment: environment)
      #expect(outcome.status == 8 && outcome.output.isEmpty, "\(outcome.output)")
      let access = try Tokentry.run(["helper", "kubernetes", "--access-token"], environment: environment)
      #expect(access.output.contains("\"token\":\"T\""))
    }
  }
}
