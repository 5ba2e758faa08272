import Foundation
import GLibSupport
import Glibc
import TestSupport
import Testing

@testable import LoginCore
@testable import SoupNetwork

@Suite("Answers", .limited(toMinutes: 5))
struct AnswerTests {
  @Test("A redirect is returned, not followed", arguments: [301, 302, 303, 307, 308])
  func redirects(status: Int) async throws {
    let second = ScriptedServer { $0.readRequest() }
    defer { second.stop() }
    let first = ScriptedServer { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 \(status) Elsewhere\r\nLocation: http://127.0.0.1:\(second.port)/")
    }
    defer { first.stop() }
    let endpoint = try first.endpoint()
    for request in [HTTPRequest(get: endpoint), HTTPRequest(post: [Parameter("code", "C")], to: endpoint)] {
      let answer = await exchange(request).answer
      #expect(answer?.status == status)
      #expect(answer?[header: "location"] == "http://127.0.0.1:\(second.port)/")
    }
    #expect(second.connections == 0)
    #expect(first.connections == 2)
  }

  @Test(
    "A POST leaves no connection open at a server that would keep it, and requests that only read share one")
  func openConnections() async throws {
    let server = ScriptedServer { wire in
      while wire.readRequest() { wire.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
    }
    defer { server.stop() }
    let endpoint = try server.endpoint()
    await onMainLoop {
      let transport = SoupTransport(userAgent: "test/1")
      for _ in 1...20 { _ = try? await transport.send(HTTPRequest(post: [], to: endpoint)) }
      let areClosed = await inBackground { server.closesAlone() }
      #expect(areClosed && server.connections == 20)
      for _ in 1...20 { _ = try? await transport.send(HTTPRequest(get: endpoint)) }
      #expect(server.connections == 21)
    }
  }

  @Test(
    "A body is the same whether it ends by length, chunks or the connection",
    arguments: [
      "HTTP/1.0 200 OK\r\n\r\n{\"a\":1}",
      "HTTP/1.0 200 OK\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
      "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"a\":1}",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n4;x=y\r\n\":1}\r\n0\r\nX: y\r\n\r\n",
      "HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n07  \r\n{\"a\":1}\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"a\":1}\r\n0\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
    ])
  func framings(text: String) async throws {
    let answer = try await exchange { wire in
      wire.readRequest()
      wire.write(text)
    }.answer
    #expect(answer?.status == (text.contains("401") ? 401 : 200))
    #expect(answer?.body == Array("{\"a\":1}".utf8))
  }

  @Test(
    "An answer with bytes that are not a chunk is a bad response",
    arguments: [
      "", "zz", "-3", "+3", "0x3", " 3", "3 x", "ffffffffffffffff", "10000000000000000",
      "3\r\nabcd", "3\r\nab\r\n",
    ])
  func notAChunk(chunk: String) async throws {
    let result = try await exchange { wire in
      wire.readRequest()
      wire.write(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"a\":1}\r\n\(chunk)\r\n0\r\n\r\n")
      wire.waitForEnd()
    }
    #expect(result.failure == .notOAuth("the body of the answer cannot be decoded"), "\(result)")
  }

  @Test("Chunks are the same in one piece and byte by byte")
  func chunksInPieces() {
    let bytes = Array("3\r\nabc\r\n00a;x=\"y\"\r\n0123456789\r\n0\r\nX: y\r\n\r\n".utf8)
    var (whole, pieces) = (ChunkedCoding(), ChunkedCoding())
    #expect(whole.decode(bytes) == Array("abc0123456789".utf8) && whole.isComplete)
    #expect(bytes.flatMap { pieces.decode([$0]) } == Array("abc0123456789".utf8))
    #expect(pieces.isComplete)
    var open = ChunkedCoding()
    #expect(open.decode(Array("3\r\nabc\r\n".utf8)) == Array("abc".utf8) && !open.isComplete)
    var endless = ChunkedCoding()
    #expect(endless.decode([UInt8](repeating: 0x30, count: 10_000)).isEmpty && endless.isBroken)
  }

  @Test("A connection on which chunks came is closed, and the next request has a new one")
  func connectionAfterChunks() async throws {
    let server = ScriptedServer { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
      wire.waitForEnd()
    }
    defer { server.stop() }
    let request = HTTPRequest(get: try server.endpoint())
    let results = await exchanges([request, request])
    #expect(results.map { $0.answer?.body } == [Array("{}".utf8), Array("{}".utf8)], "\(results)")
    #expect(server.connections == 2)
  }

  @Test(
    "An empty answer ends at once, even if the connection stays open",
    arguments: [
      ("HTTP/1.1 204 No Content\r\n\r\n", 204), ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200),
      ("HTTP/1.1 304 Not Modified\r\n\r\n", 304),
    ])
  func noBody(text: String, status: Int) async throws {
    let answer = try await exchange { wire in
      wire.readRequest()
      wire.write(text)
      wire.waitForEnd()
    }.answer
    #expect(answer?.status == status)
    #expect(answer?.body == [])
  }

  @Test(
    "A demand for credentials is returned; the request is not repeated",
    arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"n\"", "Bearer", "Negotiate", "NTLM"])
  func unauthorized(challenge: String) async throws {
    let server = ScriptedServer { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)", "{}")
    }
    defer { server.stop() }
    let headers: ParameterList = ["Authorization": "Basic Y2xpZW50OnNlY3JldA=="]
    let request = HTTPRequest(post: [], to: try server.endpoint(), headers: headers)
    let results = await exchanges([request, request])
    #expect(results.map { $0.answer?.status } == [401, 401])
    #expect(results.map { $0.answer?.body } == [Array("{}".utf8), Array("{}".utf8)])
    #expect(server.connections == 2)
    #expect(
      server.heard.split(separator: "\r\n").count { $0 == "Authorization: Basic Y2xpZW50OnNlY3JldA==" } == 2)
  }

  @Test("Repeated header fields are kept in order")
  func headers() async throws {
    let answer = try await exchange { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a:  2 \r\nContent-Type: application/json; charset=utf-8")
    }.answer
    let own = answer?.headers.filter { $0.name.lowercased() == "x-a" }
    #expect(own == [Parameter("X-A", "1"), Parameter("x-a", "2")])
    #expect(answer?.mediaType == "application/json")
  }

  @Test(
    "An answer that is not HTTP is a bad response",
    arguments: [
      "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 abc\r\n\r\n", "{\"access_token\":\"T\"}\r\n\r\n", "HTTP/1.1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: ", "\r\n\r\n",
    ])
  func malformed(text: String) async throws {
    let result = try await exchange { wire in
      wire.readRequest()
      wire.write(text)
    }
    #expect(result.failure?.code == .badResponse, "\(result)")
  }
}

@Suite("Failed connections", .limited(toMinutes: 5))
struct FailureTests {
  @Test("A closed port refuses the connection")
  func refused() async throws {
    // The port is bound but not listening, so that no other test's server gets it.
    let (descriptor, port) = try takenPort()
    defer { close(descriptor) }
    let endpoint = try Endpoint("http://127.0.0.1:\(port)/")
    let failure = await exchange(HTTPRequest(get: endpoint)).failure
    #expect(failure == .unreachable("127.0.0.1", "the connection was refused"))
  }

  @Test(
    "An answer that breaks off at any point is a failed connection",
    arguments: [
      "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    ], [false, true])
  func broken(begin: String, byReset: Bool) async throws {
    let result = try await exchange { wire in
      wire.readRequest()
      wire.write(begin)
      if byReset { wire.reset() }
    }
    #expect(result.failure?.isUnreachable == true)
  }

  @Test("A connection that is reset before the request is a failed connection")
  func gone() async throws {
    let result = try await exchange { $0.reset() }
    #expect(result.failure?.isUnreachable == true)
  }

  @Test("A name that does not exist is an unknown host, unless this machine has no name server")
  func unknownHost() async throws {
    let result = await exchange(HTTPRequest(get: try Endpoint("https://name.invalid/")))
    let possible: [Failure] = [
      .unknownHost("name.invalid"), .offline, .unreachable("name.invalid", "no name server answers"),
    ]
    #expect(try possible.contains(#require(result.failure)))
  }
}

/// Binds a port of 127.0.0.1 without listening on it.
private func takenPort() throws -> (descriptor: Int32, port: UInt16) {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutableBytes(of: &address) { bytes in
    let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
    return bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
  }
  try #require(isBound)
  return (descriptor, UInt16(bigEndian: address.sin_port))
}

@Suite("Cancelled exchanges", .limited(toMinutes: 5))
struct CancellationTests {
  @Test(
    "Cancelling the task ends the exchange before the answer and in the middle of it",
    arguments: ["", "HTTP/1.1 200 OK\r\n\r\n{"])
  func cancellation(begin: String) async throws {
    let hasBegun = DispatchSemaphore(value: 0)
    let server = ScriptedServer { wire in
      wire.readRequest()
      wire.write(begin)
      hasBegun.signal()
      wire.waitForEnd()
    }
    defer { server.stop() }
    let request = HTTPRequest(get: try server.endpoint())
    #expect(await failure(of: request) { hasBegun.wait() } == .cancelled)
    #expect(server.connections == 1)
  }

  @Test("A task that is cancelled before it starts makes no connection")
  func cancelledBefore() async throws {
    let server = ScriptedServer { $0.waitForEnd() }
    defer { server.stop() }
    #expect(await failure(of: HTTPRequest(get: try server.endpoint()), cancelledAfter: nil) == .cancelled)
    #expect(server.connections == 0)
  }

  @Test("Cancelling one exchange leaves the others alone")
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

  /// Sends a request, and cancels its task when `event` returns; nil cancels it before it starts.
  private func failure(
    of request: HTTPRequest, cancelledAfter event: (@Sendable () -> Void)?
  ) async -> Failure? {
    await onMainLoop {
      await withCheckedContinuation { (continuation: CheckedContinuation<Failure?, Never>) in
        let exchange = GLibActor.task {
          do throws(Failure) {
            _ = try await SoupTransport(userAgent: "test/1").send(request)
            continuation.resume(returning: nil)
          } catch {
            continuation.resume(returning: error)
          }
        }
        guard let event else { return exchange.cancel() }
        // A task may be cancelled from any thread.
        Thread.detachNewThread {
          event()
          exchange.cancel()
        }
      }
    }
  }
}
