import GLibSupport
import LoginCore
import LoginWays
import Synchronization
import TestSupport
import Testing
import UserAgents

@Suite("A list of navigations in place of a web view")
struct NavigationsAgentTests {
  @Test("The first redirect ends the visit, and what follows is not looked at")
  func firstRedirect() async throws {
    let (result, seen) = try await visit(
      """
      https://as.example/login
      https://app.example/done?code=1
      https://app.example/done?code=2
      """)
    guard case .success(.callback(let callback)) = result else {
      Issue.record("no callback: \(result)")
      return
    }
    #expect(try callback.text() == "https://app.example/done?code=1")
    #expect(seen == ["allow https://as.example/login", "callback https://app.example/done?code=1"])
  }

  @Test("A page on which the provider shows errors ends the visit with its address")
  func errorPage() async throws {
    let (result, _) = try await visit("https://as.example/error?err=2\n")
    guard case .success(.errorPage(let uri, nil)) = result else {
      Issue.record("no error page: \(result)")
      return
    }
    #expect(uri == "https://as.example/error?err=2")
  }

  @Test("Navigations to other schemes are ignored and do not end the visit")
  func otherSchemes() async throws {
    let (result, seen) = try await visit(
      "javascript:alert(1)\nfile:///etc/passwd\nhttps://app.example/done?code=1")
    guard case .success(.callback) = result else {
      Issue.record("no callback: \(result)")
      return
    }
    #expect(seen.prefix(2) == ["ignore javascript:alert(1)", "ignore file:///etc/passwd"])
  }

  @Test("Empty lines and carriage returns are not part of a URI")
  func lineEnds() async throws {
    let (result, _) = try await visit("\r\n\n  \nhttps://app.example/done?code=1\r\n")
    guard case .success(.callback(let callback)) = result else {
      Issue.record("no callback: \(result)")
      return
    }
    #expect(try callback.text() == "https://app.example/done?code=1")
  }

  @Test(
    "A list that never reaches the redirect is a cancelled login", arguments: ["", "https://as.example/\n"])
  func neverReached(list: String) async throws {
    let (result, _) = try await visit(list)
    guard case .failure(let failure) = result, let fault = failure.fault(as: HeadlessFault.self) else {
      Issue.record("it ended otherwise: \(result)")
      return
    }
    #expect(fault == .listEnded)
  }

  @Test("A callback that is too long is still the callback, and is refused when it is read")
  func tooLong() async throws {
    let (result, _) = try await visit(
      "https://app.example/done?code=" + String(repeating: "a", count: 1_000_000))
    guard case .success(.callback(let callback)) = result else {
      Issue.record("no callback: \(result)")
      return
    }
    #expect(throws: Failure.self) { try callback.text() }
  }

  private func visit(_ list: String) async throws -> (Result<Arrival, Failure>, [String]) {
    let pipe = FilledPipe(list)
    defer { pipe.closeReading() }
    let policy = NavigationPolicy(
      redirectURI: try RedirectURI("https://app.example/done"),
      errorPages: [try ErrorPage("https://as.example/error")])
    let log = Log()
    let agent = NavigationsAgent(descriptor: pipe.reading) { uri, decision in log.add("\(decision) \(uri)") }
    let result = await onMainLoop { () async -> Result<Arrival, Failure> in
      do throws(Failure) {
        return .success(try await agent.visit(Visit(url: "https://as.example/", policy: policy)))
      } catch {
        return .failure(error)
      }
    }
    return (result, log.entries)
  }

  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var entries: [String] { lines.withLock { $0 } }
  }
}
