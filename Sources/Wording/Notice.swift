import LoginCore
import LoginWays

/// What a person is told on standard error while a command goes on.
package enum Notice: Sendable, Equatable {
  case failure(Failure)
  // The way to the user.
  case pageOpen
  case openPage(String)
  case forwardPort(UInt16, host: String)
  case windowInstead
  case browserLate
  case schemeOpened(String)
  case inBrowser
  case windowRestarted
  case strayCallback
  case blankPage(next: Rendering)
  case remembered(Rendering)
  /// What the window says of itself.
  case window(String)
  case page(origin: String)
  /// Who has not answered for a while.
  case slow(host: String)
  case decision(String, uri: String)
  // Codes for another device.
  case code(String, address: String)
  case codeLifetime(Int64)
  case codeWithoutWindow(Failure)
  case askedLess(seconds: Int64)
  case askedAgain(Failure, seconds: Int64)
  // Accounts and clients.
  case waiting
  case signInNeeded
  case tokenRefused
  case clientForgotten
  case clientMade(isKept: Bool)
  case noEndOfSession
  // Grants that somebody should think twice about.
  case passwordGrant
  case implicitGrant
  // The demonstration.
  case demoListens(String)
  case demoUser(name: String, password: String, DemoPlace?)
  case demoByItself(Failure, name: String)
  /// What was found of this machine.
  case finding(Finding)
  /// What a program and its helper say to each other.
  case heard(String), said(String)
  /// What a library says of itself.
  case library(String)
  /// What was given as the answer, and is none.
  case noAnswer(PasteQuestion.Problem)

  /// Where somebody signs in to the demonstration.
  package enum DemoPlace: Sendable, Equatable {
    case browser, window
  }

  package var words: String {
    switch self {
    case .failure(let failure): Report(failure).message
    case .pageOpen: "the page is open in your browser"
    case .openPage(let url): "open this page in a browser: \(url)"
    case .forwardPort(let port, let host):
      "if that browser runs on another machine, first run there: ssh -N -L \(port):localhost:\(port) \(host)"
    case .windowInstead: "no browser could be opened, so the page is shown in a window"
    case .browserLate: "the browser has not come back yet"
    case .schemeOpened(let scheme): "\(scheme): is opened by tokentry until the login has ended"
    case .inBrowser: "the login goes on in the browser"
    case .windowRestarted: "the window ended, and is started again"
    case .strayCallback: "a callback of another request was ignored"
    case .blankPage(let next): "the page stayed blank, and is opened again with --rendering \(next.rawValue)"
    case .remembered(let rendering): "\(rendering.rawValue) is remembered for the next login"
    case .window(let words): words.forDisplay(limit: 200)
    case .page(let origin): "page of \(origin)"
    case .slow(let host): "\(host) has not answered yet"
    case .decision(let decision, let uri): "\(decision): \(uri)"
    case .code(let code, let address): "open \(address) and type in \(code)"
    case .codeLifetime(let seconds): "the code is valid for \(seconds) s"
    case .codeWithoutWindow(let failure): "the code is not shown in a window: \(Report(failure).message)"
    case .askedLess(let seconds): "the provider wants to be asked less often: again in \(seconds) s"
    case .askedAgain(let failure, let seconds): "\(Report(failure).message): again in \(seconds) s"
    case .waiting: "waiting for another program that is using the account"
    case .signInNeeded: "the account needs somebody to sign in"
    case .tokenRefused: "the server refused the token; trying again with a new one"
    case .clientForgotten: "the provider has forgotten the client, and is asked for a new one"
    case .clientMade(let isKept): "the provider has registered a client" + (isKept ? ", which is kept" : "")
    case .noEndOfSession: "the provider has no page that ends its session"
    case .passwordGrant:
      "the password grant shows the user's password to this program: use another grant if the provider has one"
    case .implicitGrant:
      "the implicit grant returns the token in a URL: use the code grant if the provider has it"
    case .demoListens(let issuer): "the demo provider listens on \(issuer)"
    case .demoUser(let name, let password, let place):
      "sign in as \(name), with the password \(password)" + (place.map { ", in \($0.words)" } ?? "")
    case .demoByItself(let failure, let name):
      "\(Report(failure).message), so a headless agent signs in as \(name)"
    case .heard(let text): "heard: \(text.forDisplay(limit: 900))"
    case .said(let text): "said: \(text.forDisplay(limit: 900))"
    case .library(let words): words.forDisplay(limit: 300)
    case .noAnswer(let problem): PastePromptText.objection(problem)
    case .finding(let finding):
      "\(finding.name): \(finding.message)" + (finding.hint.map { " (\($0))" } ?? "")
    }
  }

  /// Whether it has an address in it, which is of no use unless it is whole.
  package var holdsAddress: Bool {
    switch self {
    case .openPage, .code: true
    default: false
    }
  }
}

extension Notice.DemoPlace {
  fileprivate var words: String {
    switch self {
    case .browser: "your browser"
    case .window: "the window that opens"
    }
  }
}
