import Foundation
import GLibSupport
import LoginCore
import SoupNetwork
import TestSupport
import Testing

@Suite("Ending an exchange early", .limited(toMinutes: 5))
struct CancellationTests {
  @Test(
    "Cancelling the task ends the exchange, before the answer and in the middle of it",
    arguments: ["", "HTTP/1.1 200 OK\r\n\r\n{"])
  func cancellation(begin: String) async throws {
    let server = ScriptedServer { wire in
      wire.readRequest()
      wire.write(begin)
      wire.waitForEnd()
    }
    defer { server.stop() }
    let (failure, passed) = await failure(of: HTTPRequest(get: try server.endpoint()), cancelledAfter: 200)
    guard case .user(.cancelled) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(passed < .seconds(8))
    #expect(server.connections == 1)
  }

  @Test("A task that has been cancelled makes no connection")
  func cancelledBefore() async throws {
    let server = ScriptedServer { $0.waitForEnd() }
    defer { server.stop() }
    let (failure, _) = await failure(of: HTTPRequest(get: try server.endpoint()), cancelledAfter: 0)
    guard case .user(.cancelled) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(server.connections == 0)
  }

  @Test("Exchanges at the same time do not end each other")
  func together() async throws {
    let slow = ScriptedServer { $0.waitForEnd() }
    defer { slow.stop() }
    let quick = ScriptedServer { wire in
      wire.readRequest()
      _ = wire.pause(milliseconds: 1_200)
      wire.answer("HTTP/1.1 200 OK", "{}")
    }
    defer { quick.stop() }
    let (first, second) = (try slow.endpoint(), try quick.endpoint())
    let status = await onMainLoop { () async -> Int? in
      let transport = SoupTransport(userAgent: "test/1", limits: .init(seconds: 2))
      let exchange = GLibActor.task { _ = try? await transport.send(HTTPRequest(get: first)) }
      GLibActor.task { exchange.cancel() }
      return try? await transport.send(HTTPRequest(get: second)).status
    }
    #expect(status == 200)
  }

  /// Sends a request, and cancels its task some milliseconds later, or before it has begun.
  private func failure(
    of request: HTTPRequest, cancelledAfter delay: UInt32
  ) async -> (Failure?, Duration) {
    await onMainLoop { () async -> (Failure?, Duration) in
      let started = ContinuousClock.now
      let failure = await withCheckedContinuation { (continuation: CheckedContinuation<Failure?, Never>) in
        let exchange = GLibActor.task {
          do throws(Failure) {
            _ = try await SoupTransport(userAgent: "test/1").send(request)
            continuation.resume(returning: nil)
          } catch {
            continuation.resume(returning: error)
          }
        }
        if delay == 0 { return exchange.cancel() }
        // From another thread, as whoever cancels may be on any.
        Thread.detachNewThread {
          usleep(delay * 1_000)
          exchange.cancel()
        }
      }
      return (failure, ContinuousClock.now - started)
    }
  }
}
