import Foundation
@testable import TestSupport
import Testing

@Suite("Helpers and a locked keyring", .blocking)
struct LockedKeyringTests {
  @Test("Every program gets its own error at once, and the user is not asked for the keyring's password")
  func told() throws {
    let services = try Services(prefix: "ACCESSTOKEN-")
    try services.writePreset(origins: "https://api.example")
    let bus = try PrivateBus(.unlocked)
    let more = bus.environment.merging(["TOKENTRY_STORE": "keyring"]) { $1 }
    try services.logIn("work", ["--for", "https://h.example"], more)
    func ask(_ row: HelperRow) throws -> Outcome {
      let question = row.question("https://h.example")
      let outcome = try services.run(
        ["helper", row.name] + question.arguments, input: question.input,
        more.merging(question.environment) { $1 })
      #expect(!outcome.messages.contains("ACCESSTOKEN"), "\(outcome.messages)")
      return outcome
    }
    for row in HelperRow.all {
      #expect(try ask(row).output.contains(row.answer("ACCESSTOKEN-1")), "\(row.name)")
    }
    try bus.lock()
    for row in HelperRow.all {
      let outcome = try ask(row)
      #expect(outcome.status == row.locked.status, "\(row.name) \(outcome.messages)")
      #expect(outcome.output == row.locked.output, "\(row.name)")
      #expect(outcome.messages.contains("locked") == row.locked.isSaid, "\(row.name) \(outcome.messages)")
    }
    // This bus has no prompt, which is like a cancelled prompt.
    let attended = try services.run(
      ["helper", "git", "get"], input: "protocol=https\nhost=h.example\n\n", more)
    #expect(attended.status == 9 && attended.output.isEmpty, "\(attended.messages)")
    #expect(services.provider.requests.count == 1)
  }

  @Test("The account is found among others, and among its copies in other keyrings")
  func several() throws {
    let services = try Services(prefix: "ACCESSTOKEN-")
    try services.writePreset(origins: "https://api.example")
    let bus = try PrivateBus(.unlocked)
    let more = bus.environment.merging(["TOKENTRY_STORE": "keyring"]) { $1 }
    for account in ["work", "home", "git:h.example", "другой"] {
      try services.logIn(account, ["--for", "https://\(account == "work" ? "h" : "other").example"], more)
    }
    try findsIt(services, more)
    let copy = """
      secret-tool lookup account work | secret-tool store --label=copy --collection=session account work \
        xdg:schema org.tokentry.Account
      secret-tool search --all --unlock account work 2>&1 | grep -c "^label"
      """
    #expect(try bus.output(["sh", "-c", copy]) == "2\n")
    try findsIt(services, more)
  }

  private func findsIt(_ services: Services, _ more: [String: String]) throws {
    let accounts = try services.run(["accounts"], more)
    #expect(accounts.output.components(separatedBy: "\"account\":").count == 5, "\(accounts.output)")
    let unknown = try services.run(["token", "--account", "wrok", "--silent"], more)
    #expect(unknown.error == "unknown_account" && unknown.messages.contains("did you mean work?"))
    let row = try #require(HelperRow.all.first { $0.name == "docker" })
    let question = row.question("https://h.example")
    let outcome = try services.run(["helper", row.name] + question.arguments, input: question.input, more)
    #expect(outcome.output.contains(row.answer("ACCESSTOKEN-1")), "\(outcome.output)")
  }
}
