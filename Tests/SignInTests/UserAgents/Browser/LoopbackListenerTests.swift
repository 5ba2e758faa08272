import Foundation
import GLibSupport
import GnuTLSCrypto
import LoginCore
import TestSupport
import Testing

@testable import SignIn

@Suite("LoopbackListener")
struct LoopbackListenerTests {
  @Test("An answer ends the visit; the redirect URI has the port of the listener")
  func answer() async throws {
    let (answer, visit) = try await listening { port in ask(port, "/callback?code=C&state=S") }
    #expect(answer.status == 200)
    #expect(visit.callback == "http://127.0.0.1:\(visit.port)/callback?code=C&state=S")
    #expect(visit.redirectURI == "http://127.0.0.1:\(visit.port)/callback")
  }

  @Test(
    "The listener has the address of the redirect URI, and both for localhost",
    arguments: [
      ("http://[::1]/cb", "::1", "[::1]"), ("http://localhost/cb", "127.0.0.1", "localhost"),
      ("http://localhost/cb", "::1", "localhost"),
    ])
  func addresses(redirect: String, address: String, host: String) async throws {
    let (answer, visit) = try await listening(at: redirect) { port in
      let connection = try RawConnection(port: port, host: address)
      connection.send("GET /cb?code=C&state=S HTTP/1.1\r\nHost: \(host):\(port)\r\n\r\n")
      return RawAnswer(connection.readToEnd())
    }
    #expect(answer.status == 200)
    #expect(visit.callback == "http://\(host):\(visit.port)/cb?code=C&state=S")
  }

  @Test(
    "The listener has no other address",
    arguments: [("http://127.0.0.1/cb", "::1"), ("http://[::1]/cb", "127.0.0.1")])
  func otherAddress(redirect: String, address: String) async throws {
    let (isRefused, _) = try await listening(at: redirect) { port in
      (try? RawConnection(port: port, host: address)) == nil
    }
    #expect(isRefused)
  }

  @Test(
    "The callback has the redirect URI in its original spelling",
    arguments: [("http://127.0.0.1/c%62?x=%41%2f", "/c%62?x=%41%2f&"), ("HTTP://LocalHost", "/?")])
  func spelling(redirect: String, path: String) async throws {
    let (statuses, visit) = try await listening(at: redirect) { port in
      ["/x\(path)code=C&state=S", "\(path)code=C&state=S"].map { target in
        ask(port, target, headers: redirect.contains("127") ? [] : ["Host: localhost:\(port)"]).status
      }
    }
    #expect(statuses == [404, 200])
    #expect(visit.redirectURI.lowercased().hasPrefix("http://"))
    #expect(visit.callback?.hasSuffix("\(path)code=C&state=S") == true)
  }

  // RFC 8252 section 8.9: an answer without the state of an outstanding request is rejected.
  @Test(
    "A request that is not the answer is refused, and the listener goes on",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: HOST", 404), ("GET /favicon.ico HTTP/1.1\r\nHost: HOST", 404),
      ("GET /Callback?code=C&state=S HTTP/1.1\r\nHost: HOST", 404),
      ("GET /callback HTTP/1.1\r\nHost: HOST", 400),
      ("GET /callback?code=C HTTP/1.1\r\nHost: HOST", 400),
      ("GET /callback?code=C&state=s HTTP/1.1\r\nHost: HOST", 400),
      ("GET /callback?error=access_denied&state=other HTTP/1.1\r\nHost: HOST", 400),
      ("HEAD /callback?code=C&state=S HTTP/1.1\r\nHost: HOST", 405),
      ("PUT /callback?code=C&state=S HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0", 405),
      ("POST /callback?code=C&state=S HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0", 405),
      ("GET /callback?code=C&state=S HTTP/1.1\r\nHost: evil.example", 421),
      ("GET /callback?code=C&state=S HTTP/1.1\r\nHost: localhost:PORT", 421),
      ("GET /callback?code=C&state=S HTTP/1.1\r\nHost: HOST\r\nOrigin: https://evil.example", 403),
      ("GET /callback?code=C&state=S HTTP/1.1\r\nHost: HOST\r\nOrigin: null", 403),
      ("GET http://evil.example/callback?code=C&state=S HTTP/1.1\r\nHost: HOST", 421),
    ])
  func refused(request: String, status: Int) async throws {
    let ((refused, genuine), visit) = try await listening { port in
      let connection = try RawConnection(port: port)
      let host = request.replacingOccurrences(of: "HOST", with: "127.0.0.1:\(port)")
      connection.send(
        host.replacingOccurrences(of: "PORT", with: "\(port)") + "\r\nConnection: close\r\n\r\n")
      let refused = RawAnswer(connection.readToEnd())
      return (refused, ask(port, "/callback?code=GENUINE&state=S"))
    }
    #expect(refused.status == status)
    #expect(genuine.status == 200)
    #expect(visit.callback?.contains("code=GENUINE") == true)
  }

  @Test("Without a state, only a navigation of the browser brings an answer", arguments: [nil, "S"])
  func use(state: String?) async throws {
    let (statuses, visit) = try await listening(state: state) { port in
      ["image", "iframe", "document"].map { use in
        ask(
          port, "/callback?code=\(use)" + (state.map { "&state=\($0)" } ?? ""),
          headers: ["Sec-Fetch-Dest: \(use)"]
        )
        .status
      }
    }
    #expect(statuses == (state == nil ? [403, 403, 200] : [200, 400, 400]))
    #expect(visit.callback?.contains("code=\(state == nil ? "document" : "image")") == true)
  }

  @Test("Huge headers, huge callbacks and bytes that are not HTTP are refused, and the listener goes on")
  func garbage() async throws {
    let (statuses, visit) = try await listening { port in
      let large = ask(port, "/", headers: ["X: " + String(repeating: "a", count: 200_000)]).status
      let long = ask(port, "/callback?state=S&code=" + String(repeating: "a", count: 300_000)).status
      let many = ask(port, "/callback?state=S&code=C" + String(repeating: "&a=b", count: 300)).status
      let noise = try RawConnection(port: port)
      noise.send([0x16, 0x03, 0x01, 0x02, 0x00] + [UInt8](repeating: 0xFF, count: 600) + [13, 10, 13, 10])
      _ = noise.read()
      return [large, long, many, ask(port, "/callback?code=C&state=S").status]
    }
    #expect(statuses.dropLast().allSatisfy { $0 == 0 || (400..<500).contains($0) }, "\(statuses)")
    #expect(statuses.last == 200)
    #expect(visit.callback?.hasSuffix("?code=C&state=S") == true)
  }

  @Test(
    "An answer to this login at another address is reported, and its page says so",
    arguments: [
      ("/?code=C&state=S", "127.0.0.1", 404, "http://127.0.0.1:PORT/"),
      ("/Callback?code=C&state=S", "127.0.0.1", 404, "http://127.0.0.1:PORT/Callback"),
      ("/callback?code=C&state=S", "localhost", 421, "http://localhost:PORT/callback"),
      ("/?code=C&state=other", "127.0.0.1", 404, nil), ("/", "127.0.0.1", 404, nil),
    ] as [(String, String, Int, String?)])
  func missed(target: String, host: String, status: Int, missed: String?) async throws {
    let (answer, visit) = try await listening { port in
      ask(port, target, headers: host == "localhost" ? ["Host: localhost:\(port)"] : [])
    }
    #expect(answer.status == status)
    let address = missed?.replacing("PORT", with: "\(visit.port)")
    #expect(visit.missed == [address.map(MissedAnswer.elsewhere)].compactMap(\.self))
    #expect(answer.body.contains("is set up incorrectly") == (missed != nil))
    #expect(visit.callback == nil)
  }

  @Test("A denial with the state is an answer; its page repeats no text from the address")
  func denial() async throws {
    let (answer, visit) = try await listening { port in
      ask(port, "/callback?error=access_denied&error_description=%3Cscript%3EHELLO&state=S")
    }
    #expect(answer.status == 200)
    #expect(answer.body.contains("Access denied"))
    #expect(!answer.body.contains("HELLO") && !answer.body.contains("access_denied"))
    #expect(visit.callback?.contains("error=access_denied") == true)
  }

  // RFC 6749 section 3.1.2.5 and RFC 9700 section 2.1.
  @Test("The last page has no content from the address or from other servers, and redirects nowhere")
  func lastPage() async throws {
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

  @Test("The last page waits for the result of the login")
  func waitsForResult() async throws {
    let pages = try await listening(patience: .seconds(60), conclusion: .token) { port in
      ask(port, "/callback?code=C&state=S").body
    }.0
    #expect(pages.contains("You are signed in"), "\(pages)")
  }

  @Test("The last page does not wait long for the result, and is the same when it is reloaded")
  func resultIsLate() async throws {
    let pages = try await listening(patience: .milliseconds(200)) { port in
      let connections = try (0..<2).map { _ in try RawConnection(port: port) }
      for connection in connections {
        connection.send("GET /callback?code=C&state=S HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      }
      return connections.map { String(decoding: $0.readToEnd(), as: UTF8.self) }
    }.0
    for page in pages { #expect(page.contains("Almost done</h1>"), "\(page)") }
  }

  // OAuth 2.0 Form Post Response Mode.
  @Test("A posted answer is read only from the body, and only as a form")
  func formPost() async throws {
    let form = "Content-Type: application/x-www-form-urlencoded"
    let (statuses, visit) = try await listening(at: "http://127.0.0.1/cb?own=1", isPosted: true) { port in
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
    #expect(visit.callback == "http://127.0.0.1:\(visit.port)/cb?own=1&code=B%23&state=S")
  }

  @Test("In a login without a state, an answer needs a code or an error")
  func withoutState() async throws {
    let (statuses, visit) = try await listening(state: nil) { port in
      ["/callback", "/callback?x=1", "/callback?code=C"].map { ask(port, $0).status }
    }
    #expect(statuses == [400, 400, 200])
    #expect(visit.callback?.hasSuffix("?code=C") == true)
  }

  @Test("A fixed port can be used again at once, and is refused while another program has it")
  func fixedPort() async throws {
    let (port, _) = try await listening { $0 }
    let redirect = "http://127.0.0.1:\(port)/callback"
    for _ in 0..<2 {
      let (status, visit) = try await listening(at: redirect) { port in
        ask(port, "/callback?code=C&state=S").status
      }
      #expect(status == 200)
      #expect(visit.redirectURI == redirect)
    }
    let other = try StandInServer { _, _ in .html("") }
    let error = await #expect(throws: Failure.self) {
      _ = try await listening(at: other.base + "/callback") { $0 }
    }
    #expect(error?.code == .noUserAgent)
    #expect(error?.message.description.hasSuffix("of the redirect URI is in use by another program") == true)
    let moved = try await onMainLoop {
      Swift.Result {
        try LoopbackListener(
          for: RedirectURI(other.base + "/callback"), mayMove: true, cryptography: GnuTLSCryptography()
        ).redirectURI
      }
    }.get()
    #expect(
      moved.port != nil && !moved.description.hasPrefix(other.base)
        && moved.description.hasSuffix("/callback"))
  }

  @Test("A thousand silent connections and a slow client do not delay the answer")
  func crowd() async throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 4_096)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let ((status, time), visit) = try await listening { port in
      let idle = try (0..<1_000).map { _ in try RawConnection(port: port) }
      let slow = try RawConnection(port: port)
      slow.send("GET /callback?code=SLOW&sta")
      let start = ContinuousClock.now
      let status = ask(port, "/callback?code=C&state=S").status
      let time = ContinuousClock.now - start
      withExtendedLifetime((idle, slow)) {}
      return (status, time)
    }
    #expect(status == 200)
    #expect(visit.callback?.contains("code=C&") == true)
    // The server closes silent connections after ten seconds. An answer should take far less than one; the rest is for
    // busy machines.
    #expect(time < .seconds(5))
  }
}

/// The entrance is a page of ours that leads on to the provider's, so that no command line has the whole address.
@Suite("LoopbackListener, entrance")
struct LoopbackListenerEntranceTests {
  @Test(
    "An entrance leads to the provider's page once, or as often as the user wants, at a path that cannot be guessed"
  )
  func entrance() async throws {
    let url = "https://as.example/auth?state=S&nonce=N"
    let (answers, visit) = try await listening(entrancesTo: url) { port, entrances in
      let paths = entrances.compactMap { URL(string: $0)?.path() }
      return [
        ask(port, paths[0] + "x"), ask(port, paths[0], body: ""), ask(port, paths[0]), ask(port, paths[0]),
        ask(port, paths[1] + "?next=https://evil.example"), ask(port, paths[1]),
        ask(port, "/callback?code=C&state=S"),
      ]
    }
    #expect(answers.map(\.status) == [404, 404, 303, 404, 303, 303, 200])
    #expect(answers.map { $0["Location"] } == [nil, nil, url, nil, url, url, nil])
    #expect(answers[2]["Cache-Control"] == "no-store" && answers[2]["Referrer-Policy"] == "no-referrer")
    #expect(
      visit.entrances.allSatisfy { $0.hasPrefix("http://127.0.0.1:\(visit.port)/") && $0.count > 60 })
    #expect(Set(visit.entrances).count == 2)
    #expect(visit.callback?.contains("code=C") == true)
  }

  @Test(
    "Programs of other users can neither use an entrance nor bring an answer, and the login goes on",
    .enabled(if: geteuid() == 0), arguments: ["127.0.0.1", "127.0.0.2"])
  func otherUser(source: String) async throws {
    let url = "https://as.example/auth"
    let (statuses, visit) = try await listening(entrancesTo: url) { port, entrances in
      let entrance = URL(string: entrances[0])?.path() ?? ""
      let answers = ["/callback?code=EVIL&state=S", "/callback?code=EVIL&state=S", "/callback?code=EVIL"]
      let others = try ([entrance] + answers).map { target in
        // The listener's own port makes this end look like the listener's, except for the address.
        try otherUser(asks: target, port, from: source, source == "127.0.0.1" ? 0 : port)
      }
      return others + [ask(port, entrance).status, ask(port, "/callback?code=C&state=S").status]
    }
    #expect(statuses == [404, 403, 403, 404, 303, 200])
    #expect(visit.callback?.contains("code=C&") == true)
    #expect(visit.missed == [.otherUser])
  }

  /// Sends a request as the user nobody, and returns the status of the answer.
  private func otherUser(
    asks target: String, _ port: UInt16, from source: String, _ sourcePort: UInt16
  ) throws -> Int {
    let script = """
      import socket, sys
      s = socket.socket()
      s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      s.bind((sys.argv[1], int(sys.argv[2])))
      s.connect(("127.0.0.1", int(sys.argv[3])))
      s.sendall(f"GET {sys.argv[4]} HTTP/1.1\\r\\nHost: 127.0.0.1:{sys.argv[3]}\\r\\n\\r\\n".encode())
      print(s.makefile().readline().split()[1])
      """
    let other = Process()
    other.executableURL = URL(filePath: "/usr/bin/setpriv")
    other.arguments =
      ["--reuid", "65534", "--clear-groups", "/usr/bin/python3", "-c", script]
      + [source, "\(sourcePort)", "\(port)", target]
    let output = Pipe()
    other.standardOutput = output
    try other.run()
    let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    other.waitUntilExit()
    return Int(answer.dropLast()) ?? 0
  }

  @Test("An address that cannot stand in a header has no entrance")
  func noEntrance() async throws {
    let (_, visit) = try await listening(entrancesTo: "https://as.example/#\u{E9}") { _, _ in }
    #expect(visit.entrances.isEmpty)
  }
}

/// The facts about a visit after its end.
private struct FinishedVisit: Sendable {
  let port: UInt16
  let redirectURI: String
  let callback: String?
  let entrances: [String]
  let missed: [MissedAnswer]
}

/// Runs `client`, which may block, while a listener waits for an answer. With a `conclusion` the listener shows that once
/// it has the answer.
private func listening<Result: Sendable>(
  at redirect: String = "http://127.0.0.1/callback", state: String? = "S", isPosted: Bool = false,
  patience: Duration = .milliseconds(1), conclusion: Conclusion? = nil,
  _ client: @escaping @Sendable (UInt16) throws -> Result
) async throws -> (Result, FinishedVisit) {
  try await listening(
    at: redirect, state: state, isPosted: isPosted, patience: patience, conclusion: conclusion,
    entrancesTo: nil
  ) { port, _ in try client(port) }
}

/// Runs `client` with two entrances to an address, of which the first can be used once.
private func listening<Result: Sendable>(
  at redirect: String = "http://127.0.0.1/callback", state: String? = "S", isPosted: Bool = false,
  patience: Duration = .milliseconds(1), conclusion: Conclusion? = nil, entrancesTo url: String?,
  _ client: @escaping @Sendable (UInt16, _ entrances: [String]) throws -> Result
) async throws -> (Result, FinishedVisit) {
  let redirectURI = try RedirectURI(redirect)
  return try await onMainLoop { () async -> Swift.Result<(Result, FinishedVisit), any Error> in
    do {
      let listener = try LoopbackListener(
        for: redirectURI, cryptography: GnuTLSCryptography(), patience: patience)
      var visit = Visit(
        url: "https://as.example/", policy: NavigationPolicy(redirectURI: listener.redirectURI),
        state: state.map { OAuthState($0) })
      visit.isPosted = isPosted
      var callback: String?
      var missed: [MissedAnswer] = []
      listener.wait(for: visit) { arrival in
        if case .callback(let arrived) = arrival { callback = try? arrived.text() }
        if let conclusion { GLibActor.task { await listener.close(conclusion) } }
      } miss: {
        missed.append($0)
      }
      let port = try #require(listener.port)
      let entrances = [true, false].compactMap { isOneTime in
        url.flatMap { listener.entrance(to: $0, isOneTime: isOneTime) }
      }
      let result = try await onThread { try client(port, entrances) }
      await listener.close(.answer)
      return .success(
        (
          result,
          FinishedVisit(
            port: port, redirectURI: listener.redirectURI.description, callback: callback,
            entrances: entrances, missed: missed)
        ))
    } catch {
      return .failure(error)
    }
  }.get()
}
