import Foundation
import Synchronization
import TestSupport
import Testing

/// Many programs that want a token of one account, and the provider that sees what they do.
final class Callers: Sendable {
  /// What the provider has seen.
  struct Seen {
    /// The number of the refresh token that is good, once.
    var current = 1
    var (logins, tokenRequests, refreshes, deadTokens) = (0, 0, 0, 0)
    /// Requests at once whose senders were still there: more than one is never right.
    var mostAtOnce = 0
    /// When the last token was issued.
    var issued = ContinuousClock.now
    /// The same of the last one that nobody knew of when a dead refresh token came instead.
    var issuedInVain = ContinuousClock.now
    var issuedDate = Date()
    fileprivate var open: [Int: @Sendable () -> Bool] = [:]
    fileprivate var next = 0
  }

  /// What is done with a login: nothing until something else is to be done, or what the name says.
  enum Conduct: Sendable {
    case signsIn, denies, holds
    /// The same with a refresh.
    case holdsRefresh
  }

  let state = Mutex(Seen())
  let conduct = Mutex(Conduct.signsIn)
  let environment: [String: String]
  private let life: Int
  private let delay: UInt32
  private let folder = FileManager.default.temporaryDirectory.appending(path: "callers-\(UUID().uuidString)")
  private let started = Mutex<StandInServer?>(nil)

  /// Callers that keep their accounts in a folder, or where `bus` says. Every request takes `delay` microseconds.
  init(life: Int = 3_600, delay: UInt32 = 0, bus: [String: String]? = nil) throws {
    self.life = life
    self.delay = delay
    environment = bus ?? ["TOKENTRY_STORE": "file:\(folder.path(percentEncoded: false))/store"]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let server = try StandInServer { [weak self] request, _ in self?.answer(request) ?? .hangUp }
    started.withLock { $0 = server }
    let outcome = try run(
      [
        "login", "--authorization-endpoint", server.base + "/a", "--token-endpoint", server.base + "/t",
        "--client-id", "me", "--redirect-uri", "https://app.example/done", "--headless-test", "--account",
        "work",
      ])
    #expect(outcome.status == 0, "\(outcome.messages)")
    state.withLock { ($0.logins, $0.tokenRequests) = (0, 0) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The provider's address.
  var base: String? { started.withLock { $0?.base } }

  var seen: Seen { state.withLock { $0 } }

  private func answer(_ request: StandInServer.Request) -> StandInServer.Answer {
    let number = state.withLock { seen in
      seen.next += 1
      seen.open[seen.next] = request.isAbandoned
      seen.mostAtOnce = max(seen.mostAtOnce, seen.open.values.count { !$0() })
      return seen.next
    }
    defer { state.withLock { $0.open[number] = nil } }
    usleep(delay)
    if request.path == "/a" {
      state.withLock { $0.logins += 1 }
      hold(request, while: .holds)
      let state = request.target.split(separator: "&").first { $0.hasPrefix("state=") } ?? ""
      let result = conduct.withLock { $0 == .denies } ? "error=access_denied" : "code=C"
      return .redirect("https://app.example/done?\(result)&\(state)")
    }
    state.withLock { $0.tokenRequests += 1 }
    hold(request, while: .holdsRefresh)
    return state.withLock { seen in
      if request.body.contains("grant_type=refresh_token") {
        guard request.body.contains("refresh_token=R\(seen.current)&") else {
          seen.deadTokens += 1
          seen.issuedInVain = seen.issued
          return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        seen.refreshes += 1
      }
      seen.current += 1
      (seen.issued, seen.issuedDate) = (.now, Date())
      // What the login of the beginning got does not last, whatever comes later does.
      let life = seen.current == 2 ? 1 : life
      return .json(
        #"{"access_token":"T\#(seen.current)","token_type":"Bearer","expires_in":\#(life),"#
          + #""refresh_token":"R\#(seen.current)"}"#)
    }
  }

  private func hold(_ request: StandInServer.Request, while held: Conduct) {
    for _ in 0..<3_000 where conduct.withLock({ $0 == held }) && !request.isAbandoned() { usleep(10_000) }
  }

  /// The refresh token is not good any more: somebody has to sign in.
  func revoke() { state.withLock { $0.current += 1_000 } }

  func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, environment: environment)
  }

  /// So many programs at once.
  func run(_ count: Int, _ arguments: [String]) async -> [Program.Outcome?] {
    await withTaskGroup(of: Program.Outcome?.self) { group in
      for _ in 0..<count { group.addTask { [self] in await onThread { try self.run(arguments) } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// A program that goes on in the background, with what it says on a file of its own.
  func start(_ arguments: [String], output: Pipe? = nil) throws -> Caller {
    try Caller(arguments, environment, in: folder, output: output)
  }

  /// Waits until something is so.
  func wait(until condition: () -> Bool) {
    for _ in 0..<3_000 where !condition() { usleep(10_000) }
    #expect(condition())
  }

  /// When the account's file was written.
  var written: Date? {
    let path = folder.appending(path: "store/work.json").path(percentEncoded: false)
    return try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }
}

/// One of them that runs in the background.
final class Caller {
  private let process: Process
  private let files: (output: URL, messages: URL)

  init(
    _ arguments: [String], _ environment: [String: String], in folder: URL, input: String? = nil,
    output: Pipe? = nil, wrapper: [String] = []
  ) throws {
    let name = UUID().uuidString
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    files = (folder.appending(path: "\(name).out"), folder.appending(path: "\(name).err"))
    process = try Program.prepared(arguments, environment: environment)
    if let command = wrapper.first {
      process.arguments = wrapper.dropFirst() + [try Program.executable().path()] + arguments
      process.executableURL = URL(filePath: command)
    }
    for file in [files.output, files.messages] { try Data().write(to: file) }
    let source = folder.appending(path: "\(name).in")
    if let input { try Data(input.utf8).write(to: source) }
    process.standardInput = input == nil ? FileHandle.nullDevice : try FileHandle(forReadingFrom: source)
    process.standardOutput = try output ?? FileHandle(forWritingTo: files.output)
    process.standardError = try FileHandle(forWritingTo: files.messages)
    try process.run()
  }

  var isWaiting: Bool { messages.contains("waiting for another program") }
  var messages: String { (try? String(contentsOf: files.messages, encoding: .utf8)) ?? "" }
  var identifier: pid_t { process.processIdentifier }
  var isRunning: Bool { process.isRunning }
  func end(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// What it came to, when it has ended.
  func outcome() -> Program.Outcome {
    process.waitUntilExit()
    return Program.Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: (try? String(contentsOf: files.output, encoding: .utf8)) ?? "", messages: messages)
  }
}

/// Runs what blocks without taking a thread from the others.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async -> Value? {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: try? body()) }
  }
}
