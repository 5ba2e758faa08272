import Foundation
import GLibSupport
import GnuTLSCrypto
import LoginCore
import TestSupport
import Testing

@testable import UserAgents

@Suite("Waiting on this machine for the browser")
struct LoopbackListenerTests {
  @Test("The answer ends the visit, with the redirect URI to which the port was added")
  func answer() async throws {
    let (answer, arrival) = try await listening { port in ask(port, "/callback?code=C&state=S") }
    #expect(answer.status == 200)
    #expect(arrival.callback == "http://127.0.0.1:\(arrival.port)/callback?code=C&state=S")
    #expect(arrival.redirectURI == "http://127.0.0.1:\(arrival.port)/callback")
  }

  @Test(
    "The other names of this machine are listened on where the redirect URI has them",
    arguments: [
      ("http://[::1]/cb", "::1", "[::1]"), ("http://localhost/cb", "127.0.0.1", "localhost"),
      ("http://localhost/cb", "::1", "localhost"),
    ])
  func names(redirect: String, address: String, host: String) async throws {
    let (answer, arrival) = try await listening(at: redirect) { port in
      let connection = try RawConnection(port: port, host: address)
      connection.send("GET /cb?code=C&state=S HTTP/1.1\r\nHost: \(host):\(port)\r\n\r\n")
      return RawAnswer(connection.readToEnd())
    }
    #expect(answer.status == 200)
    #expect(arrival.callback == "http://\(host):\(arrival.port)/cb?code=C&state=S")
  }

  @Test(
    "A redirect URI comes back in the spelling in which it was given",
    arguments: [("http://127.0.0.1/c%62?x=%41%2f", "/c%62?x=%41%2f&"), ("HTTP://LocalHost", "/?")])
  func spelling(redirect: String, path: String) async throws {
    let (statuses, arrival) = try await listening(at: redirect) { port in
      ["/x\(path)code=C&state=S", "\(path)code=C&state=S"].map { target in
        ask(port, target, headers: redirect.contains("127") ? [] : ["Host: localhost:\(port)"]).status
      }
    }
    #expect(statuses == [404, 200])
    #expect(arrival.redirectURI.lowercased().hasPrefix("http://"))
    #expect(arrival.callback?.hasSuffix("\(path)code=C&state=S") == true)
  }

  @Test(
    "Only where it is asked for",
    arguments: [("http://127.0.0.1/cb", "::1"), ("http://[::1]/cb", "127.0.0.1")])
  func otherFamily(redirect: String, address: String) async throws {
    let (isRefused, _) = try await listening(at: redirect) { port in
      (try? RawConnection(port: port, host: address)) == nil
    }
    #expect(isRefused)
  }

  // RFC 8252 section 8.9: what repeats no state of an outstanding request is rejected.
  @Test(
    "What is no answer is refused, ends nothing, and keeps no answer out",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: HOST", 404), ("GET /favicon.ico HTTP/1.1\r\nHost: HOST", 404),
      ("GET /callback/?code=C&state=S HTTP/1.1\r\nHost: HOST", 404),
      ("GET /Callback?code=C&state=S HTTP/1.1\r\nHost: HOST", 404),
      ("GET //callback?code=C&state=S HTTP/1.1\r\nHost: HOST", 404),
      ("GET /callback HTTP/1.1\r\nHost: HOST", 400),
      ("GET /callback?state= HTTP/1.1\r\nHost: HOST", 400),
      ("GET /callback?code=C HTTP/1.1\r\nHost: HOST", 400),
      ("GET /callback?code=C&state= HTTP/1.1\r\nHost: HOST", 400),
      ("GET /callback?code=C&state=s HTTP/1.1\r\nHost: HOST", 400),
      ("GET /callback?code=C&State=S HTTP/1.1\r\nHost: HOST", 400),
      ("GET /callback?error=access_denied HTTP/1.1\r\nHost: HOST", 400),
      ("GET /callback?error=access_denied&state=other HTTP/1.1\r\nHost: HOST", 400),
      ("HEAD /callback?code=C&state=S HTTP/1.1\r\nHost: HOST", 405),
      ("PUT /callback?code=C&state=S HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0", 405),
      ("OPTIONS /callback?code=C&state=S HTTP/1.1\r\nHost: HOST", 405),
      ("POST /callback?code=C&state=S HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0", 405),
      ("GET /callback?code=C&state=S HTTP/1.1\r\nHost: evil.example", 421),
      ("GET /callback?code=C&state=S HTTP/1.1\r\nHost: evil.example:PORT", 421),
      ("GET /callback?code=C&state=S HTTP/1.1\r\nHost: localhost:PORT", 421),
      ("GET /callback?code=C&state=S HTTP/1.1\r\nHost: HOST\r\nOrigin: https://evil.example", 403),
      ("GET /callback?code=C&state=S HTTP/1.1\r\nHost: HOST\r\nOrigin: null", 403),
      ("GET http://evil.example/callback?code=C&state=S HTTP/1.1\r\nHost: HOST", 421),
    ])
  func abuse(request: String, status: Int) async throws {
    let ((refused, genuine), arrival) = try await listening { port in
      let connection = try RawConnection(port: port)
      let host = request.replacingOccurrences(of: "HOST", with: "127.0.0.1:\(port)")
      connection.send(
        host.replacingOccurrences(of: "PORT", with: "\(port)") + "\r\nConnection: close\r\n\r\n")
      let refused = RawAnswer(connection.readToEnd())
      return (refused, ask(port, "/callback?code=GENUINE&state=S"))
    }
    #expect(refused.status == status)
    #expect(genuine.status == 200)
    #expect(arrival.callback?.contains("code=GENUINE") == true)
  }

  @Test(
    "An answer to this login at another address is told, and its page says so",
    arguments: [
      ("/?code=C&state=S", "127.0.0.1", 404, "http://127.0.0.1:PORT/"),
      ("/Callback?code=C&state=S", "127.0.0.1", 404, "http://127.0.0.1:PORT/Callback"),
      ("/callback?code=C&state=S", "localhost", 421, "http://localhost:PORT/callback"),
      ("/?code=C&state=other", "127.0.0.1", 404, nil), ("/", "127.0.0.1", 404, nil),
    ] as [(String, String, Int, String?)])
  func elsewhere(target: String, host: String, status: Int, missed: String?) async throws {
    let (answer, arrival) = try await listening { port in
      ask(port, target, headers: host == "localhost" ? ["Host: localhost:\(port)"] : [])
    }
    #expect(answer.status == status)
    #expect(arrival.missed == [missed?.replacing("PORT", with: "\(arrival.port)")].compactMap(\.self))
    #expect(answer.body.contains("The sign-in led to a wrong address") == (missed != nil))
    #expect(arrival.callback == nil)
  }

  @Test("Headers without end, bytes that are no request, and callbacks beyond all measure end nothing either")
  func garbage() async throws {
    let (statuses, arrival) = try await listening { port in
      let large = ask(port, "/", headers: ["X: " + String(repeating: "a", count: 200_000)]).status
      let long = ask(port, "/callback?state=S&code=" + String(repeating: "a", count: 300_000)).status
      let many = ask(
        port, "/callback?state=S&code=C" + String(repeating: "&a=b", count: 300)
      ).status
      let noise = try RawConnection(port: port)
      noise.send([0x16, 0x03, 0x01, 0x02, 0x00] + [UInt8](repeating: 0xFF, count: 600) + [13, 10, 13, 10])
      _ = noise.read()
      return [large, long, many, ask(port, "/callback?code=C&state=S").status]
    }
    #expect(statuses.dropLast().allSatisfy { $0 == 0 || (400..<500).contains($0) }, "\(statuses)")
    #expect(statuses.last == 200)
    #expect(arrival.callback?.hasSuffix("?code=C&state=S") == true)
  }

  @Test("A denial with the state is an answer, and its page says so without a word that came with it")
  func denial() async throws {
    let (answer, arrival) = try await listening { port in
      ask(port, "/callback?error=access_denied&error_description=%3Cscript%3EHELLO&state=S")
    }
    #expect(answer.status == 200)
    #expect(answer.body.contains("You said no"))
    #expect(!answer.body.contains("HELLO") && !answer.body.contains("access_denied"))
    #expect(arrival.callback?.contains("error=access_denied") == true)
  }

  // RFC 6749 section 3.1.2.5, RFC 9700 section 2.1: no content of others, no open redirector.
  @Test("The page at the end is ours alone: light and dark, nothing from elsewhere, nothing from the URL")
  func page() async throws {
    let (answers, _) = try await listening { port in
      [
        ask(port, "/callback?code=SECRET&state=%22%3E%3Cscript%3E"),
        ask(port, "/callback?code=SECRET&state=S&next=https://evil.example"),
        ask(port, "/callback?code=SECRET&state=S"),
      ]
    }
    #expect(answers.map(\.status) == [400, 200, 400], "an answer is taken once")
    for answer in answers {
      #expect(answer["Content-Type"] == "text/html; charset=utf-8")
      #expect(answer["Cache-Control"] == "no-store")
      #expect(answer["Referrer-Policy"] == "no-referrer")
      #expect(answer["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
      #expect(answer["Location"] == nil)
      #expect(answer.body.contains("prefers-color-scheme: dark"))
      for word in ["SECRET", "script", "http:", "https:", "evil"] { #expect(!answer.body.contains(word)) }
      let length = answer["Content-Length"].flatMap { Int($0) }
      #expect(answer.body.utf8.count == length)
    }
    #expect(answers[1].body.contains("You can close this tab"))
  }

  // RFC 9700 section 2.1: it leads to the page of the request, once, and nowhere that anybody has named.
  @Test("A page of ours leads on to the provider's, once, and is nobody's to guess")
  func entrance() async throws {
    let url = "https://as.example/auth?state=S&nonce=N"
    let (answers, arrival) = try await listening(enteringFor: url) { port, entrances in
      let paths = entrances.compactMap { URL(string: $0)?.path() }
      return [
        ask(port, paths[0] + "x"), ask(port, paths[0], body: ""), ask(port, paths[0]), ask(port, paths[0]),
        ask(port, paths[1] + "?next=https://evil.example"), ask(port, "/callback?code=C&state=S"),
      ]
    }
    #expect(answers.map(\.status) == [404, 404, 303, 404, 303, 200])
    #expect(answers.map { $0["Location"] } == [nil, nil, url, nil, url, nil])
    #expect(answers[2]["Cache-Control"] == "no-store" && answers[2]["Referrer-Policy"] == "no-referrer")
    #expect(
      arrival.entrances.allSatisfy { $0.hasPrefix("http://127.0.0.1:\(arrival.port)/") && $0.count > 60 })
    #expect(Set(arrival.entrances).count == 2)
    #expect(arrival.callback?.contains("code=C") == true)
  }

  @Test("It leads nobody on but this user", .enabled(if: geteuid() == 0))
  func entranceOfOthers() async throws {
    let ((others, own), _) = try await listening(enteringFor: "https://as.example/auth") { port, entrances in
      let others = Process()
      others.executableURL = URL(filePath: "/usr/bin/setpriv")
      others.arguments = [
        "--reuid", "65534", "--clear-groups", "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}",
        entrances[0],
      ]
      let output = Pipe()
      others.standardOutput = output
      try others.run()
      let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      others.waitUntilExit()
      return (answer, ask(port, URL(string: entrances[0])?.path() ?? "").status)
    }
    #expect(others == "404")
    #expect(own == 303)
  }

  @Test("What could not be written into a header has no such page")
  func noEntrance() async throws {
    let (_, arrival) = try await listening(enteringFor: "https://as.example/#\u{E9}") { _, _ in }
    #expect(arrival.entrances.isEmpty)
  }

  // OAuth 2.0 Form Post Response Mode.
  @Test("A posted answer is read from the body alone")
  func formPost() async throws {
    let form = "Content-Type: application/x-www-form-urlencoded"
    let (statuses, arrival) = try await listening(at: "http://127.0.0.1/cb?own=1", isPosted: true) { port in
      [
        ask(port, "/cb?own=1&code=Q&state=S").status,
        ask(port, "/cb?code=Q&state=S", headers: [form], body: "code=B").status,
        ask(port, "/cb", headers: ["Content-Type: application/json"], body: #"{"state":"S"}"#).status,
        ask(port, "/cb", headers: ["Content-Type: text/plain"], body: "code=B&state=S").status,
        ask(port, "/cb", headers: [form], body: "code=B&state=S&x=" + String(repeating: "a", count: 70_000))
          .status,
        ask(
          port, "/cb?own=1&code=Q", headers: [form, "Origin: https://as.example"], body: "code=B#&state=S"
        ).status,
      ]
    }
    #expect(statuses == [405, 400, 415, 415, 413, 200])
    #expect(arrival.callback == "http://127.0.0.1:\(arrival.port)/cb?own=1&code=B%23&state=S")
  }

  @Test("Without a state, which PKCE can take the place of, an answer still has to be one")
  func withoutState() async throws {
    let (statuses, arrival) = try await listening(state: nil) { port in
      ["/callback", "/callback?x=1", "/callback?code=C"].map { ask(port, $0).status }
    }
    #expect(statuses == [400, 400, 200])
    #expect(arrival.callback?.hasSuffix("?code=C") == true)
  }

  @Test("A port that is named is used, again at once, and refused if somebody else has it")
  func namedPort() async throws {
    let (port, _) = try await listening { $0 }
    let redirect = "http://127.0.0.1:\(port)/callback"
    for _ in 0..<2 {
      let (status, arrival) = try await listening(at: redirect) { port in
        ask(port, "/callback?code=C&state=S").status
      }
      #expect(status == 200)
      #expect(arrival.redirectURI == redirect)
    }
    let other = try StandInServer { _, _ in .html("") }
    await #expect(throws: Failure.self) { _ = try await listening(at: other.base + "/callback") { $0 } }
  }

  @Test("A thousand silent connections and a slow client do not keep the answer waiting")
  func crowd() async throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 4_096)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // A second is meant; a busy machine is given half of the ten for which the server is patient with silence.
    #expect(try await answerInCrowd() < .seconds(5))
  }

  /// How long the answer takes.
  private func answerInCrowd() async throws -> Duration {
    let ((status, seconds), arrival) = try await listening { port in
      let idle = try (0..<1_000).map { _ in try RawConnection(port: port) }
      let slow = try RawConnection(port: port)
      slow.send("GET /callback?code=SLOW&sta")
      let start = ContinuousClock.now
      let status = ask(port, "/callback?code=C&state=S").status
      let seconds = ContinuousClock.now - start
      withExtendedLifetime((idle, slow)) {}
      return (status, seconds)
    }
    #expect(status == 200)
    #expect(arrival.callback?.contains("code=C&") == true)
    return seconds
  }
}

/// What came of a visit.
private struct Arrived: Sendable {
  let port: UInt16
  let redirectURI: String
  let callback: String?
  let entrances: [String]
  /// Addresses to which an answer has come that was expected elsewhere.
  let missed: [String]
}

/// Runs `client`, which may block, while an answer with the state is awaited.
private func listening<Result: Sendable>(
  at redirect: String = "http://127.0.0.1/callback", state: String? = "S", isPosted: Bool = false,
  _ client: @escaping @Sendable (UInt16) throws -> Result
) async throws -> (Result, Arrived) {
  try await listening(at: redirect, state: state, isPosted: isPosted, enteringFor: nil) { port, _ in
    try client(port)
  }
}

/// The same with two pages that lead on to an address.
private func listening<Result: Sendable>(
  at redirect: String = "http://127.0.0.1/callback", state: String? = "S", isPosted: Bool = false,
  enteringFor url: String?, _ client: @escaping @Sendable (UInt16, [String]) throws -> Result
) async throws -> (Result, Arrived) {
  let redirectURI = try RedirectURI(redirect)
  return try await onMainLoop { () async -> Swift.Result<(Result, Arrived), any Error> in
    do {
      let listener = try LoopbackListener(
        for: redirectURI, cryptography: GnuTLSCryptography(), patience: .milliseconds(1))
      var visit = Visit(
        url: "https://as.example/", policy: NavigationPolicy(redirectURI: listener.redirectURI),
        state: state.map { State($0) })
      visit.isPosted = isPosted
      var callback: String?
      var missed: [String] = []
      listener.wait(for: visit) { arrival in
        if case .callback(let arrived) = arrival { callback = try? arrived.text() }
      } miss: {
        missed.append($0)
      }
      let port = try #require(listener.port)
      let entrances = [url, url].compactMap { $0.flatMap(listener.entrance) }
      let result = try await onThread { try client(port, entrances) }
      await listener.close(.answer)
      return .success(
        (
          result,
          Arrived(
            port: port, redirectURI: listener.redirectURI.description, callback: callback,
            entrances: entrances, missed: missed)
        ))
    } catch {
      return .failure(error)
    }
  }.get()
}
