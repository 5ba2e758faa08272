import Foundation
@testable import TestSupport
import Testing

/// Signals and closed standard descriptors at every step of a program.
@Suite("Signals and closed descriptors", .blocking)
struct SignalFaultTests {
  /// The step at which the program is held: a path of the provider, or the user.
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

    /// True if standard output belongs to another protocol.
    var isSilent: Bool { [.request, .helper].contains(self) }

    var isRefresh: Bool { [.refresh, .helper].contains(self) }

    /// True if there is an account at the start.
    var isKept: Bool { [.refresh, .request, .logout, .helper].contains(self) }
  }

  /// A signal that is sent while the program is held.
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

    /// True if the program goes on. A stopped program is continued.
    var isHarmless: Bool { [.PIPE, .XFSZ, .STOP].contains(self) }
  }

  struct Cell: CustomStringConvertible, Sendable {
    let signal: Signal
    let state: State
    var description: String { "signal: \(signal.rawValue) | \(state.rawValue)" }
  }

  private static let cells = FaultTable.chosen(
    State.allCases.flatMap { state in Signal.allCases.map { Cell(signal: $0, state: state) } }, isTelling)

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

  @Test("The program ends with one answer and leaves no files, or it goes on", arguments: cells)
  func signalled(_ cell: Cell) throws {
    let fixture = try FaultFixture()
    let caller = try Self.held(cell.state, fixture)
    let children = Descendants(of: caller.identifier)
    caller.end(cell.signal.number)
    if cell.state.isRefresh, !cell.signal.isHarmless, cell.signal != .KILL {
      // The program would wait for the answer.
      usleep(500_000)
      #expect(caller.isRunning)
      caller.end(SIGTERM)
    }
    if cell.signal == .STOP { caller.end(SIGCONT) }
    if cell.signal.isHarmless, cell.state.path != nil {
      fixture.letGo()
    } else if cell.signal.isHarmless {
      #expect(caller.isRunning)
      caller.end(SIGTERM)
    }
    let outcome = caller.outcome()
    switch cell.signal {
    case .KILL: #expect(outcome.status == -SIGKILL && outcome.output.isEmpty)
    case _ where cell.signal.isHarmless && cell.state.path != nil:
      #expect(outcome.status == 0 && outcome["error"] == nil, "\(outcome)")
    default:
      #expect(outcome.status == 3, "\(outcome)")
      let ending = cell.signal.isHarmless ? Signal.TERM : cell.signal
      let words = ending == .INT ? "error: cancelled" : "stopped by SIG\(ending.rawValue)"
      #expect(outcome.messages.contains(words), "\(outcome.messages)")
      #expect((cell.state.isSilent ? outcome.faultsOfSilence : outcome.faultsOfAnswer) == [])
      #expect(outcome.error == (cell.state.isSilent ? nil : "cancelled"))
    }
    // The browser belongs to the user, and stays.
    if cell.state == .browser { children.end("sleep") }
    #expect(children.areGone(), "\(children)")
    fixture.letGo()
    if cell.state.isKept, cell.state != .logout {
      #expect(try fixture.faultsOfAccount() == [])
    } else if cell.signal != .KILL {
      #expect(fixture.leftovers == [])
    }
    FaultTable.note(cell, outcome)
  }

  /// Starts a program and waits until it is at this step.
  private static func held(_ state: State, _ fixture: FaultFixture) throws -> RunningTokentry {
    if state.isKept {
      if state == .helper { fixture.setLife(30) }
      try fixture.logIn()
      fixture.setLife(3_600)
    }
    if let path = state.path { fixture.hold(path) }
    let browser = fixture.folder + "/tool-browser"
    if state == .browser {
      try writeProgram("#!/bin/sh\necho $$ >\(browser).pid\nexec sleep 60\n", to: browser)
    }
    let caller = try fixture.start(
      arguments(state, fixture), input: state == .helper ? #"{"uri":"\#(fixture.base)/api"}"# : nil)
    if state.path != nil {
      try #require(fixture.isReached(), "\(state.rawValue): \(caller.messages)")
    } else {
      let isThere = waitUntil { FileManager.default.fileExists(atPath: browser + ".pid") }
      try #require(isThere, "\(caller.messages)")
    }
    return caller
  }

  private static func arguments(_ state: State, _ fixture: FaultFixture) -> [String] {
    let endpoints = ["--endpoint", "token=\(fixture.base)/t", "--client-id", "me"]
    return switch state {
    case .description, .keys: fixture.identifiedLogin
    case .page, .exchange: fixture.login
    case .browser:
      [
        "login", "--endpoint", "authorization=\(fixture.base)/auth", "--browser",
        fixture.folder + "/tool-browser",
      ]
        + endpoints
    case .device:
      ["login", "--grant", "device", "--endpoint", "device_authorization=\(fixture.base)/codes"] + endpoints
    case .refresh: FaultFixture.refresh
    case .request: ["request", "--account", "work", fixture.base + "/api"]
    case .logout: ["logout", "--account", "work"]
    case .helper: ["helper", "bazel", "get"]
    }
  }

  @Test(
    "With any of descriptors 0 to 2 closed, the account is kept and its contents do not land in another file",
    arguments: 1...7)
  func closed(_ which: Int) throws {
    let fixture = try FaultFixture()
    try fixture.logIn()
    let closes = (0...2).filter { which >> $0 & 1 == 1 }.map { "\($0)>&-" }.joined(separator: " ")
    let outcome = try fixture.run(
      FaultFixture.refresh, wrapper: ["/bin/sh", "-c", "exec \"$0\" \"$@\" \(closes)"])
    let isMute = which >> 1 & 1 == 1
    #expect(outcome.status == (isMute ? 9 : 0), "\(outcome)")
    #expect(outcome.output.isEmpty == isMute)
    if which & 4 == 4 { #expect(outcome.messages.isEmpty) }
    #expect(try fixture.faultsOfAccount() == [])
    FaultTable.note("descriptors: \(closes) | token, refreshing", outcome)
  }
}
