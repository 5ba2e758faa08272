import Foundation
import GLibSupport
import LoginCore
import SoupNetwork
import TestSupport
import Testing

@Suite("Limits of an exchange", .limited(toMinutes: 5))
struct LimitsTests {
  private static let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
  private static let zeros = [UInt8](repeating: 0x30, count: 65_536)

  @Test("A body may reach the limit but not exceed it", arguments: [1, 1_000, 1 << 20])
  func cap(limit: Int) async throws {
    for excess in [0, 1] {
      let result = try await exchange(limits: .init(bodyBytes: limit, seconds: 10)) { wire in
        wire.readRequest()
        wire.write(Self.head)
        wire.write([UInt8](repeating: 0x30, count: limit + excess))
      }
      if excess == 0 {
        #expect(result.answer?.body.count == limit)
      } else {
        #expect(result.failure == .tooLarge("127.0.0.1", limit: limit))
      }
    }
  }

  @Test("A compressed body stops at the limit for its decompressed size")
  func bomb() async throws {
    let packed = try Self.compressed("head -c 100000000 /dev/zero | gzip -c")
    #expect(packed.count < 200_000)
    let result = try await exchange { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
      wire.write(packed)
      wire.waitForEnd()
    }
    #expect(result.failure == .tooLarge("127.0.0.1", limit: 1 << 20))
  }

  @Test(
    "A compressed body is decoded even though none was requested", arguments: ["gzip", "x-gzip", " gzip "])
  func gzip(coding: String) async throws {
    let packed = try Self.compressed("printf '{}' | gzip -c")
    // Content-Length is the length of the compressed body.
    for length in ["Connection: close", "Content-Length: \(packed.count)"] {
      let result = try await exchange { wire in
        wire.readRequest()
        wire.write("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\(length)\r\n\r\n")
        wire.write(packed)
      }
      #expect(result.answer?.body == Array("{}".utf8), "\(result)")
    }
  }

  @Test("A compressed body in chunks is refused, because it could break off unnoticed")
  func compressedChunks() async throws {
    let packed = try Self.compressed("printf '{}' | gzip -c")
    let result = try await exchange { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
      wire.write(Array("\(String(packed.count, radix: 16))\r\n".utf8) + packed + Array("\r\n0\r\n\r\n".utf8))
    }
    #expect(
      result.failure == .notOAuth("the body of the answer has an encoding that was not requested"),
      "\(result)")
  }

  @Test(
    "A body with an unknown encoding or with several encodings is refused",
    arguments: ["gzip, gzip", "gzip\r\nContent-Encoding: gzip", "GZIP", "zstd", "compress"])
  func codings(coding: String) async throws {
    let result = try await exchange { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)", "{}")
    }
    #expect(
      result.failure == .notOAuth("the body of the answer has an encoding that was not requested"),
      "\(result)")
  }

  @Test("An endless body stops at the limit, and its connection is closed")
  func endless() async throws {
    let (result, passed) = try await timedExchange(limits: .init(seconds: 10)) { wire in
      wire.readRequest()
      wire.write(Self.head)
      while wire.write(Self.zeros) {}
    }
    #expect(result.failure == .tooLarge("127.0.0.1", limit: 1 << 20))
    #expect(passed < .seconds(8))
  }

  @Test(
    "One deadline covers every way of being slow",
    arguments: [
      // A slow body, a slow header, silence, and repeated interim answers.
      Slowness(begin: head, again: "1"), Slowness(begin: "HTTP/1.1 200 OK\r\nX: ", again: "1"),
      Slowness(begin: "", again: ""), Slowness(begin: "", again: "HTTP/1.1 102 Processing\r\n\r\n"),
    ])
  func slow(_ slowness: Slowness) async throws {
    let (result, passed) = try await timedExchange(limits: .init(seconds: 2)) { wire in
      wire.readRequest()
      wire.write(slowness.begin)
      while wire.write(slowness.again), wire.pause(milliseconds: 500) {}
    }
    #expect(result.failure == .noAnswer("127.0.0.1", seconds: 2))
    #expect((.seconds(2)...(.seconds(7))).contains(passed), "\(passed)")
  }

  struct Slowness: Sendable {
    let begin: String
    let again: String
  }

  @Test(
    "A flood of meaningless bytes ends by the deadline",
    arguments: [
      // An endless field, endless fields, interim answers, trailers, chunk sizes, chunks, empty lines.
      Slowness(begin: "HTTP/1.1 200 OK\r\nX: ", again: "0"),
      Slowness(begin: "HTTP/1.1 200 OK\r\n", again: "X: 0\r\n"),
      Slowness(begin: "", again: "HTTP/1.1 102 Processing\r\n\r\n"),
      Slowness(begin: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", again: "X: 0\r\n"),
      Slowness(begin: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", again: "0"),
      Slowness(begin: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", again: "1;x=y\r\n0\r\n"),
      Slowness(begin: "", again: "\r\n"),
    ])
  func flood(_ flood: Slowness) async throws {
    let (result, passed) = try await timedExchange(limits: .init(seconds: 1)) { wire in
      wire.readRequest()
      wire.write(flood.begin)
      let block = Array(String(repeating: flood.again, count: 65_536 / flood.again.utf8.count).utf8)
      while wire.write(block) {}
    }
    // Bytes after the end of the body are ignored.
    #expect(result.failure != nil || result.answer?.body == [])
    #expect(passed < .seconds(7), "\(passed)")
  }

  @Test("All connections are closed when the transport is gone, however its exchanges end")
  func nothingLeft() async throws {
    let answering = ScriptedServer { wire in
      while wire.readRequest() { wire.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") }
    }
    let endless = ScriptedServer { wire in
      wire.readRequest()
      wire.write(Self.head)
      while wire.write(Self.zeros) {}
    }
    let requests = [HTTPRequest(get: try answering.endpoint()), HTTPRequest(get: try endless.endpoint())]
    _ = await exchanges(requests)
    for server in [answering, endless] { #expect(server.closesAlone()) }
    answering.stop()
    endless.stop()
  }

  @Test("At most 16 connections stay open after their answers, and the last ones are used again")
  func idleConnections() async throws {
    let servers = (0..<40).map { _ in
      ScriptedServer { wire in
        while wire.readRequest() { wire.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}") }
      }
    }
    defer { for server in servers { server.stop() } }
    let addresses = try servers.map { try $0.endpoint() }
    let (failures, left) = await onMainLoop { () async -> ([Failure], Int) in
      var failures: [Failure] = []
      let transport = SoupTransport(userAgent: "test/1")
      for endpoint in addresses + addresses.suffix(4) {
        do throws(Failure) { _ = try await transport.send(HTTPRequest(get: endpoint)) } catch {
          failures.append(error)
        }
      }
      var open: Int { servers.reduce(0) { $0 + $1.openConnections } }
      // The servers' threads may need a moment to see the end of a connection.
      for _ in 0..<500 where open > 16 { try? await pause(for: .milliseconds(10)) }
      return (failures, open)
    }
    #expect(failures == [])
    #expect((4...16).contains(left))
    #expect(servers.suffix(4).map(\.connections) == [1, 1, 1, 1])
  }

  /// The output of a command.
  private static func compressed(_ command: String) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(bytes)
  }
}
