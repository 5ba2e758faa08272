import Foundation
import GLibSupport
import SoupNetwork
import TestSupport
import Testing

@Suite("Limits of the HTTP server")
struct HTTPServerLimitsTests {
  @Test(
    "A request for another host is refused before the handler sees it",
    arguments: [
      "evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:PORT",
      "127.0.0.2:PORT", "127.1:PORT", "127.0.0.1:PORT.evil.example", "0.0.0.0:PORT", "",
    ])
  func foreignHost(host: String) async throws {
    let answer = try await serving { port in
      ask(port, "/", headers: ["Host: " + host.replacingOccurrences(of: "PORT", with: "\(port)")])
    }
    #expect((400..<500).contains(answer.status))
    #expect(!answer.body.contains("GET|"))
  }

  @Test("Every name of this machine is served", arguments: ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
  func ownHost(host: String) async throws {
    let answer = try await serving { port in ask(port, "/", headers: ["Host: \(host):\(port)"]) }
    #expect(answer.status == 200)
  }

  @Test(
    "A request with two hosts, no host or another host in the request line is refused",
    arguments: [
      "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: evil.example\r\nHost: 127.0.0.1:PORT\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.0\r\n\r\n",
      "GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
      "GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
      "GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      "GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
      "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
      "not a request\r\n\r\n",
    ])
  func oddHosts(request: String) async throws {
    let answer = try await serving { port in
      let connection = try RawConnection(port: port)
      connection.send(request.replacingOccurrences(of: "PORT", with: "\(port)"))
      return RawAnswer(connection.read() ?? [])
    }
    #expect((400..<500).contains(answer.status))
  }

  @Test("A body of more than 64 KiB is refused, with Content-Length and in chunks")
  func largeBody() async throws {
    let answers = try await serving { port in
      let announced = ask(port, "/", body: String(repeating: "a", count: 65_537))
      let connection = try RawConnection(port: port)
      connection.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<70 { connection.send("400\r\n" + String(repeating: "a", count: 1_024) + "\r\n") }
      connection.send("0\r\n\r\n")
      return [announced, RawAnswer(connection.readToEnd())]
    }
    #expect(answers.map(\.status) == [413, 413])
    #expect(answers.allSatisfy { $0["Connection"] == "close" })
  }

  @Test("A client that expects 100-continue is refused before it sends too large a body")
  func announcedBody() async throws {
    let answer = try await serving { port in
      let connection = try RawConnection(port: port)
      connection.send(
        "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nExpect: 100-continue\r\nContent-Length: 65537\r\n\r\n")
      return RawAnswer(connection.read() ?? [])
    }
    #expect(answer.status == 413)
  }

  @Test("A body of 64 KiB is accepted")
  func fullBody() async throws {
    let answer = try await serving { port in
      ask(
        port, "/", headers: ["Content-Type: application/x-www-form-urlencoded"],
        body: "a=" + String(repeating: "a", count: 65_534))
    }
    #expect(answer.status == 200)
  }

  @Test("An endless body is cut off")
  func endlessBody() async throws {
    let sent = try await serving { port in
      let connection = try RawConnection(port: port)
      connection.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "400\r\n" + String(repeating: "a", count: 1_024) + "\r\n"
      return (0..<100_000).firstIndex { _ in !connection.send(chunk) }
    }
    #expect(try #require(sent) < 20_000)
  }

  @Test("A header of more than 64 KiB is refused")
  func largeHeader() async throws {
    let statuses = try await serving { port in
      [70_000, 10_000_000].map { size in
        ask(port, "/", headers: ["X-Large: " + String(repeating: "a", count: size)]).status
      }
    }
    #expect(statuses.allSatisfy { $0 == 0 || (400..<500).contains($0) }, "\(statuses)")
  }

  @Test("The limit for a header covers all of its fields together")
  func manyFields() async throws {
    var limits = ServerLimits()
    limits.headerBytes = 1_000
    let statuses = try await serving(limits: limits) { port in
      [5, 20].map { count in
        ask(port, "/", headers: (1...count).map { "X-\($0): " + String(repeating: "a", count: 80) }).status
      }
    }
    #expect(statuses == [200, 431])
  }

  @Test("A hundred silent connections do not block a new one; the oldest are closed")
  func idleConnections() async throws {
    var limits = ServerLimits()
    limits.patience = .seconds(3_600)
    let (answer, areCut) = try await serving(limits: limits) { port in
      let idle = try (0..<100).map { _ in try RawConnection(port: port) }
      idle.prefix(50).forEach { $0.send("GET / HT") }
      let answer = ask(port, "/")
      return (answer, idle.prefix(100 - ServerLimits().connections).allSatisfy { $0.ends() })
    }
    #expect(answer.status == 200)
    #expect(areCut)
  }

  @Test("A client that sends its request byte by byte is cut off when its time is over")
  func slowClient() async throws {
    var limits = ServerLimits()
    limits.patience = .milliseconds(500)
    let isCut = try await serving(limits: limits) { port in
      let connection = try RawConnection(port: port)
      // Half a second is allowed; a busy machine gets a minute to notice.
      return (0..<1_200).contains { _ in
        usleep(50_000)
        return !connection.send("G")
      }
    }
    #expect(isCut)
  }

  @Test("The server survives random bytes")
  func garbage() async throws {
    let status = try await serving { port in
      var generator = SystemRandomNumberGenerator()
      for _ in 0..<200 {
        let connection = try RawConnection(port: port)
        let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
        connection.send(noise + [13, 10, 13, 10])
      }
      return ask(port, "/").status
    }
    #expect(status == 200)
  }

  @Test("A header field with a line break in it is never written")
  func headerInjection() async throws {
    let answer = try await serving(
      handler: { _ in .redirect(to: "/a\r\nSet-Cookie: evil=1") }, { port in ask(port, "/") })
    #expect(answer.status == 500)
    #expect(answer["Set-Cookie"] == nil)
  }
}
