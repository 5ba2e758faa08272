import Foundation
import TestSupport
import Testing

@Suite("Faults of tokentry demo, and the answers to them")
struct DemoFaultTests {
  typealias Row = (fault: String, status: Int32, error: String?)

  @Test(
    "A login names the fault, or is none the worse for it",
    arguments: [
      ("denied", 1, "access_denied"), ("login-required", 8, "login_required"),
      ("wrong-state", 6, "state_mismatch"),
      ("no-state", 6, "state_missing"), ("wrong-iss", 6, "issuer_mismatch"), ("scope-reduced", 0, nil),
      ("wrong-nonce", 6, "nonce_mismatch"), ("id-token-expired", 6, "invalid_id_token"),
      ("id-token-signature", 6, "invalid_id_token"), ("id-token-audience", 6, "invalid_id_token"),
      ("jwks-rotated", 0, nil), ("code-used", 1, "invalid_grant"), ("token-slow=1", 0, nil),
      ("token-500", 5, "bad_provider_response"), ("token-429", 5, "bad_provider_response"),
      ("token-html", 5, "bad_provider_response"), ("connection-reset", 5, "network_error"),
      ("big-answer", 5, "bad_provider_response"), ("no-expiry", 0, nil), ("expires-in-text", 0, nil),
      ("short-life=0", 0, nil), ("no-refresh-token", 0, nil), ("refresh-rotates", 0, nil),
      ("metadata-slow=1", 0, nil), ("metadata-moved", 5, "bad_provider_response"),
      ("page-blank", 8, "login_required"),
      ("page-endless-redirect", 5, "bad_provider_response"), ("page-popup", 0, nil),
      ("page-csp", 5, "bad_provider_response"),
    ] as [Row])
  func login(row: Row) throws {
    let isOfPage = row.fault.hasPrefix("page-")
    let demo = try Demo((isOfPage ? [] : ["--user", "ada"]) + ["--fault", row.fault])
    let outcome = try demo.login(isOfPage ? Demo.form : [])
    #expect(outcome.status == row.status, "\(outcome)")
    #expect(outcome.error == row.error, "\(outcome)")
  }

  @Test(
    "A device learns of the fault, and polls less often when it is told to",
    arguments: [("device-expired", 1, "expired_token"), ("slow-down=1", 0, nil)] as [Row])
  func device(row: Row) throws {
    let demo = try Demo(["--user", "ada", "--fault", row.fault])
    let outcome = try demo.run([
      "login", "--issuer", demo.issuer, "--client-id", "tokentry-demo", "--way", "device",
    ])
    #expect(outcome.status == row.status, "\(outcome)")
    #expect(outcome.error == row.error, "\(outcome)")
  }

  @Test(
    "A kept account survives the fault, unless the provider has ended it",
    arguments: [
      ("other-user", 6, "invalid_id_token"), ("token-500", 5, "bad_provider_response"),
      ("connection-reset", 5, "network_error"), ("token-html", 5, "bad_provider_response"),
      ("refresh-lost", 5, "network_error"), ("refresh-slow=1", 0, nil), ("refresh-dead", 8, "login_required"),
      ("no-refresh-token", 0, nil),
    ] as [Row])
  func refresh(row: Row) throws {
    let demo = try Demo(["--user", "ada"])
    #expect(try demo.login(["--account", "me"]).status == 0)
    try demo.post("faults", [row.fault.contains("=") ? row.fault : row.fault + "=on"])
    let refresh = ["token", "me", "--silent", "--min-valid", "4000"]
    let outcome = try demo.run(refresh)
    #expect(outcome.status == row.status, "\(outcome)")
    #expect(outcome.error == row.error, "\(outcome)")
    try demo.post("faults")
    // After a lost answer the provider has ended the login, and another user's tokens stay another user's.
    let later: [String: Int32] = ["refresh-lost": 8, "refresh-dead": 8, "other-user": 6]
    #expect(try demo.run(refresh).status == later[row.fault, default: 0])
  }

  @Test(
    "A request goes on after a refusal, and signs in again only if that helps",
    arguments: [
      ("api-401=1", 0, nil), ("api-401", 1, "invalid_token"),
      ("api-insufficient-scope", 1, "insufficient_scope"),
    ] as [Row])
  func request(row: Row) throws {
    let demo = try Demo(["--user", "ada", "--fault", row.fault])
    #expect(try demo.login(["--account", "me", "--for", demo.issuer]).status == 0)
    let outcome = try demo.run(["request", "--account", "me", "--silent", demo.issuer + "/api/echo"])
    #expect(outcome.status == row.status, "\(outcome)")
    #expect(outcome.error == row.error, "\(outcome)")
    #expect(outcome["user"] as? String == (row.status == 0 ? "ada" : nil), "\(outcome)")
  }

  @Test("The API's other half is reached by a step-up, and with a bound token")
  func stepUp() throws {
    let demo = try Demo(["--user", "ada"])
    #expect(try demo.login(["--account", "me", "--dpop", "--for", demo.issuer]).status == 0)
    let outcome = try demo.run(
      ["request", "--account", "me", "--headless-test", demo.issuer + "/api/admin"])
    #expect(outcome["scope"] as? String == "openid profile admin", "\(outcome)")
    #expect(try demo.log()["sign_ins"] as? Int == 2)
  }

  @Test("The provider has the client and the user of its options, on any free port, and resets")
  func options() throws {
    let demo = try Demo(["--user", "grace", "--client", "app:hush"])
    #expect(demo.document["client_secret"] as? String == "hush")
    let secret = TemporaryFolder()
    try secret.write("hush", to: "secret")
    let login = [
      "login", "--issuer", demo.issuer, "--client-id", "app", "--client-secret-file", secret.path + "/secret",
      "--headless-test", "--account", "me", "--for", demo.issuer,
    ]
    #expect(try demo.run(login).status == 0)
    let answer = try demo.run(["request", "--account", "me", demo.issuer + "/api/echo"])
    #expect(answer["user"] as? String == "grace", "\(answer)")
    #expect(try demo.log()["sign_ins"] as? Int == 1)
    try demo.post("reset")
    #expect(try demo.log()["sign_ins"] as? Int == 0)
  }

  @Test("The provider ends with the program that holds its standard input")
  func endsWithCaller() throws {
    let outcome = try Command.run(
      ["/bin/sh", "-c", #"sleep 1 | "$0" demo --serve --port 0"#, try Tokentry.path()],
      environment: Tokentry.environment)
    #expect(outcome.status == 0, "\(outcome)")
  }

  @Test("An unknown fault, a taken port and options of the server alone are refused")
  func refused() throws {
    let demo = try Demo([])
    let port = String(demo.issuer.split(separator: ":").last ?? "")
    let rows: [([String], String)] = [
      (["--serve", "--fault", "tokn-500"], "invalid_option"),
      (["--serve", "--port", port], "invalid_configuration"),
      (["--port", "0"], "invalid_configuration"), (["--serve", "--port", "70000"], "invalid_option"),
      (["--serve", "--client", ":x"], "invalid_option"),
    ]
    for (options, error) in rows {
      #expect(try Tokentry.run(["demo"] + options).error == error, "\(options)")
    }
    #expect(
      try Tokentry.run(["demo", "--serve", "--fault", "tokn-500"]).messages.contains(
        "did you mean token-500?"))
    let faults = try Tokentry.run(["demo", "--faults"])["faults"] as? [[String: Any]]
    #expect(faults?.first?["fault"] as? String == "denied")
  }
}

/// The demo provider in a process of its own, and a user with a store.
final class Demo {
  private let provider: RunningTokentry
  private let folder = TemporaryFolder()
  let document: [String: Any]

  static let form = ["username=ada", "password=demo", "decision=allow"].flatMap { ["--form", $0] }

  init(_ options: [String]) throws {
    let started = try RunningTokentry(["demo", "--serve", "--port", "0"] + options)
    provider = started
    waitUntil { started.output.hasSuffix("\n") || !started.isRunning }
    let object = try JSONSerialization.jsonObject(with: Data(started.output.utf8))
    document = try #require(object as? [String: Any])
  }

  deinit { provider.end(SIGTERM) }

  var issuer: String { document["issuer"] as? String ?? "" }

  var environment: [String: String] { ["TOKENTRY_STORE": "file:\(folder.path)/store"] }

  func run(_ arguments: [String]) throws -> Outcome { try Tokentry.run(arguments, environment: environment) }

  func login(_ options: [String]) throws -> Outcome {
    try run(
      [
        "login", "--issuer", issuer, "--client-id", "tokentry-demo", "--scope", "openid profile",
        "--headless-test",
      ]
        + options)
  }

  func post(_ path: String, _ form: [String] = []) throws {
    let outcome = try Command.run(
      ["/usr/bin/curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-d", form.joined(separator: "&")]
        + ["\(issuer)/\(path)"])
    #expect(outcome.output == "303", "\(outcome)")
  }

  func log() throws -> [String: Any] {
    let outcome = try Command.run(["/usr/bin/curl", "-sS", issuer + "/log"])
    return try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }
}
