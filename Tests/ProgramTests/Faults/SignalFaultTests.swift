import Foundation
@testable import TestSupport
import Testing

/// Signals to a program, and its standard descriptors closed, at every step of what it does.
@Suite("Signals and closed descriptors", .blocking)
struct SignalFaultTests {
  /// Where the program is held: at this path of the provider, or with its user.
  enum State: String, CaseIterable {
    case description = "login, at the description"
    case page = "login, at the page"
    case exchange = "login, at the token"
    case keys = "login, at the keys"
    case browser = "login, in the browser"
    case device = "login, by another device"
    case refresh = "token, refreshing"
    case request = "request, at the API"
    case logout = "logout, at the revocation"
    case helper = "helper, refreshing"

    var path: String? {
      switch self {
      case .description: "/.well-known/openid-configuration"
      case .page: "/auth"
      case .exchange, .device, .refresh, .helper: "/t"
      case .keys: "/keys"
      case .request: "/api"
      case .logout: "/revoke"
      case .browser: nil
      }
    }

    /// Whether nothing but a protocol of others goes to standard output.
    var isSilent: Bool { [.request, .helper].contains(self) }

    /// Whether there is an account to begin with.
    var isKept: Bool { [.refresh, .request, .logout, .helper].contains(self) }
  }

  /// A signal that comes while the program is held.
  enum Signal: String, CaseIterable {
    case TERM, INT, HUP, QUIT, PIPE, USR1, USR2, ALRM, XCPU, XFSZ, KILL, STOP

    var number: Int32 {
      switch self {
      case .TERM: SIGTERM
      case .INT: SIGINT
      case .HUP: SIGHUP
      case .QUIT: SIGQUIT
      case .PIPE: SIGPIPE
      case .USR1: SIGUSR1
      case .USR2: SIGUSR2
      case .ALRM: SIGALRM
      case .XCPU: SIGXCPU
      case .XFSZ: SIGXFSZ
      case .KILL: SIGKILL
      case .STOP: SIGSTOP
      }
    }

    /// Whether the program goes on as if nothing had been; one that is stopped is told to.
    var isHarmless: Bool { [.PIPE, .XFSZ, .STOP].contains(self) }
  }

  struct Cell: CustomStringConvertible, Sendable {
    let signal: Signal
    let state: State
    var description: String { "signal: \(signal.rawValue) | \(state.rawValue)" }
  }

  private static let cells = FaultTable.chosen(
    State.allCases.flatMap { state in Signal.allCases.map { Cell(signal: $0, state: state) } },
    isTelling)

  private static func isTelling(_ cell: Cell) -> Bool {
    switch cell.signal {
    case _ where cell.state == .refresh: true
    case .TERM: true
    case .USR1: cell.state.isSilent
    case .STOP: cell.state == .page
    case .KILL: cell.state == .browser
    default: false
    }
  }

  @Test("It ends with one answer and leaves nothing, or goes on as if nothing had been", arguments: cells)
  func signalled(_ cell: Cell) throws {
    let desk = try FaultDesk()
    let caller = try Self.held(cell.state, desk)
    let children = Descendants(of: caller.identifier)
    caller.end(cell.signal.number)
    if cell.signal == .STOP { caller.end(SIGCONT) }
    if cell.signal.isHarmless, cell.state.path != nil {
      desk.letGo()
    } else if cell.signal.isHarmless {
      #expect(caller.isRunning)
      caller.end(SIGTERM)
    }
    let outcome = caller.outcome()
    switch cell.signal {
    case .KILL: #expect(outcome.status == -SIGKILL && outcome.output.isEmpty)
    case _ where cell.signal.isHarmless && cell.state.path != nil:
      #expect(outcome.status == 0 && outcome["error"] == nil, "\(outcome.output)\(outcome.messages)")
    default:
      #expect(outcome.status == 3, "\(outcome.output)\(outcome.messages)")
      let ending = cell.signal.isHarmless ? Signal.TERM : cell.signal
      #expect(outcome.messages.contains("by the signal SIG\(ending.rawValue)"), "\(outcome.messages)")
      #expect((cell.state.isSilent ? outcome.faultsOfSilence : outcome.faultsOfAnswer) == [])
      #expect(outcome["error"] as? String == (cell.state.isSilent ? nil : "cancelled"))
    }
    // A browser is the user's own, and stays.
    if cell.state == .browser { children.end("sleep") }
    #expect(children.areGone(), "\(children)")
    desk.letGo()
    if cell.state.isKept, cell.state != .logout {
      #expect(try desk.faultsOfAccount() == [])
    } else if cell.signal != .KILL {
      #expect(desk.leftovers == [])
    }
    FaultTable.note(cell, outcome)
  }

  /// A program that has come so far.
  private static func held(_ state: State, _ desk: FaultDesk) throws -> Caller {
    if state.isKept {
      if state == .helper { desk.setLife(30) }
      try desk.logIn()
      desk.setLife(3_600)
    }
    if let path = state.path { desk.hold(path) }
    let browser = desk.folder + "/tool-browser"
    if state == .browser {
      try writeProgram("#!/bin/sh\necho $$ >\(browser).pid\nexec sleep 60\n", to: browser)
    }
    let caller = try desk.start(
      arguments(state, desk), input: state == .helper ? #"{"uri":"\#(desk.base)/api"}"# : nil)
    if state.path != nil {
      try #require(desk.isReached(), "\(state.rawValue): \(caller.messages)")
    } else {
      let isThere = { FileManager.default.fileExists(atPath: browser + ".pid") }
      for _ in 0..<3_000 where !isThere() { usleep(10_000) }
      try #require(isThere(), "\(caller.messages)")
    }
    return caller
  }

  private static func arguments(_ state: State, _ desk: FaultDesk) -> [String] {
    let asked = [
      "login", "--authorization-endpoint", desk.base + "/auth", "--token-endpoint", desk.base + "/t",
      "--client-id", "me",
    ]
    return switch state {
    case .description, .keys: desk.identifiedLogin
    case .page, .exchange: desk.login
    case .browser: asked + ["--browser", desk.folder + "/tool-browser"]
    case .device:
      [
        "login", "--grant", "device", "--device-authorization-endpoint", desk.base + "/codes",
        "--token-endpoint",
        desk.base + "/t", "--client-id", "me",
      ]
    case .refresh: FaultDesk.refresh
    case .request: ["request", "--account", "work", desk.base + "/api"]
    case .logout: ["logout", "--account", "work"]
    case .helper: ["helper", "bazel", "get"]
    }
  }

  @Test(
    "Whatever is closed of descriptors 0, 1 and 2, the account is kept and nothing of it lands in a file",
    arguments: 1...7)
  func closed(_ which: Int) throws {
    let desk = try FaultDesk()
    try desk.logIn()
    let closes = (0...2).filter { which >> $0 & 1 == 1 }.map { "\($0)>&-" }.joined(separator: " ")
    let outcome = try desk.run(
      FaultDesk.refresh, wrapper: ["/bin/sh", "-c", "exec \"$0\" \"$@\" \(closes)"])
    let isMute = which >> 1 & 1 == 1
    #expect(outcome.status == (isMute ? 9 : 0), "\(outcome.output)\(outcome.messages)")
    #expect(outcome.output.isEmpty == isMute)
    if which & 4 == 4 { #expect(outcome.messages.isEmpty) }
    #expect(try desk.faultsOfAccount() == [])
    FaultTable.note("descriptors: \(closes) | token, refreshing", outcome)
  }
}
