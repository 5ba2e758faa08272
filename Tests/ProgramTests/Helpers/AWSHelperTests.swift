import Foundation
import LoginCore
import TestSupport
import Testing

/// AWS's `credential_process`. KeptFileClientTests has AWS's own command line ask.
@Suite("Credentials for AWS", .blocking)
struct AWSHelperTests {
  private static let role = "arn:aws:iam::123456789012:role/reader"
  private let folder = TemporaryFolder()

  /// A provider whose id_tokens are about `ann`, and a token service with an answer.
  private func server(_ answer: StandInServer.Answer) throws -> StandInServer {
    let authority = try IDTokenAuthority()
    return try StandInServer { request, base in
      switch request.path {
      case "/.well-known/openid-configuration": return .metadata(base, ["jwks_uri": "/keys"])
      case "/keys": return authority.keys
      case "/sts": return answer
      default:
        let idToken = try? authority.token(of: base, ["nonce": "N", "email": "ann+x@acme.example"])
        return .json(
          #"{"access_token":"T","token_type":"Bearer","expires_in":3600,"id_token":"\#(idToken ?? "")"}"#)
      }
    }
  }

  private func ask(
    _ server: StandInServer, _ arguments: [String], _ more: [String: String] = [:], for origin: String? = nil
  ) throws -> Outcome {
    let environment = [
      "TOKENTRY_STORE": "file:\(folder.path)/store", "AWS_ENDPOINT_URL_STS": server.base + "/sts",
    ].merging(more) { $1 }
    let login = try Tokentry.run(
      ["login", "--issuer", server.base, "--client-id", "client", "--scope", "openid", "--if-needed"]
        + optionsFile(["nonce": "N"]) + Tokentry.pasted + ["--account", "work"]
        + (origin.map { ["--for", $0] } ?? []), input: Tokentry.callback, environment: environment)
    try #require(login.status == 0, "\(login)")
    return try Tokentry.run(["helper", "aws"] + arguments, environment: environment)
  }

  private static func xml(_ text: String, status: Int = 200) -> StandInServer.Answer {
    StandInServer.Answer(status, ["Content-Type: text/xml"], text)
  }

  private static let document = """
    <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
    <AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>ASIA</AccessKeyId>
    <SecretAccessKey>CANARY+/=</SecretAccessKey><SessionToken>CANARY2</SessionToken>
    <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult>
    </AssumeRoleWithWebIdentityResponse>
    """
  private static let credentials = xml(document)

  @Test("The id_token is exchanged for the credentials of the role, which no trace shows")
  func credentials() throws {
    let server = try server(Self.credentials)
    let outcome = try ask(server, [Self.role, "--account", "work", "-vv"])
    #expect(
      outcome.output
        == #"{"Version":1,"AccessKeyId":"ASIA","SecretAccessKey":"CANARY+/=","SessionToken":"CANARY2","#
        + #""Expiration":"2099-01-01T00:00:00Z"}"# + "\n", "\(outcome)")
    #expect(!outcome.messages.contains("CANARY"), "\(outcome.messages)")
    let form = try #require(server.requests.last).form
    #expect(form["Action"] == "AssumeRoleWithWebIdentity" && form["Version"] == "2011-06-15")
    #expect(form["RoleArn"] == Self.role && form["RoleSessionName"] == "ann+x@acme.example")
    #expect(form["WebIdentityToken"]?.split(separator: ".").count == 3)
    let named = ["AWS_ROLE_SESSION_NAME": "me"]
    #expect(try ask(server, [Self.role, "--account", "work"], named).status == 0)
    #expect(server.requests.last?.form["RoleSessionName"] == "me")
  }

  @Test("Without --account, only an account that was made for the token service is used")
  func origins() throws {
    let server = try server(Self.credentials)
    let refused = try ask(server, [Self.role])
    #expect(refused.status == 2 && refused.output.isEmpty && server.hits("/sts") == 0, "\(refused)")
    try FileManager.default.removeItem(atPath: folder.path + "/store")
    #expect(try ask(server, [Self.role], for: server.base).status == 0)
  }

  @Test("AWS's refusals keep their code, and other answers are no credentials")
  func refusals() throws {
    let refusal = Self.xml(
      "<ErrorResponse><Error><Code>AccessDenied</Code><Message>Not you.</Message></Error></ErrorResponse>",
      status: 403)
    let denied = try ask(try server(refusal), [Self.role, "--account", "work"])
    #expect(
      denied.status == 1 && denied.output.isEmpty && denied.messages.contains("AccessDenied: Not you"),
      "\(denied)")
    try FileManager.default.removeItem(atPath: folder.path + "/store")
    for text in ["<a/>"] + ["ASIA", "CANARY2"].map({ Self.document.replacing($0, with: $0 + "&#10;x") }) {
      let strange = try ask(try server(Self.xml(text)), [Self.role, "--account", "work"])
      #expect(strange.status == 5 && strange.output.isEmpty, "\(text): \(strange)")
      try FileManager.default.removeItem(atPath: folder.path + "/store")
    }
  }

  @Test(
    "A region cannot lead the id_token to another server", arguments: ["AWS_REGION", "AWS_DEFAULT_REGION"])
  func region(variable: String) throws {
    let environment = ["TOKENTRY_STORE": "file:\(folder.path)/store", variable: "evil.invalid/"]
    let outcome = try Tokentry.run(["helper", "aws", Self.role, "--account", "x"], environment: environment)
    #expect(outcome.status == 2 && outcome.messages.contains("AWS_REGION takes"), "\(outcome)")
  }

  @Test("The role is the only argument", arguments: [[], ["reader"], [role, role]])
  func arguments(words: [String]) throws {
    let outcome = try Tokentry.run(["helper", "aws"] + words)
    #expect(outcome.status == 2 && outcome.messages.contains("arn:aws:iam::"), "\(outcome)")
  }
}
