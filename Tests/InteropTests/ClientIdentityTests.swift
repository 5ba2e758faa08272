import Foundation
import Testing

@testable import TestSupport

extension InteropTests {
  @Suite("Servers that ask who the user is: mutual TLS and Kerberos")
  struct ClientIdentityTests {
    private let server: Server

    init() throws { server = try Servers.running().identities }

    /// Options for a token of the client's own, which `host` gives to Alice alone.
    private func ownToken(_ kind: String, at host: String = "localhost") -> [String] {
      [
        "login", "--grant", "client-credentials", "--client-id", "me", "--endpoint",
        "token=https://\(host):\(server[kind])/token",
      ] + optionsFile(["client_authentication": "none"]) + trust
    }

    private var trust: [String] {
      ["localhost", "127.0.0.1"].flatMap { ["--trust", "\($0)=\(server["certificate"])"] }
    }

    private var tickets: [String: String] {
      ["KRB5CCNAME": server["tickets"], "KRB5_CONFIG": server["krb5"]]
    }

    /// The requests so far: each the host that was asked, and the user.
    private var log: [String] {
      ((try? String(contentsOfFile: server["log"], encoding: .utf8)) ?? "").split(separator: "\n").map(
        String.init)
    }

    // MARK: Requests of our own

    @Test("A named host gets the certificate of a request (RFC 8705), and no other host does")
    func requests() async throws {
      let both = ["--client-certificate", server["alice"]]
      let named = ["--client-certificate", "localhost=" + server["alice"]]
      let right = try await Login.run(ownToken("mutual") + named)
      #expect(right["access_token"] == "alice", "\(right.errors)")
      let count = log.count
      for (host, options) in [("127.0.0.1", named), ("localhost", both)] {
        let answer = try await Login.run(ownToken("mutual", at: host) + options)
        #expect(answer.status == 5, "\(answer.errors)")
        #expect(answer["error"] == "tls_error")
        #expect(answer.errors.contains("--client-certificate \(host)=FILE"), "\(answer.errors)")
      }
      #expect(log.dropFirst(count).allSatisfy { $0.hasPrefix("refused") }, "\(log)")
    }

    @Test("A PIN and a passphrase are asked for at the terminal, again if they are wrong, and not shown")
    func terminal() async throws {
      let pin = try await atTerminal(
        [("PIN (", "9999\r"), ("That PIN is wrong. There are only a few", "1234\r")],
        ownToken("mutual") + ["--client-certificate", "localhost=pkcs11:token=card"])
      #expect(pin.token == "alice", "\(pin.screen)")
      #expect(!pin.screen.contains("1234") && !pin.screen.contains("9999") && pin.isRestored, "\(pin.screen)")
      let passphrase = try await atTerminal(
        [("Passphrase (", "wrong\r"), ("That passphrase is wrong", "secret\r")],
        ownToken("mutual") + ["--client-certificate", "localhost=" + server["alice_p12"]])
      #expect(passphrase.token == "alice", "\(passphrase.screen)")
      let choice = try await atTerminal(
        [("Number of the certificate", "2\r")],
        ownToken("mutual") + [
          "--client-certificate", "localhost=" + server["alice"], "--client-certificate",
          "localhost=" + server["bob"],
        ])
      #expect(choice.token == "bob", "\(choice.screen)")
      #expect(choice.screen.contains("1) alice") && choice.screen.contains("2) bob"), "\(choice.screen)")
    }

    @Test("Without a PIN, a terminal or a token the login fails, and says why")
    func failures() async throws {
      let card = ["--client-certificate", "localhost=pkcs11:token=card"]
      for key in ["\u{3}", "\u{4}"] {
        let cancelled = try await atTerminal([("PIN (", key)], ownToken("mutual") + card)
        #expect(cancelled.status == 3 && cancelled.isRestored, "\(cancelled.screen)")
      }
      let without = try await atTerminal([("PIN (", "\r")], ownToken("mutual") + card)
      #expect(without.status == 5, "\(without.screen)")
      let right = try await atTerminal([("PIN (", "1234\r")], ownToken("mutual") + card)
      #expect(
        right.token == "alice" && !right.screen.contains("few tries"), "no try was used up: \(right.screen)")
      let home = ["HOME": server["home"]]
      for (options, environment, status, words) in [
        (card, home, 7, "neither a terminal nor a display"),
        (card + ["--silent"], home, 8, "must not be asked"),
        (card, [:], 2, "no token has the client certificate"),
        (["--client-certificate", server["alice_pem"]], home, 2, "--client-certificate: "),
        (["--headless-test"] + card, home, 2, "--headless-test and --client-certificate pkcs11:"),
      ] as [([String], [String: String], Int32, String)] {
        let answer = try await Login.run(ownToken("mutual") + options, environment: environment)
        #expect(answer.status == status, "\(answer.errors)")
        #expect(answer.errors.contains(words), "\(answer.errors)")
      }
    }

    @Test("A named host gets a Kerberos ticket for a request, and no other host does")
    func negotiated() async throws {
      let named = ["--negotiate", "localhost:\(server["ticket"])"]
      let answer = try await Login.run(ownToken("ticket") + named + certified, environment: tickets)
      #expect(answer["access_token"] == "alice@TEST", "\(answer.errors)")
      for (host, options) in [("127.0.0.1", named), ("localhost", [])] {
        let answer = try await Login.run(
          ownToken("ticket", at: host) + options + certified, environment: tickets)
        #expect(answer.status != 0, "\(answer.text)")
        #expect(log.last == "\(host) None")
      }
    }

    /// The grant wants a secret or a certificate of the client.
    private var certified: [String] { ["--client-certificate", server["alice"]] }

    // MARK: The window

    @Test(
      "The window asks for the PIN on a page of its own, again if it is wrong, and the request after it does not"
    )
    func pin() async throws {
      let desk = try await Desk()
      let login = try login(
        on: desk, "mutual", ["--client-certificate", "pkcs11:token=card"], ["HOME": server["home"]])
      try await asked(login, times: 1, on: desk, .focus)
      try await desk.screen.shoot("certificate-pin")
      try desk.screen.type("9999")
      try desk.screen.press("Return")
      try await asked(login, times: 2, on: desk, .wrong)
      try await desk.screen.shoot("certificate-pin-wrong")
      try desk.screen.type("1234")
      try desk.screen.press("Return")
      let answer = try await Answer(of: login)
      #expect(answer["access_token"] == "alice", "\(answer.errors)")
      #expect(!(answer.errors + answer.text).contains("1234"))
    }

    @Test("The user chooses one of several certificates, enters its passphrase, or goes on without one")
    func choice() async throws {
      let desk = try await Desk()
      let certificates = ["alice_p12", "bob"].flatMap { ["--client-certificate", server[$0]] }
      // The server asks before WebKit says that the load has begun.
      let note = desk.folder + "/late"
      let library = try desk.preload("late.c", "-DNUMBER=3", "-DNOTE=\"\(note)\"")
      let login = try login(on: desk, "mutual", certificates, library)
      try await asked(login, times: 1, on: desk)
      #expect(FileManager.default.fileExists(atPath: note), "no message was late")
      try await desk.screen.shoot("certificate-choice")
      try desk.screen.press("Return")
      try await asked(login, times: 2, on: desk, .focus)
      try await desk.screen.shoot("certificate-passphrase")
      try desk.screen.press("alt+w")
      try #require(
        await eventually { login.errors.contains("asks for a client certificate") }, "\(login.errors)")
      _ = try await desk.screen.standsStill()
      try await desk.screen.shoot("certificate-missing")
      _ = try await desk.leaves { login.status != nil }
      let answer = try await Answer(of: login)
      #expect(answer.status == 5 && answer["error"] == "tls_error", "\(answer.errors)")
    }

    @Test("In the window, only the named host gets a ticket or a certificate, whatever its page loads")
    func window() async throws {
      let desk = try await Desk()
      let count = log.count
      // The page loads an image from a host that wants a ticket, too, and goes on when there is none.
      let other = "https://127.0.0.1:\(server["ticket"])/auth"
      let login = try login(
        on: desk, "ticket", certified + ["--negotiate", "localhost:\(server["ticket"])"],
        tickets.merging(["TMPDIR": desk.folder]) { $1 },
        page: "frame?other=\(other)&")
      let answer = try await Answer(of: login)
      #expect(answer["access_token"] == "alice@TEST", "\(answer.errors)")
      #expect(log.dropFirst(count).contains("127.0.0.1 None"), "\(log)")
      #expect(!log.dropFirst(count).contains("127.0.0.1 alice@TEST"), "\(log)")
      let leftovers = {
        (try? FileManager.default.contentsOfDirectory(atPath: desk.folder))?.filter {
          $0.hasPrefix("tokentry-")
        }
      }
      #expect(await eventually { leftovers() == [] }, "\(leftovers() ?? [])")
    }

    @Test("A kept session alone gives nobody a ticket, nor a certificate to a host that was not named")
    func unnamed() async throws {
      let desk = try await Desk()
      let count = log.count
      let other = "https://127.0.0.1:\(server["mutual"])/auth"
      let login = try login(
        on: desk, "ticket", ["--client-certificate", "example.com=" + server["alice"], "--session", "mail"],
        tickets,
        page: "frame?other=\(other)&")
      try #require(await eventually { login.errors.contains("HTTP 401") }, "\(login.errors)")
      login.end(SIGTERM)
      _ = await login.end()
      #expect(Set(log.dropFirst(count)).isSubset(of: ["localhost None", "refused SSLError"]), "\(log)")
    }

    /// Starts a login in the window, whose first page is on localhost.
    private func login(
      on desk: Desk, _ kind: String, _ options: [String], _ variables: [String: String] = [:],
      page: String = "auth"
    ) throws -> Program {
      try desk.login(
        at: "https://localhost:\(server[kind])/\(page)", redirect: "https://app.example/done",
        more: ["--way", "window"] + trust + options, variables: variables)
    }

    /// Waits until the user is asked for the nth time, and the question can be seen. A question for a secret has an entry with
    /// an edge of this colour.
    private func asked(
      _ login: Program, times: Int, on desk: Desk, _ edge: Picture.Colour? = nil
    ) async throws {
      let isAsked = { login.errors.components(separatedBy: "the user is asked").count > times }
      try #require(await eventually { isAsked() && desk.seat.shows("Sign in") }, "\(login.errors)")
      try #require(await desk.sees { sight in edge.map(sight.has) ?? true }, "\(login.errors)")
    }

    // MARK: The terminal

    private struct Run {
      let status: Int
      let token: String?
      let screen: String
      let isRestored: Bool
    }

    /// Runs the program at a terminal, and types each answer when the screen shows the text before it.
    private func atTerminal(_ script: [(String, String)], _ arguments: [String]) async throws -> Run {
      let tool = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "ProgramTests/at-terminal.py").path()
      let program = try Program(
        "/usr/bin/python3", [tool, Desk.program("tokentry")] + arguments,
        environment: ["HOME": server["home"], "PATH": "/usr/bin:/bin"],
        errorPath: "\(Servers.running().folder)/\(UUID().uuidString)")
      let input = try JSONSerialization.data(withJSONObject: script.map { [$0.0, $0.1] })
      try program.write(String(decoding: input, as: UTF8.self))
      try program.closeInput()
      _ = await program.end()
      let result = try #require(
        try JSONSerialization.jsonObject(with: Data(program.text.utf8)) as? [String: Any], "\(program.errors)"
      )
      let output = (result["output"] as? String).flatMap {
        try? JSONSerialization.jsonObject(with: Data($0.utf8))
      }
      return Run(
        status: result["status"] as? Int ?? -1, token: (output as? [String: Any])?["access_token"] as? String,
        screen: result["screen"] as? String ?? "", isRestored: result["restored"] as? Bool ?? false)
    }
  }
}
