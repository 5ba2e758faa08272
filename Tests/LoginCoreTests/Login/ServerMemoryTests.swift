import Synchronization
import Testing

@testable import LoginCore

@Suite("ServerMemory")
struct ServerMemoryTests {
  /// A clock that the test sets.
  private final class Clock: WallClock {
    private let date: Mutex<UTCDate>

    init(_ date: UTCDate) { self.date = Mutex(date) }

    func now() -> UTCDate { date.withLock { $0 } }
    func wait(seconds: Int64) async throws(Failure) {}
    func pass(_ seconds: Int64) { date.withLock { $0 = $0.adding(seconds: seconds) ?? $0 } }
  }

  private static let address = "https://id.test/jwks"

  private func request(_ recall: HTTPRequest.Recall = .allowed) throws -> HTTPRequest {
    HTTPRequest(get: try Endpoint(Self.address)).recalling(recall)
  }

  @Test(
    "An answer is remembered as long as the server allows, at most a day, or else for ten minutes",
    arguments: [
      (nil, 600), ("max-age=60", 60), ("public, Max-Age=60, max-age=90", 60), ("max-age=86401", 86_400),
      ("max-age=99999999999999999999", 0), ("no-store", 0), ("max-age=60, no-cache", 0), ("max-age=0", 0),
      ("must-revalidate", 600),
    ] as [(String?, Int64)])
  func life(control: String?, seconds: Int64) async throws {
    var answer = HTTPResponse.json("{}")
    if let control {
      answer = HTTPResponse(status: 200, headers: [Parameter("Cache-Control", control)], body: answer.body)
    }
    let server = FakeTransport([Self.address: answer])
    let clock = Clock(try Samples.receivedAt())
    let transport = RememberingTransport(server, ServerMemory(), clock: clock)
    #expect(try await !transport.send(request()).isRemembered)
    clock.pass(max(0, seconds - 1))
    #expect(try await transport.send(request()).isRemembered == (seconds > 0))
    clock.pass(seconds > 0 ? 1 : 0)
    #expect(try await !transport.send(request()).isRemembered)
    clock.pass(-3_600)
    #expect(try await !transport.send(request()).isRemembered, "the clock was set back")
  }

  @Test("The time that an answer has spent in caches counts")
  func age() async throws {
    let headers: ParameterList = ["Cache-Control": "max-age=60", "Age": "60"]
    let server = FakeTransport([
      Self.address: HTTPResponse(status: 200, headers: headers, body: Array("{}".utf8))
    ])
    let transport = RememberingTransport(server, ServerMemory(), clock: Clock(try Samples.receivedAt()))
    for _ in 1...2 { #expect(try await !transport.send(request()).isRemembered) }
  }

  @Test("An answer that does not do is asked for again, and no other request or failure is remembered")
  func asked() async throws {
    let clock = Clock(try Samples.receivedAt())
    for (answer, recall) in [
      (HTTPResponse.json("{}"), HTTPRequest.Recall.never), (.json("{}"), .renewed),
      (.json("{}", status: 500), .allowed),
      (.json("<html>"), .allowed),
    ] {
      let server = FakeTransport([Self.address: answer])
      let transport = RememberingTransport(server, ServerMemory(), clock: clock)
      for _ in 1...2 { _ = try await transport.send(request(recall)) }
      #expect(server.sent.count == 2)
    }
  }

  @Test("Tasks that want the same answer at once share one request, which lasts if one of them is cancelled")
  func shared() async throws {
    let server = SlowTransport(answer: .json("{}"))
    let transport = RememberingTransport(server, ServerMemory(), clock: Clock(try Samples.receivedAt()))
    let wanted = try request()
    let first = Task { try? await transport.send(wanted).status }
    await server.waitForRequest()
    let second = Task { try? await transport.send(wanted).status }
    first.cancel()
    #expect(await first.value == nil)
    server.release()
    #expect(await second.value == 200)
  }
}
