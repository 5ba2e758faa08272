import Foundation
import TestSupport
import Testing

@Suite("Faults of tokentry demo, and the answers to them")
struct DemoFaultTests {
  typealias Row = (fault: String, status: Int32, error: String?)

  private static let logins: [Row] = [
    ("denied", 1, "access_denied"), ("login-required", 8, "login_required"),
    ("wrong-state", 6, "state_mismatch"), ("no-state", 6, "state_missing"),
    ("wrong-iss", 6, "issuer_mismatch"), ("scope-reduced", 0, nil), ("wrong-nonce", 6, "nonce_mismatch"),
    ("id-token-expired", 6, "invalid_id_token"), ("id-token-signature", 6, "invalid_id_token"),
    ("id-token-audience", 6, "invalid_id_token"), ("jwks-rotated", 0, nil),
    ("code-used", 1, "invalid_grant"), ("token-slow=1", 0, nil), ("token-500", 5, "bad_provider_response"),
    ("token-429", 5, "bad_provider_response"), ("token-html", 5, "bad_provider_response"),
    ("connection-reset", 5, "network_error"), ("big-answer", 5, "bad_provider_response"),
    ("no-expiry", 0, nil), ("expires-in-text", 0, nil), ("short-life=0", 0, nil),
    ("no-refresh-token", 0, nil),
    ("metadata-slow=1", 0, nil), ("metadata-moved", 5, "bad_provider_response"),
    ("page-blank", 8, "login_required"), ("page-endless-redirect", 5, "bad_provider_response"),
    ("page-popup", 0, nil), ("page-csp", 5, "bad_provider_response"),
  ]

  @Test("A login names the fault, or is none the worse for it", arguments: logins)
  func login(row: Row) throws {
    let isOfPage = row.fault.hasPrefix("page-")
    let demo = try RunningDemo((isOfPage ? [] : ["--user", "ada"]) + ["--fault", row.fault])
    let outcome = try demo.login(isOfPage ? RunningDemo.form : [])
    #expect(outcome.status == row.status, "\(outcome)")
    #expect(outcome.error == row.error, "\(outcome)")
    #expect(try demo.requests(at: "/token").count <= 1, "a code is exchanged once, even after a failure")
    #expect(try demo.requests(at: "/authorize").count <= 21, "redirects are followed twenty times")
    #expect(try demo.requests(at: "/.well-known/openid-configuration").count == 1)
  }

  private static let devices: [Row] = [
    ("denied", 1, "access_denied"), ("device-expired", 1, "expired_token"), ("slow-down=1", 0, nil),
  ]

  @Test("A device learns of the fault, and polls less often when it is told to", arguments: devices)
  func device(row: Row) throws {
    let demo = try RunningDemo(["--user", "ada", "--fault", row.fault])
    let outcome = try demo.run([
      "login", "--issuer", demo.issuer, "--client-id", "tokentry-demo", "--way", "device",
    ])
    #expect(outcome.status == row.status, "\(outcome)")
    #expect(outcome.error == row.error, "\(outcome)")
    #expect(outcome["origin"] as? String == row.error.map { _ in "provider" })
    #expect(try demo.requests(at: "/token").count == (row.error == nil ? 2 : 1))
  }

  private static let refreshes: [Row] = [
    ("other-user", 6, "invalid_id_token"), ("token-500", 5, "bad_provider_response"),
    ("connection-reset", 5, "network_error"), ("token-html", 5, "bad_provider_response"),
    ("refresh-lost", 5, "network_error"), ("refresh-slow=1", 0, nil), ("refresh-dead", 8, "login_required"),
    ("no-refresh-token", 0, nil), ("refresh-rotates", 0, nil),
  ]

  @Test("A kept account survives the fault, unless the provider has ended it", arguments: refreshes)
  func refresh(row: Row) throws {
    let demo = try RunningDemo()
    #expect(try demo.login(["--account", "me"]).status == 0)
    try demo.faults(row.fault)
    let refresh = ["token", "me", "--silent", "--min-valid", "4000"]
    let outcome = try demo.run(refresh)
    #expect(outcome.status == row.status, "\(outcome)")
    #expect(outcome.error == row.error, "\(outcome)")
    try demo.faults()
    // After a lost answer the provider has ended the login, and another user's tokens stay another user's.
    let later: [String: Int32] = ["refresh-lost": 8, "refresh-dead": 8, "other-user": 6]
    #expect(try demo.run(refresh).status == later[row.fault, default: 0])
  }

  private static let requests: [Row] = [
    ("api-401=1", 0, nil), ("api-401", 1, "invalid_token"),
    ("api-insufficient-scope", 1, "insufficient_scope"),
  ]

  @Test("A request goes on after a refusal, and signs in again only if that helps", arguments: requests)
  func request(row: Row) throws {
    let demo = try RunningDemo(["--user", "ada", "--fault", row.fault])
    #expect(try demo.login(["--account", "me", "--for", demo.issuer]).status == 0)
    let outcome = try demo.run(["request", "--account", "me", "--silent", demo.issuer + "/api/echo"])
    #expect(outcome.status == row.status, "\(outcome)")
    #expect(outcome.error == row.error, "\(outcome)")
    #expect(outcome["user"] as? String == (row.status == 0 ? "ada" : nil), "\(outcome)")
  }

  @Test("The API's other half is reached by a step-up, and with a bound token")
  func stepUp() throws {
    let demo = try RunningDemo()
    #expect(try demo.login(["--account", "me", "--dpop", "--for", demo.issuer]).status == 0)
    let outcome = try demo.run(
      ["request", "--account", "me", "--headless-test", demo.issuer + "/api/admin"])
    #expect(outcome["scope"] as? String == "openid profile admin", "\(outcome)")
    #expect(try demo.count("sign_ins") == 2)
  }

  @Test("The provider has the client and the user of its options, on any free port, and resets")
  func options() throws {
    let demo = try RunningDemo(["--user", "grace", "--client", "app:hush"])
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
    #expect(try demo.count("sign_ins") == 1)
    try demo.post("reset")
    #expect(try demo.count("sign_ins") == 0)
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
    let demo = try RunningDemo([])
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
  }

  @Test("Every fault of the list has a row here")
  func complete() throws {
    let listed = try Tokentry.run(["demo", "--faults"])["faults"] as? [[String: Any]]
    let rows = Self.logins + Self.devices + Self.refreshes + Self.requests
    let tested = Set(rows.map { $0.fault.prefix { $0 != "=" } })
    #expect(Set(listed?.compactMap { ($0["fault"] as? String)?[...] } ?? []) == tested)
  }
}
