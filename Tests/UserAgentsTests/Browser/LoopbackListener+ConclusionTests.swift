import Foundation
import GLibSupport
import GnuTLSCrypto
import LoginCore
import SoupNetwork
import TestSupport
import Testing

@testable import UserAgents

@Suite("What a browser is told that has brought the answer")
struct LoopbackListenerConclusionTests {
  @Test("It waits for what comes of it, and shows that")
  func concluded() async throws {
    let page = try await page(patience: .seconds(60), closesWith: .token)
    #expect(page.contains("You are signed in"), "\(page)")
  }

  @Test("It does not wait for ever, and a page that was loaded again is told the same")
  func patience() async throws {
    let page = try await page(patience: .milliseconds(200), times: 2, closesWith: nil)
    #expect(page.components(separatedBy: "Almost done</h1>").count == 3, "\(page)")
  }

  /// What is shown for the same answer, as often as it is brought.
  private func page(
    patience: Duration, times: Int = 1, closesWith conclusion: Conclusion?
  ) async throws -> String {
    try await onMainLoop { () async -> Result<String, any Error> in
      do {
        let listener = try LoopbackListener(
          for: try RedirectURI("http://127.0.0.1/callback"), cryptography: GnuTLSCryptography(),
          patience: patience)
        let visit = Visit(
          url: "https://as.example/", policy: NavigationPolicy(redirectURI: listener.redirectURI),
          state: State("S"))
        listener.wait(for: visit) { _ in
          guard let conclusion else { return }
          GLibActor.task { await listener.close(conclusion) }
        }
        let port = try #require(listener.port)
        let pages = try await onThread {
          let connections = try (0..<times).map { _ in try RawConnection(port: port) }
          for connection in connections {
            connection.send("GET /callback?code=C&state=S HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
          }
          return connections.map { String(decoding: $0.readToEnd(), as: UTF8.self) }.joined()
        }
        await listener.close(.answer)
        return .success(pages)
      } catch {
        return .failure(error)
      }
    }.get()
  }
}
