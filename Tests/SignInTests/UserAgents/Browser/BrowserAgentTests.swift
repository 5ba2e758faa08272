import Foundation
import GLibSupport
import GnuTLSCrypto
import LoginCore
import Synchronization
import TestSupport
import Testing

@testable import SignIn

@Suite("BrowserAgent")
struct BrowserAgentTests {
  @Test("If the browser does not come back in time, the user can paste the answer")
  func late() async throws {
    let run = try await Run { terminal, redirectURI in
      terminal.type("\(redirectURI)?code=PASTED&state=S\r")
    }
    #expect(run.callback?.hasSuffix("?code=PASTED&state=S") == true)
    #expect(run.notices == ["opening https://as.example/", "opened", "late", "address https://as.example/"])
    #expect(run.isRestored)
  }

  @Test("A browser that comes back after the user was asked to paste still ends the login")
  func comesBackLate() async throws {
    let run = try await Run { _, redirectURI in
      let port = redirectURI.split(separator: ":").last?.split(separator: "/").first.flatMap { UInt16($0) }
      #expect(ask(port ?? 0, "/callback?code=BROWSER&state=S").status == 200)
    }
    #expect(run.callback?.hasSuffix("?code=BROWSER&state=S") == true)
    #expect(run.isRestored)
  }

  @Test("For a browser of this desktop, the printed address shows no part of the request")
  func printed() async throws {
    let run = try await Run(.desktop(["true"])) { terminal, redirectURI in
      terminal.type("\(redirectURI)?code=PASTED&state=S\r")
    }
    let opening = try #require(run.notices.first)
    #expect(
      opening.wholeMatch(of: /opening http:\/\/127\.0\.0\.1:\d+\/[A-Za-z0-9_-]{43}/) != nil, "\(opening)")
  }

  @Test("If no browser can be opened and the user reads no messages, the login goes on in the other way")
  func otherwise() async throws {
    let redirect = try RedirectURI("https://app.example/done")
    let other = OtherAgent(callback: "https://app.example/done?code=OTHER")
    let log = Mutex<[String]>([])
    let result = await onMainLoop { () async -> String? in
      let agent = BrowserAgent(
        opener: BrowserOpener([.command(["false"])]), listener: nil, paste: nil, otherwise: other
      ) { notice in log.withLock { $0.append(Run.text(of: notice)) } }
      let visit = Visit(url: "https://as.example/", policy: NavigationPolicy(redirectURI: redirect))
      guard case .callback(let callback)? = try? await agent.visit(visit) else { return nil }
      await agent.dismiss()
      await agent.conclude(.token)
      return try? callback.text()
    }
    #expect(result == other.callback)
    #expect(log.withLock { $0 } == ["opening https://as.example/", "not opened"])
    #expect(other.isDismissed.withLock { $0 })
    #expect(other.conclusion.withLock { $0 } == .token)
  }
}

/// An agent that has its answer at once.
private final class OtherAgent: UserAgent {
  let callback: String
  let isDismissed = Mutex(false)
  let conclusion = Mutex<Conclusion?>(nil)

  init(callback: String) { self.callback = callback }

  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    guard case .callback(let callback) = visit.policy.decision(for: Array(callback.utf8)) else {
      throw .defect()
    }
    return .callback(callback)
  }

  func dismiss() async { isDismissed.withLock { $0 = true } }
  func conclude(_ conclusion: Conclusion) async { self.conclusion.withLock { $0 = conclusion } }
}

/// A visit with a browser that opens and does no more, and a user at a terminal who acts when asked to paste.
private struct Run {
  let callback: String?
  let notices: [String]
  /// True if the terminal is as it was before.
  let isRestored: Bool

  init(
    _ method: BrowserOpener.Method = .command(["true"]),
    _ user: @escaping @Sendable (FakeTerminal, _ redirectURI: String) -> Void
  ) async throws {
    let terminal = try FakeTerminal()
    let settings = terminal.settings
    let log = Mutex<[String]>([])
    callback = try await onMainLoop { () async -> Result<String?, any Error> in
      do {
        let listener = try LoopbackListener(
          for: try RedirectURI("http://127.0.0.1/callback"), cryptography: GnuTLSCryptography())
        let agent = BrowserAgent(
          opener: BrowserOpener([method]), listener: listener,
          paste: Terminal(descriptor: terminal.slave).map { .terminal($0) }, patience: .milliseconds(100)
        ) { notice in log.withLock { $0.append(Self.text(of: notice)) } }
        let redirect = listener.redirectURI.description
        Thread.detachNewThread {
          terminal.wait(for: "of the last page")
          user(terminal, redirect)
        }
        let visit = Visit(
          url: "https://as.example/", policy: NavigationPolicy(redirectURI: listener.redirectURI),
          state: OAuthState("S"))
        let arrival = try await agent.visit(visit)
        await agent.dismiss()
        await agent.conclude(.token)
        guard case .callback(let callback) = arrival else { return .success(nil) }
        return .success(try callback.text())
      } catch {
        return .failure(error)
      }
    }.get()
    notices = log.withLock { $0 }
    isRestored = terminal.settings == settings
  }

  static func text(of notice: SignInEvent) -> String {
    switch notice {
    case .opening(let url): "opening \(url)"
    case .opened: "opened"
    case .address(let url): "address \(url)"
    case .forward: "forward"
    case .notOpened: "not opened"
    case .late: "late"
    case .browserFailed: "failed"
    case .answerElsewhere: "missed elsewhere"
    case .answerOfOtherUser: "missed otherUser"
    case .pasted: "refused"
    default: "\(notice)"
    }
  }
}

/// A pseudo-terminal at which the test types.
private final class FakeTerminal: Sendable {
  private let master: Int32
  private let kept: Int32
  /// A descriptor for the program at the terminal, which closes it.
  let slave: Int32

  init() throws {
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    guard openpty(&ends.master, &ends.slave, nil, nil, nil) == 0 else { throw POSIXError(.ENXIO) }
    (master, slave, kept) = (ends.master, ends.slave, dup(ends.slave))
  }

  deinit {
    close(master)
    close(kept)
  }

  /// The local modes, such as ECHO and ICANON.
  var settings: tcflag_t {
    var settings = termios()
    tcgetattr(kept, &settings)
    return settings.c_lflag
  }

  func type(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  /// Waits until the program has printed the text.
  func wait(for text: String) {
    var seen: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !String(decoding: seen, as: UTF8.self).contains(text) {
      let count = read(master, &buffer, buffer.count)
      if count <= 0 { return }
      seen += buffer[..<count]
    }
  }
}
