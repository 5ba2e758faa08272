import LoginCore
import TestSupport
import Testing

@Suite("What comes back", .limited(toMinutes: 5))
struct AnswerTests {
  @Test("A redirect is an answer, and nobody goes there", arguments: [301, 302, 303, 307, 308])
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
    "Every framing of a body gives the same bytes",
    arguments: [
      "HTTP/1.0 200 OK\r\n\r\n{\"a\":1}",
      "HTTP/1.0 200 OK\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
      "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"a\":1}",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n4;x=y\r\n\":1}\r\n0\r\nX: y\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
    ])
  func framings(text: String) async throws {
    let answer = try await exchange { wire in
      wire.readRequest()
      wire.write(text)
    }.answer
    #expect(answer?.status == 200)
    #expect(answer?.body == Array("{\"a\":1}".utf8))
  }

  @Test(
    "An answer without a body has none, also while the connection stays open",
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
    "A demand for credentials is an answer, made once",
    arguments: ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"n\"", "Bearer", "Negotiate", "NTLM"])
  func unauthorized(challenge: String) async throws {
    let server = ScriptedServer { wire in
      wire.readRequest()
      wire.answer("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)", "{}")
    }
    defer { server.stop() }
    let headers = [Parameter("Authorization", "Basic Y2xpZW50OnNlY3JldA==")]
    let request = HTTPRequest(post: [], to: try server.endpoint(), headers: headers)
    let results = await exchanges([request, request])
    #expect(results.map { $0.answer?.status } == [401, 401])
    #expect(results.map { $0.answer?.body } == [Array("{}".utf8), Array("{}".utf8)])
    #expect(server.connections == 2)
    #expect(
      server.heard.split(separator: "\r\n").count { $0 == "Authorization: Basic Y2xpZW50OnNlY3JldA==" } == 2)
  }

  @Test("Header fields that are there twice come twice, in their order")
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
    "What is no HTTP is no answer",
    arguments: [
      "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 abc\r\n\r\n", "{\"access_token\":\"T\"}\r\n\r\n", "HTTP/1.1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: ", "\r\n\r\n",
    ])
  func malformed(text: String) async throws {
    let result = try await exchange { wire in
      wire.readRequest()
      wire.write(text)
    }
    guard case .badResponse = result.fault else {
      Issue.record("\(result)")
      return
    }
  }
}
