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
  /// What an API says of where its tokens come from.
  case resource(ResourceSession.Step)
  case scope(String?, FoundResource.ScopeSource)
  // Accounts and clients.
  case documentNotTaken(String)
  case keptClientUnknown(Failure)
  case clientLeftBehind(String)
  /// The caller has taken away what leads to the user's session.
  case clearedEnvironment(lacking: [[String]])
  case stepUp(StepUp)
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

  package var words: Sentence {
    switch self {
    case .failure(let failure): Report(failure).message
    case .pageOpen: "the page is open in your browser"
    case .openPage(let url): "open this page in a browser: \(url, upTo: 64 * 1_024)"
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
    case .window(let words): Sentence(said: words)
    case .page(let origin): "page of \(origin)"
    case .slow(let host): "\(host) has not answered yet"
    case .decision(let decision, let uri): "\(decision): \(uri)"
    case .code(let code, let address): "open \(address, upTo: 64 * 1_024) and type in \(code)"
    case .codeLifetime(let seconds): "the code is valid for \(seconds) s"
    case .codeWithoutWindow(let failure): "the code is not shown in a window: \(Report(failure).message)"
    case .askedLess(let seconds): "the provider wants to be asked less often: again in \(seconds) s"
    case .askedAgain(let failure, let seconds): "\(Report(failure).message): again in \(seconds) s"
    case .resource(let step): step.words
    case .scope(nil, _): "nobody says what the token should be good for, so no scope is asked for"
    case .scope(let scope?, let source):
      "the scope \(scope.forDisplay(limit: 300)) is asked for: \(source.words)"
    case .clearedEnvironment(let names):
      "let the program that starts tokentry pass \(names.map(\.verbatim.alternatives).conjunction), which its environment lacks"
    case .documentNotTaken(let client):
      "the server reads no client from \(client.forDisplay(limit: 200)), so it is asked to make one"
    case .clientLeftBehind(let client):
      "the API has moved to another server, to which the client \(client.forDisplay(limit: 200)) is not named"
    case .keptClientUnknown(let failure):
      "\(Report(failure).message), so it is not known whether a client is kept"
    case .stepUp(.scope(let scope)):
      "the server wants a token that is good for \(scope.forDisplay(limit: 300)), so somebody is asked again"
    case .stepUp(.authentication):
      "the server wants the user to sign in again, or in another way"
    case .waiting: "waiting for another program that is using the account"
    case .signInNeeded: "the account needs somebody to sign in"
    case .tokenRefused: "the server refused the token; trying again with a new one"
    case .clientForgotten: "the provider has forgotten the client, and is asked for a new one"
    case .clientMade(let isKept):
      isKept ? "the provider has registered a client, which is kept" : "the provider has registered a client"
    case .noEndOfSession: "the provider has no page that ends its session"
    case .passwordGrant:
      "the password grant shows the user's password to this program: use another grant if the provider has one"
    case .implicitGrant:
      "the implicit grant returns the token in a URL: use the code grant if the provider has it"
    case .demoListens(let issuer): "the demo provider listens on \(issuer)"
    case .demoUser(let name, let password, let place):
      place.map { "sign in as \(name), with the password \(password), in \($0.words)" }
        ?? "sign in as \(name), with the password \(password)"
    case .demoByItself(let failure, let name):
      "\(Report(failure).message), so a headless agent signs in as \(name)"
    case .heard(let text): "heard: \(text.forDisplay(limit: 900))"
    case .said(let text): "said: \(text.forDisplay(limit: 900))"
    case .library(let words): Sentence(verbatim: words.forDisplay(limit: 300))
    case .noAnswer(let problem): PastePromptText.objection(problem)
    case .finding(let finding):
      finding.hint.map { "\(finding.name): \(finding.message) (\($0))" }
        ?? "\(finding.name): \(finding.message)"
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
  fileprivate var words: Sentence {
    switch self {
    case .browser: "your browser"
    case .window: "the window that opens"
    }
  }
}

extension ResourceSession.Step {
  fileprivate var words: Sentence {
    switch self {
    case .asked(let method, let status): "without a token, \(method.rawValue) is answered with HTTP \(status)"
    case .challenge(nil, let scope): Self.with(scope, "the answer does not say where the API is described")
    case .challenge(let metadata?, let scope):
      Self.with(scope, "the answer names \(metadata.forDisplay(limit: 200))")
    case .noDocument(let address): "there is no description of the API at \(address)"
    case .document(let address, let resource): "\(address) describes \(resource.forDisplay(limit: 200))"
    case .unusable(let issuer, let failure): "\(issuer) cannot be used: \(Report(failure).message)"
    case .server(let issuer, let address): "\(issuer) issues its tokens, as \(address) says"
    }
  }

  private static func with(_ scope: String?, _ words: Sentence) -> Sentence {
    scope.map { "\(words); it names the scope \($0.forDisplay(limit: 300))" } ?? words
  }
}

extension FoundResource.ScopeSource {
  fileprivate var words: Sentence {
    switch self {
    case .caller: "the caller says so"
    case .challenge: "the API demands it"
    case .metadata: "these are all that the API knows"
    case .none: "nobody says so"
    }
  }
}
