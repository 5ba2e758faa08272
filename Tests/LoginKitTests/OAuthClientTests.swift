import CGLib
import Foundation
import GLibSupport
import LoginCore
import Platform
import Testing
import WindowProtocol

@testable import LoginKit

@Suite("A client of OAuth")
struct OAuthClientTests {
  @Test("A wrong address of an API fails before the user signs in")
  func wrongAPI() async throws {
    try await withClient { server, client in
      var client = client
      client.allowedOrigins = ["https://api.example/v1"]
      let failure = await #expect(throws: Failure.self) { try await client.signIn() }
      #expect(failure?.code == .invalidConfiguration && server.count("/authorize") == 0)
    }
  }

  @Test("An account sends no token to a server that has been taken out of the allowed ones")
  func takenOut() async throws {
    try await withClient { server, client in
      try await client.signIn()
      #expect(try await client.request(server.origin + "/api").status == 200)
      var changed = client
      changed.allowedOrigins = ["https://api.example"]
      let (narrow, count) = (changed, server.count("/api"))
      let failure = await #expect(throws: Failure.self) { try await narrow.request(server.origin + "/api") }
      #expect(failure?.code == .originNotAllowed && server.count("/api") == count)
      await #expect(throws: Failure.self) { try await narrow.authorization(for: server.origin + "/api") }
      #expect(try await narrow.authorization(for: "https://api.example/x").isEmpty == false)
    }
  }

  @Test("An account of another provider with the same name sends it no token")
  func otherProvider() async throws {
    try await withClient { _, first in
      try await first.signIn(account: "work")
      let server = try TestServer()
      var second = try OAuthClient(issuer: server.origin, clientID: "app")
      (second.store, second.way, second.allowedOrigins) = (first.store, first.way, [server.origin])
      for mayAsk in [false, true] {
        let failure = await #expect(throws: Failure.self) {
          try await second.request(server.origin + "/api", account: "work", signingIn: mayAsk)
        }
        #expect(failure?.code == .loginRequired && server.count("/api") == 0)
      }
      await #expect(throws: Failure.self) { try await second.freshToken(account: "work") }
      await #expect(throws: Failure.self) {
        try await second.authorization(for: server.origin + "/api", account: "work")
      }
      try await second.signIn(account: "work")
      #expect(try await second.request(server.origin + "/api", account: "work").status == 200)
      await server.close()
    }
  }

  @Test("The account of another client with the same name is not used, and the failure names that client")
  func otherClient() async throws {
    try await withClient { server, first in
      try await first.signIn(account: "work")
      var second = try OAuthClient(issuer: server.origin, clientID: "another")
      (second.store, second.allowedOrigins) = (first.store, [server.origin])
      let client = second
      let failure = await #expect(throws: Failure.self) {
        try await client.request(server.origin + "/api", account: "work")
      }
      #expect(failure?.code == .loginRequired && server.count("/api") == 0)
      let owner = try await first.clientID() ?? "-"
      #expect(failure?.message.description.contains(owner) == true, "\(failure as Any)")
    }
  }

  @Test(
    "A call that waits for a server ends with its task, or at its deadline with the name of the server",
    arguments: [
      "/.well-known/openid-configuration", "/register", "/device", "/authorize", "/token", "/api",
    ], [true, false])
  func end(path: String, isCancelled: Bool) async throws {
    try await withClient { server, first in
      var client = try OAuthClient(issuer: server.origin)
      (client.store, client.allowedOrigins) = (first.store, first.allowedOrigins)
      client.way = path == "/device" ? .device : .headless(form: [:])
      client.deadline = .seconds(isCancelled ? 60 : 1)
      server.silentPath = path
      let wanted = client
      let call = GLibActor.task { () -> Failure? in
        do throws(Failure) {
          if path == "/api" {
            _ = try await wanted.request(server.origin + "/api", signingIn: true)
          } else {
            try await wanted.signIn()
          }
          return nil
        } catch { return error }
      }
      while server.count(path) == 0 { try await pause(for: .milliseconds(10)) }
      if isCancelled { call.cancel() }
      let failure = await call.value
      #expect(failure?.code == (isCancelled ? .cancelled : .timeout), "\(path): \(failure as Any)")
      let reason = failure?.message.description ?? ""
      #expect(
        isCancelled || reason.contains("127.0.0.1") && reason.contains("within 1 s"), "\(path): \(reason)")
      server.silentPath = nil
    }
  }

  @Test(
    "Each call returns at once if the store or the address of an API fails at once", .timeLimit(.minutes(1)))
  func failsAtOnce() async throws {
    try await withClient { server, first in
      let api = server.origin + "/api"
      let calls: [(String, @Sendable (OAuthClient) async throws -> Void)] = [
        ("signIn", { try await $0.signIn() }),
        ("freshToken", { _ = try await $0.freshToken(signingIn: true) }),
        ("forcingRefresh", { _ = try await $0.freshToken(forcingRefresh: true) }),
        ("request", { _ = try await $0.request(api, signingIn: true) }),
        ("authorization", { _ = try await $0.authorization(for: api) }),
        ("signOut", { try await $0.signOut() }), ("forget", { try await $0.forget() }),
      ]
      var broken = first
      broken.store = BrokenStore()
      var misspelt = first
      misspelt.allowedOrigins = ["*"]
      // The result has to arrive between two steps of the wait, so one call could be lucky.
      for _ in 0..<50 {
        for (name, call) in calls {
          let failure = await #expect(throws: Failure.self, "\(name)") { try await call(broken) }
          #expect(failure?.code == .storeUnavailable, "\(name)")
          if ["signOut", "forget", "forcingRefresh"].contains(name) { continue }
          await #expect(throws: Failure.self, "\(name)") { try await call(misspelt) }
        }
      }
      #expect(server.count("/authorize") == 0)
    }
  }

  /// The methods that need the account for themselves.
  private static let calls: [(name: String, call: @Sendable (OAuthClient, Token) async throws -> Void)] = [
    ("signIn", { client, _ in try await client.signIn() }),
    ("forcingRefresh", { client, _ in _ = try await client.freshToken(forcingRefresh: true) }),
    ("insteadOf", { client, token in _ = try await client.freshToken(insteadOf: token) }),
    ("signOut", { client, _ in try await client.signOut() }),
    ("forget", { client, _ in try await client.forget() }),
  ]

  @Test(
    "A call that another task holds up says so at its deadline, or at once if it does not wait",
    arguments: ["memory", "folder", "own locks"])
  func heldUp(place: String) async throws {
    try await withClient { server, client in
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      var client = client
      switch place {
      case "folder": client.store = .folder(folder.path())
      case "own locks": client.store = LockedStore()
      default: break
      }
      let token = try await client.signIn()
      let lock = try await client.store.locks.lock(client.accountName())
      defer { withExtendedLifetime(lock) {} }
      client.deadline = .milliseconds(900)
      let hasty = client
      for (name, call) in Self.calls {
        let failure = await #expect(throws: Failure.self, "\(name)") { try await call(hasty, token) }
        #expect(failure?.code == .timeout, "\(name)")
        #expect(
          failure?.message.description == "another program or task was still using the account after 1 s",
          "\(name)")
      }
      if place == "own locks" { return }
      (client.deadline, client.waitsForOthers) = (.seconds(60), false)
      let impatient = client
      for (name, call) in Self.calls {
        let failure = await #expect(throws: Failure.self, "\(name)") { try await call(impatient, token) }
        #expect(failure?.code == .alreadyInProgress, "\(name): \(failure as Any)")
      }
    }
  }

  /// A store in memory with locks of its own.
  private actor LockedStore: CredentialStore {
    struct Locks: StoreLocks {
      let inner = ProcessLocks()
      func lock(_ name: AccountName) async throws(Failure) -> any StoreLock { try await inner.lock(name) }
      func lock(_ slot: ClientSlot) async throws(Failure) -> any StoreLock { try await inner.lock(slot) }
    }

    let locks = Locks()
    private let inner = MemoryStore()
    func find(_ name: AccountName) async -> Account? { await inner.find(name) }
    func save(_ account: Account) async { await inner.save(account) }
    func delete(_ name: AccountName) async throws(Failure) { try await inner.delete(name) }
    func list() async -> [StoredAccount] { await inner.list() }
  }

  @Test(
    "A deadline or a cancelled task ends a call at once, and its refresh is finished and saved afterwards",
    .timeLimit(.minutes(1)), arguments: [true, false])
  func refreshInBackground(isCancelled: Bool) async throws {
    try await withClient { server, client in
      let old = try await client.signIn()
      var hasty = client
      hasty.deadline = .seconds(isCancelled ? 60 : 1)
      server.silentPath = "/token"
      let started = ContinuousClock.now
      let call = GLibActor.task { [hasty] () -> Failure? in
        do throws(Failure) { _ = try await hasty.freshToken(forcingRefresh: true) } catch { return error }
        return nil
      }
      while server.count("/token") < 2 { try await pause(for: .milliseconds(10)) }
      if isCancelled { call.cancel() }
      #expect(await call.value?.code == (isCancelled ? .cancelled : .timeout))
      // A process that ends would wait ten seconds for the refresh.
      #expect(started.duration(to: .now) < .seconds(9))
      #expect(try await client.keptToken()?.accessToken == old.accessToken)
      server.silentPath = nil
      while try await client.keptToken()?.accessToken == old.accessToken {
        try await pause(for: .milliseconds(10))
      }
    }
  }

  @Test("A transport of the application that does not answer is named at the deadline")
  func silentTransport() async throws {
    try await withClient { _, client in
      var client = client
      client.dependencies = .standard
      client.dependencies?.transport = SilentTransport()
      client.deadline = .milliseconds(900)
      let hasty = client
      let failure = await #expect(throws: Failure.self) { try await hasty.signIn() }
      #expect(failure?.message.description == "127.0.0.1 did not answer within 1 s")
    }
  }

  private struct SilentTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
      try? await Task.sleep(for: .seconds(600))
      throw .cancelled
    }
  }

  /// A store that fails at once.
  private struct BrokenStore: CredentialStore {
    let locks = ProcessLocks()
    private var failure: Failure { Failure(.storeUnavailable, "broken") }

    func find(_ name: AccountName) async throws(Failure) -> Account? { throw failure }
    func save(_ account: Account) async throws(Failure) { throw failure }
    func delete(_ name: AccountName) async throws(Failure) { throw failure }
    func list() async throws(Failure) -> [StoredAccount] { throw failure }
    func prepare() async throws(Failure) { throw failure }
  }

  @Test("A client lists and signs out its own accounts, and no other program's in the same store")
  func ownAccounts() async throws {
    try await withClient { server, client in
      for name in ["work", "home"] { try await client.signIn(account: name) }
      var other = try OAuthClient(issuer: server.origin, clientID: "other")
      (other.store, other.way) = (client.store, client.way)
      try await other.signIn(account: "others")
      #expect(try await client.accounts().map(\.name.description) == ["home", "work"])
      var registered = other
      registered.login.clientID = ""
      #expect(try await registered.accounts().isEmpty, "no client is registered yet")
      try await registered.signIn(account: "registered")
      #expect(try await registered.accounts().map(\.name.description) == ["registered"])
      try await client.signOutEverywhere()
      #expect(server.count("/revoke") == 4, "two tokens of each account")
      #expect(try await client.store.list().map(\.name.description) == ["others", "registered"])
      #expect(try await client.accounts().isEmpty)
    }
  }

  @Test("A failed sign-out of one account does not keep the client from signing out of the others")
  func signOutOfTheRest() async throws {
    try await withClient { server, client in
      for name in ["a", "b"] { try await client.signIn(account: name) }
      let names = try await client.accounts().map(\.name)
      let held = try await client.store.locks.lock(names[0])
      defer { withExtendedLifetime(held) {} }
      var impatient = client
      impatient.waitsForOthers = false
      let hasty = impatient
      let failure = await #expect(throws: Failure.self) { try await hasty.signOutEverywhere() }
      #expect(failure?.code == .alreadyInProgress)
      #expect(try await client.accounts().map(\.name) == [names[0]])
    }
  }

  @Test("A request to a server that may have no token is refused with advice before the user is asked")
  func originBeforeSignIn() async throws {
    try await withClient { server, client in
      var client = client
      client.allowedOrigins = []
      let narrow = client
      let failure = await #expect(throws: Failure.self) {
        try await narrow.request(server.origin + "/api", signingIn: true)
      }
      #expect(failure?.code == .originNotAllowed && server.count("/authorize") == 0)
      #expect(failure?.advice?.contains("\"\(server.origin)\" to allowedOrigins") == true)
    }
  }

  @MainLoop
  private final class Counter {
    static let shared = Counter()
    var count = 0
  }

  @Test("A callback on the main loop's thread may use what belongs to the main loop")
  func mainLoop() async {
    await #expect(processExitsWith: .success) {
      // The test's process has no thread in this loop yet.
      g_main_context_acquire(nil)
      let count = MainLoop.assumeIsolated {
        Counter.shared.count += 1
        return Counter.shared.count
      }
      #expect(count == 1)
    }
    await #expect(processExitsWith: .failure) {
      let thread = Thread { MainLoop.assumeIsolated {} }
      g_main_context_acquire(nil)
      thread.start()
      while !thread.isFinished { usleep(1_000) }
    }
  }

  @Test("A wrong issuer is named without its password")
  func password() async throws {
    try await withClient { _, _ in
      let failure = #expect(throws: Failure.self) { try OAuthClient(issuer: "https://user:pa55@id.example") }
      let text = failure?.description ?? ""
      #expect(text.contains("id.example") && !text.contains("pa55"), "\(text)")
    }
  }

  @Test("An event in words names no key of a command line")
  func words() {
    let event = OAuthClient.Event.opening("https://id.example/")
    #expect("\(event)" == "if nothing opened, visit https://id.example/")
  }

  @Test("A failure is a sentence for people, with a hint that they can follow")
  func text() {
    #expect(Failure.windowClosed.text == "the window was closed")
    #expect(Failure(.network, "no answer", hint: "try again").text == "no answer (try again)")
    #expect(Failure(.network, "no answer", hint: .addIssuer).text == "no answer")
  }

  @Test("A failure is a sentence in the user's language")
  func translated() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      let messages = folder.appending(path: "de/LC_MESSAGES")
      try FileManager.default.createDirectory(at: messages, withIntermediateDirectories: true)
      let root = URL(filePath: #filePath).appending(path: "../../..")
      let compiler = try Process.run(
        URL(filePath: "/usr/bin/msgfmt"),
        arguments: [
          root.appending(path: "data/po/de.po").standardized.path(), "--output-file",
          messages.appending(path: "tokentry.mo").path(),
        ])
      compiler.waitUntilExit()
      setenv("LC_ALL", "C.UTF-8", 1)
      setenv("LANGUAGE", "de", 1)
      setenv("TEXTDOMAINDIR", folder.path(), 1)
      #expect(Failure.windowClosed.text == "das Fenster wurde geschlossen")
      #expect(Failure.windowClosed.description == "the window was closed")
    }
  }

  @Test("A window is shown by the program that the application names")
  func windowProgram() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let program = folder.appending(path: "window")
      try Data("#!/bin/sh\ntouch \"$0.ran\"\nexit 1\n".utf8).write(to: program)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path())
      setenv("DISPLAY", ":9999", 1)
      try await withClient { _, client in
        var client = client
        (client.way, client.windowProgram) = (.window, program.path())
        let failure = await #expect(throws: Failure.self) { try await client.signIn() }
        #expect(failure?.code == .windowFailed)
        client.windowProgram = "/no/such/window"
        let missing = client
        let lack = await #expect(throws: Failure.self) { try await missing.signIn() }
        #expect(lack?.advice?.contains("windowProgram") == true)
      }
      #expect(FileManager.default.fileExists(atPath: program.path() + ".ran"))
      let environment = Environment()
      #expect(environment.installedWindowPrograms.contains("/usr/libexec/tokentry/tokentry-window"))
      setenv("TOKENTRY_WINDOW", "/opt/window", 1)
      #expect(environment.installedWindowPrograms == ["/opt/window"])
    }
  }

  @Test("The advice on a failure names the members of the library")
  func advice() async throws {
    try await withClient { _, client in
      var client = client
      client.way = .own(FailingAgent(failure: PageRefusal.rejected(host: "id.example", status: 400).failure))
      let heard = await #expect(throws: Failure.self) { try await client.signIn() }
      #expect(
        heard?.advice
          == "check that login.clientID and login.redirectURI are as registered with the provider")
    }
  }
}

private struct FailingAgent: UserAgent {
  let failure: Failure

  func visit(_ visit: Visit) async throws(Failure) -> Arrival { throw failure }

  func dismiss() async {}
}
