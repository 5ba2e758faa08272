import GLibSupport
import LoginCore
import SignIn
import Synchronization
import TestSupport
import Testing
import WindowProtocol

@Suite("NavigationsAgent")
struct NavigationsAgentTests {
  @Test("The first navigation to the redirect URI ends the visit")
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

  @Test("An error page of the provider ends the visit with its address")
  func errorPage() async throws {
    let (result, _) = try await visit("https://as.example/error?err=2\n")
    guard case .success(.errorPage(let uri, nil)) = result else {
      Issue.record("no error page: \(result)")
      return
    }
    #expect(uri == "https://as.example/error?err=2")
  }

  @Test("Navigations to other schemes are ignored")
  func otherSchemes() async throws {
    let (result, seen) = try await visit(
      "javascript:alert(1)\nfile:///etc/passwd\nhttps://app.example/done?code=1")
    guard case .success(.callback) = result else {
      Issue.record("no callback: \(result)")
      return
    }
    #expect(seen.prefix(2) == ["ignore javascript:alert(1)", "ignore file:///etc/passwd"])
  }

  @Test("Empty lines and carriage returns are ignored")
  func lineEnds() async throws {
    let (result, _) = try await visit("\r\n\n  \nhttps://app.example/done?code=1\r\n")
    guard case .success(.callback(let callback)) = result else {
      Issue.record("no callback: \(result)")
      return
    }
    #expect(try callback.text() == "https://app.example/done?code=1")
  }

  @Test(
    "A list that ends before the redirect cancels the login", arguments: ["", "https://as.example/\n"])
  func neverReached(list: String) async throws {
    let (result, _) = try await visit(list)
    guard case .failure(let failure) = result else {
      Issue.record("no failure: \(result)")
      return
    }
    #expect(failure == Failure(.cancelled, "the list of navigations ended before the redirect"))
  }

  @Test("A callback that is too long ends the visit, and is refused when it is read")
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
