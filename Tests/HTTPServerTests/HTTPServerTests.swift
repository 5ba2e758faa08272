import Foundation
import GLibSupport
import LoginCore
import SoupNetwork
import TestSupport
import Testing

@Suite("HTTP server")
struct HTTPServerTests {
  @Test("The handler gets the whole request, and the client gets its answer")
  func wholeExchange() async throws {
    let answer = try await serving { port in
      ask(
        port, "/a/b?x=1&y=%20+", headers: ["Content-Type: application/x-www-form-urlencoded"],
        body: "name=a%26b&name2=")
    }
    #expect(answer.status == 200)
    #expect(answer.body == "POST|/a/b|x=1&y=%20+|x:1,y:  |name:a&b,name2:|")
    #expect(answer["Content-Length"] == "\(answer.body.utf8.count)")
    #expect(answer["Cache-Control"] == "no-store")
    #expect(answer["X-Content-Type-Options"] == "nosniff")
    #expect(answer["Referrer-Policy"] == "no-referrer")
  }

  @Test("A slow handler does not block other requests")
  func concurrently() async throws {
    let gate = Gate()
    let answers = try await serving(handler: { await gate.answer($0) }) { port in
      let held = try RawConnection(port: port)
      held.send("GET /held HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
      return (ask(port, "/quick").status, RawAnswer(held.readToEnd()).status)
    }
    #expect(answers.0 == 200)
    #expect(answers.1 == 200)
  }

  @Test("The connection is closed after the answer, so that a client cannot use up descriptors")
  func endsConnection() async throws {
    let (answer, ends) = try await serving { port in
      let connection = try RawConnection(port: port)
      connection.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: keep-alive\r\n\r\n")
      return (RawAnswer(connection.readToEnd()), connection.ends())
    }
    #expect(answer.body == "GET|/|||none|")
    #expect(ends)
  }

  @Test("Without an answer of the handler, the client gets none, and the server goes on")
  func noAnswer() async throws {
    let answers = try await serving(handler: { $0.path == "/lost" ? nil : await echo($0) }) { port in
      let lost = try RawConnection(port: port)
      lost.send("GET /lost HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      return (lost.readToEnd().count, lost.ends(), ask(port, "/").status)
    }
    #expect(answers == (0, true, 200))
  }

  @Test("The server listens only on 127.0.0.1 and stops when it is released")
  func loopbackOnly() async throws {
    let (port, during, isIPv6) = try await serving { port in
      (port, try listeners(on: port), (try? RawConnection(port: port, host: "::1")) != nil)
    }
    #expect(during.map(\.address) == ["0100007F"])
    #expect(!isIPv6)
    // Another test may have got the port by then, or have started a process that inherited the socket for a moment.
    #expect(
      try await eventually { try listeners(on: port).allSatisfy { $0.socket != during.first?.socket } },
      "\((try? listeners(on: port)) ?? [])")
  }

  @Test("A port can be used again at once, while its old connections are still closing")
  func portAgain() async throws {
    let port = try await serving { port in
      _ = ask(port, "/")  // the server closes the connection, so its port stays in TIME_WAIT
      return port
    }
    let again = await onMainLoop { () async -> UInt16? in try? HTTPServer(port: port, handler: echo).port }
    #expect(again == port)
  }

  @Test("The server can also listen on ::1")
  func ipv6() async throws {
    let body = try await serving(on: .ipv4AndIPv6) { port in
      guard let connection = try? RawConnection(port: port, host: "::1") else { return "no ::1 here" }
      connection.send("GET / HTTP/1.1\r\nHost: [::1]:\(port)\r\nConnection: close\r\n\r\n")
      return RawAnswer(connection.readToEnd()).body
    }
    #expect(["GET|/|||none|", "no ::1 here"].contains(body))
  }

  @Test(
    "The handler gets a path without escapes and dot segments, or the request is refused",
    arguments: [
      ("/a%20b", "/a b"), ("/%61", "/a"), ("//a", "//a"), ("/a/", "/a/"), ("/../etc/passwd", "/etc/passwd"),
      ("/a/../b", "/b"), ("/%2e%2e/b", "/b"), ("/a/..%2f..%2fetc", nil), ("/a%00b", nil),
    ])
  func paths(sent: String, seen: String?) async throws {
    let answer = try await serving { port in ask(port, sent) }
    if let seen {
      #expect(answer.body == "GET|\(seen)|||none|")
    } else {
      #expect(answer.status == 400)
    }
  }

  @Test("Closing the server waits for answers in progress")
  func closesCleanly() async throws {
    let text = await onMainLoop { () async -> String in
      guard let server = try? HTTPServer(handler: echo) else { return "" }
      let port = server.port
      async let answer = onThread { ask(port, "/slow").body }
      try? await pause(for: .milliseconds(100))
      await server.close()
      return (try? await answer) ?? "failed"
    }
    #expect(text == "GET|/slow|||none|")
  }

  @Test(
    "The handler gets the query undecoded, with non-ASCII characters escaped",
    arguments: [
      ("a=%2B+%20&&=", "a=%2B+%20&&="), ("a=b?c/d", "a=b?c/d"), ("a='\"<>|`", "a='\"<>|`"),
      ("a=é", "a=%C3%A9"), ("a=%FF%00", "a=%FF%00"),
    ])
  func rawQuery(sent: String, seen: String) async throws {
    let body = try await serving { port in ask(port, "/?\(sent)").body }
    #expect(body.hasPrefix("GET|/|\(seen)|"))
  }

  @Test(
    "libsoup refuses a percent sign that does not begin an escape", arguments: ["/?a=%", "/?a=%zz", "/%"])
  func lonePercent(target: String) async throws {
    let answer = try await serving { port in ask(port, target) }
    #expect(answer.status == 400)
  }

  @Test("A client that disconnects early does not disturb others")
  func clientLeaves() async throws {
    let status = try await serving { port in
      for _ in 0..<20 {
        let connection = try RawConnection(port: port)
        connection.send("GET /slow HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      }
      usleep(400_000)  // until the handler has made those answers
      return ask(port, "/").status
    }
    #expect(status == 200)
  }

  @Test("Releasing the server ends a connection whose answer is in progress")
  func releasedEarly() async throws {
    let answer = await onMainLoop { () async -> RawAnswer? in
      var server = try? HTTPServer(handler: echo)
      let port = server?.port ?? 0
      async let answer = onThread { ask(port, "/slow") }
      try? await pause(for: .milliseconds(100))
      server = nil
      try? await pause(for: .milliseconds(400))
      return try? await answer
    }
    #expect(answer?.status == 0)
  }

  @Test("The handler is released with the server")
  func releases() async throws {
    final class Witness: Sendable {}
    let isGone = await onMainLoop { () async -> Bool in
      weak var witness: Witness?
      do {
        let kept = Witness()
        witness = kept
        let server = try? HTTPServer { _ in
          _ = kept
          return .text("", status: 200)
        }
        let port = server?.port ?? 0
        _ = try? await onThread { ask(port, "/") }
        let idle = try? RawConnection(port: port)
        try? await pause(for: .milliseconds(50))
        _ = (server, idle)
      }
      try? await pause(for: .milliseconds(50))
      return witness == nil
    }
    #expect(isGone)
  }

  /// The sockets that listen on a port: their local addresses as /proc/net writes them, and their inodes.
  private func listeners(on port: UInt16) throws -> [(address: String, socket: String)] {
    let suffix = ":" + String(format: "%04X", port)
    let tables = try ["tcp", "tcp6"].map { try systemText("/proc/net/\($0)") }
    return tables.joined().split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[3] == "0A", fields[1].hasSuffix(suffix) else { return nil }
      return (String(fields[1].dropLast(suffix.count)), String(fields[9]))
    }
  }
}
