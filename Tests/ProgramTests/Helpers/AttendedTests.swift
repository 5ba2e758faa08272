import Foundation
import TestSupport
import Testing

@Suite("Helpers whose programs say if the user is present", .blocking)
struct AttendedTests {
  /// How a program says that the user is there or not, and a part of the answer with the token of a login.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    let input: String
    let attended: [String: String]
    let unattended: [[String: String]]
    let answer: String

    var testDescription: String { name }
  }

  private static let token = "ACCESSTOKEN-101"

  private static func cluster(_ version: String, _ specification: String) -> [String: String] {
    [
      "KUBERNETES_EXEC_INFO":
        #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/\#(version)","#
        + #""spec":{"cluster":{"server":"https://h.example","config":null}\#(specification)}}"# + "\n"
    ]
  }

  private static func kubernetes(_ version: String) -> Row {
    Row(
      name: "kubernetes", arguments: [], input: "", attended: cluster(version, #","interactive":true"#),
      unattended: [
        cluster(version, #","interactive":false"#), cluster(version, ""),
        cluster(version, #","interactive":"true""#),
      ],
      answer: #"{"apiVersion":"client.authentication.k8s.io/\#(version)","kind":"ExecCredential","status":{"#
        + #""token":"I\#(token)"}}"# + "\n")
  }

  private static func google(_ isInteractive: String) -> [String: String] {
    [
      "GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE": "//h.example/locations/global/workforcePools/p",
      "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": "urn:ietf:params:oauth:token-type:id_token",
      "GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE": isInteractive,
    ]
  }

  static let rows = [
    kubernetes("v1"), kubernetes("v1beta1"),
    Row(
      name: "google", arguments: [], input: "", attended: google("1"), unattended: [google("0"), google("")],
      answer: #""id_token":"I\#(token)""#),
    Row(
      name: "git", arguments: ["get"], input: "protocol=https\nhost=h.example\n\n", attended: [:],
      unattended: [["GIT_TERMINAL_PROMPT": "0"]], answer: "password=\(token)\n"),
  ]

  /// An account whose token has expired and cannot be refreshed.
  private func services() throws -> Services {
    let services = try Services(life: 30, prefix: "ACCESSTOKEN-")
    try services.writePreset(origins: "https://api.example")
    try services.logIn("work", ["--for", "https://h.example"])
    services.refuseRefresh()
    return services
  }

  private func ask(_ row: Row, _ services: Services, _ environment: [String: String]) throws -> Outcome {
    try services.run(
      ["helper", row.name] + row.arguments, input: row.input,
      environment.merging(["TOKENTRY_HEADLESS_TEST": "1"]) { $1 })
  }

  @Test(
    "The user signs in only if the program says that the user is there, and once for many programs",
    arguments: rows)
  func asked(row: Row) async throws {
    let services = try services()
    for environment in row.unattended {
      let outcome = try ask(row, services, environment)
      #expect(outcome.status == (row.name == "google" ? 0 : 8), "\(outcome.messages)")
      #expect(!outcome.output.contains("ACCESSTOKEN"))
      #expect(
        (outcome.output + outcome.messages).contains("needs a new sign-in, but the user may not be asked"))
    }
    #expect(services.provider.hits("/a") == 0)
    let environment = services.environment
      .merging(row.attended.merging(["TOKENTRY_HEADLESS_TEST": "1"]) { $1 }) { $1 }
    let outcomes = try await atOnce(20) { _ in
      try Tokentry.run(["helper", row.name] + row.arguments, input: row.input, environment: environment)
    }
    for outcome in outcomes {
      #expect(outcome.output.contains(row.answer), "\(outcome)")
      #expect(outcome.status == 0 && outcome.messages.isEmpty)
    }
    #expect(services.provider.hits("/a") == 1, "one login")
  }

  @Test("Google's file is written after a success only, and then standard output stays empty")
  func file() throws {
    let services = try services()
    let row = try #require(Self.rows.first { $0.name == "google" })
    let path = services.folder + "/kept.json"
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    func ask(_ environment: [String: String]) throws -> Outcome {
      try self.ask(row, services, environment.merging(["GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE": path]) { $1 })
    }
    let refused = try ask(Self.google("0"))
    #expect(refused.status == 0 && refused.output.contains("\"success\":false"))
    var stranger = Self.google("1")
    stranger["GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE"] = "//other.example/p"
    let failed = try ask(stranger)
    #expect(
      failed.status == 2 && failed.output.contains("\"code\":\"origin_not_allowed\""), "\(failed.output)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    let attended = try ask(Self.google("1"))
    #expect(
      attended.status == 0 && attended.output.isEmpty && attended.messages.isEmpty, "\(attended.output)")
    let kept = try String(contentsOfFile: path, encoding: .utf8)
    #expect(kept.contains(row.answer) && kept.contains("\"success\":true"))
    let unattended = try ask(Self.google("0"))
    #expect(unattended.output == kept)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try FileManager.default.removeItem(atPath: path)
    mkfifo(path, 0o600)
    let unfit = try ask(Self.google("0"))
    #expect(unfit.output.contains("\(path) is not a regular file"), "\(unfit.output)")
    let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    #expect(type == .typeUnknown, "the pipe is still there")
  }
}
