import Foundation
import TestSupport
import Testing

@Suite("Signing out of a registry", .blocking)
struct SignOutTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "signout-\(UUID().uuidString)")
    .path(percentEncoded: false)

  @Test("What another program has renewed meanwhile is ended, and not what it has replaced")
  func renewed() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try StandInServer { request, _ in
      request.path == "/t"
        ? .json(#"{"access_token":"T1st","token_type":"Bearer","expires_in":3600,"refresh_token":"R1st"}"#)
        : .json("{}")
    }
    let environment = ["TOKENTRY_STORE": "file:\(folder)"]
    let login = try Program.run(
      [
        "login", "--authorization-endpoint", server.base + "/a", "--token-endpoint", server.base + "/t",
        "--revocation-endpoint", server.base + "/r", "--client-id", "me", "--redirect-uri",
        "https://app.example/done", "--state", "S", "--headless-test", "--navigations", "-", "--account",
        "work",
        "--for", "registry.example",
      ], input: "https://app.example/done?code=C&state=S\n", environment: environment)
    try #require(login.status == 0, "\(login.output)\(login.messages)")
    // The other program has its turn at the account.
    let lock = open(folder + "/.work.lock", O_RDWR | O_CLOEXEC)
    try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
    let question =
      #"{"v":1,"registry":{"index-url":"sparse+https://registry.example/index/"},"kind":"logout","args":[]}"#
    async let outcome = onThread {
      try Program.run(["helper", "cargo"], input: question + "\n", environment: environment)
    }
    // Whoever does not wait for it has ended the old ones by now.
    try await Task.sleep(for: .seconds(1))
    let file = folder + "/work.json"
    let document = try String(contentsOfFile: file, encoding: .utf8)
    try document.replacingOccurrences(of: "1st", with: "2nd").write(
      toFile: file, atomically: false, encoding: .utf8)
    close(lock)
    let answer = try await outcome
    #expect(answer.output.contains(#"{"Ok":{"kind":"logout"}}"#), "\(answer.output)\(answer.messages)")
    let ended = server.requests.filter { $0.path == "/r" }.compactMap { $0.form["token"] }
    #expect(!ended.isEmpty && ended.allSatisfy { $0.hasSuffix("2nd") }, "\(ended)")
  }
}
