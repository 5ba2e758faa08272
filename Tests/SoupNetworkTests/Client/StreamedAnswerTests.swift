import Foundation
import GLibSupport
import LoginCore
import TestSupport
import Testing

@testable import SoupNetwork

@Suite("Streamed answers", .limited(toMinutes: 5))
struct StreamedAnswerTests {
  private func stream(
    body: RequestBody? = nil, method: String = "GET", patience: Int = 10,
    readingFor time: Duration = .zero, _ script: @escaping ScriptedServer.Script
  ) async throws -> (parts: [String], failure: Failure?, heard: String) {
    let server = ScriptedServer(script)
    let request = try ResourceRequest(method, try server.endpoint())
    let (parts, failure) = await onMainLoop { () async -> ([String], Failure?) in
      var parts: [String] = []
      do throws(Failure) {
        let answer = try await SoupTransport(userAgent: "test/1").stream(request, body, patience: patience)
        while case let bytes = try await answer.next(), !bytes.isEmpty {
          parts.append(String(decoding: bytes, as: UTF8.self))
          if time > .zero { try? await pause(for: time) }
        }
        return (parts, nil)
      } catch {
        return (parts, error)
      }
    }
    server.stop()
    return (parts, failure, server.heard)
  }

  @Test("A part of the answer is available before the next one is sent")
  func parts() async throws {
    let result = try await stream { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
      guard wire.pause(milliseconds: 300) else { return }
      wire.write("two")
    }
    #expect(result.parts == ["one", "two"])
    #expect(result.failure == nil)
  }

  @Test("The time limit for the network does not count while the caller handles a part")
  func slowReader() async throws {
    let result = try await stream(patience: 2, readingFor: .seconds(3)) { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
      guard wire.pause(milliseconds: 300) else { return }
      wire.write("two")
    }
    #expect(result.parts == ["one", "two"])
    #expect(result.failure == nil)
  }

  @Test("Five requests to one server wait for their answers at once")
  func many() async throws {
    let statuses = await onMainLoop { () async -> [Int] in
      var waiting = 0
      guard
        let server = try? HTTPServer(handler: { _ in
          waiting += 1
          while waiting < 5 { try? await pause(for: .milliseconds(10)) }
          return .bare(status: 204)
        }), let request = try? ResourceRequest("GET", Endpoint(server.origin))
      else { return [] }
      let transport = SoupTransport(userAgent: "test/1")
      let tasks = (0..<5).map { _ in
        GLibActor.task { () -> Int? in try? await transport.stream(request, nil, patience: 10).head.status }
      }
      var statuses: [Int] = []
      for task in tasks { statuses += [await task.value].compactMap(\.self) }
      await server.close()
      return statuses
    }
    #expect(statuses == [204, 204, 204, 204, 204])
  }

  @Test("A body from a pipe is sent in chunks, because its length is unknown")
  func chunks() async throws {
    let pipe = FilledPipe("hello")
    let result = try await stream(body: .descriptor(pipe.reading), method: "PUT") { wire in
      var heard = ""
      while !heard.hasSuffix("\r\n0\r\n\r\n"), case let bytes = wire.read(), !bytes.isEmpty {
        heard += String(decoding: bytes, as: UTF8.self)
      }
      wire.answer("HTTP/1.1 200 OK")
    }
    pipe.closeReading()
    #expect(result.failure == nil)
    #expect(result.heard.contains("Transfer-Encoding: chunked"))
    #expect(result.heard.contains("5\r\nhello\r\n"))
  }

  @Test("The time limit for the network does not count while the body is being written into the pipe")
  func slowWriter() async throws {
    let pipe = FilledPipe()
    let result = try await stream(body: .descriptor(pipe.reading), method: "PUT", patience: 1) { wire in
      // The header of the request has arrived; from now on, the client waits for the pipe.
      var heard = String(decoding: wire.read(), as: UTF8.self)
      guard wire.pause(milliseconds: 2_500) else { return }
      pipe.write("hello")
      pipe.closeWriting()
      while !heard.hasSuffix("\r\n0\r\n\r\n"), case let bytes = wire.read(), !bytes.isEmpty {
        heard += String(decoding: bytes, as: UTF8.self)
      }
      wire.answer("HTTP/1.1 200 OK", "one")
    }
    pipe.closeReading()
    #expect(result.failure == nil)
    #expect(result.parts == ["one"])
    // Once the whole body has been sent, a silent server is to blame.
    let whole = FilledPipe("hello")
    let silent = try await stream(body: .descriptor(whole.reading), method: "PUT", patience: 1) { wire in
      wire.waitForEnd()
    }
    whole.closeReading()
    #expect(silent.failure == .noAnswer("127.0.0.1", seconds: 1))
  }

  @Test("A body that has no end yet gets none when the request is cancelled, on whatever thread")
  func cancelled() async throws {
    let pipe = FilledPipe()
    pipe.write("hello")
    let server = ScriptedServer { $0.waitForEnd() }
    let request = try ResourceRequest("PUT", try server.endpoint())
    await onMainLoop {
      let task = GLibActor.task {
        let transport = SoupTransport(userAgent: "test/1")
        _ = try? await transport.stream(request, .descriptor(pipe.reading), patience: 10)
      }
      while !server.heard.contains("hello") { try? await pause(for: .milliseconds(10)) }
      Thread.detachNewThread { task.cancel() }
      await task.value
    }
    pipe.closeWriting()
    pipe.closeReading()
    #expect(server.closesAlone())
    server.stop()
    #expect(!server.heard.hasSuffix("0\r\n\r\n"), "\(server.heard)")
  }

  @Test("A body from a file starts at the current position and has a Content-Length")
  func rest() async throws {
    let path = NSTemporaryDirectory() + "rest-\(UUID().uuidString)"
    try "0123456789".write(toFile: path, atomically: false, encoding: .utf8)
    let file = open(path, O_RDONLY)
    defer { close(file) }
    unlink(path)
    lseek(file, 4, SEEK_SET)
    let result = try await stream(body: .descriptor(file), method: "PUT") { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 200 OK")
    }
    #expect(result.failure == nil)
    #expect(result.heard.contains("\r\nContent-Length: 6\r\n"), "\(result.heard)")
    #expect(result.heard.hasSuffix("\r\n\r\n456789"))
  }

  @Test("The answer to HEAD is complete without a body")
  func head() async throws {
    let result = try await stream(method: "HEAD") { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
    }
    #expect(result.failure == nil)
  }

  @Test("An answer that breaks off fails after its last part")
  func cut() async throws {
    let result = try await stream { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\none")
    }
    #expect(result.parts == ["one"])
    #expect(result.failure == .unreachable("127.0.0.1", "the connection was broken"))
  }

  @Test(
    "Chunks arrive as parts, and if they break off, the answer fails after its last part",
    arguments: [false, true])
  func chunkedAnswer(isCut: Bool) async throws {
    let result = try await stream { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n5")
      guard wire.pause(milliseconds: 300) else { return }
      wire.write("\r\ntwo")
      guard wire.pause(milliseconds: 300) else { return }
      wire.write(isCut ? "45\r\n" : "45\r\n0\r\n")
    }
    #expect(result.parts == ["one", "two", "45"])
    #expect(result.failure == (isCut ? .unreachable("127.0.0.1", "the connection was broken") : nil))
  }

  @Test("The time limit is for one pause, not for the whole exchange")
  func patience() async throws {
    let slow = try await stream(patience: 1) { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
      for _ in 0..<4 where wire.pause(milliseconds: 500) { wire.write("x") }
    }
    #expect(slow.failure == nil)
    let silent = try await stream(patience: 1) { wire in
      wire.readRequest()
      wire.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nx")
      wire.waitForEnd()
    }
    #expect(silent.failure == .noAnswer("127.0.0.1", seconds: 1))
  }

  @Test("A time limit of 0 means no limit")
  func noLimit() async throws {
    let result = try await stream(patience: 0) { wire in
      wire.readRequest()
      if wire.pause(milliseconds: 200) { wire.answer("HTTP/1.1 200 OK", "one") }
    }
    #expect(result.parts == ["one"])
    #expect(result.failure == nil)
  }
}
