import LoginCore
import LoginWays

extension WayFault: Reportable {
  var verdict: Verdict {
    switch self {
    case .obstacle: .noUserAgent
    case .conflict: .invalidConfiguration
    case .noDisplay, .displayClosed, .displayEnded, .displayOfOther: .noDisplay
    case .window, .noSandbox: .windowFailed
    }
  }

  var saying: Saying {
    switch self {
    case .obstacle(let obstacle): obstacle.saying
    case .conflict(let conflict): conflict.saying
    case .noDisplay:
      Saying(
        "there is no display",
        hint: "a window needs DISPLAY or WAYLAND_DISPLAY; for tests there is --headless-test")
    case .displayClosed:
      Saying(
        "the display cannot be opened",
        hint: "run it as the user of the desktop, or see DISPLAY, WAYLAND_DISPLAY and XAUTHORITY")
    case .displayEnded: "the display has ended, and the window with it"
    case .displayOfOther(let user, let command):
      Saying(
        "the display is that of \(user.forDisplay(limit: 60)), and root shows no pages there",
        hint: "run it as that user: \(command.forDisplay(limit: 400))")
    case .window(let fault): "the window failed: \(fault.words)"
    case .noSandbox(let reason):
      Saying(
        "the sandbox around the pages cannot be set up: \(reason)",
        hint: WindowRefusal.advice.contains(reason)
          ? nil
          : "install bubblewrap, and allow it to create user namespaces; `bwrap --ro-bind / / true` tells more"
      )
    }
  }
}

extension WayObstacle {
  var saying: Saying {
    switch self {
    case .noPlaceToPaste: "there is neither a terminal nor a window to paste an answer into"
    case .noDeviceCodes:
      Saying(
        "the provider is not known to offer sign-in with a code on another device",
        hint: "if it does, add --device-authorization-endpoint URL")
    case .noPlaceForCode: "there is neither a terminal nor a window to show a code in"
    case .codeOnPage:
      Saying("a window cannot read a code off a page", hint: "--agent browser lets you paste it")
    case .noBrowserNorTerminal:
      Saying(
        "there is neither a display for a browser nor a terminal",
        hint: "--browser COMMAND opens the page; for tests there is --headless-test")
    case .browserFailed(let command):
      Saying(
        (command.map { "the browser could not be opened: \"\($0.forDisplay(limit: 100))\" failed" })
          ?? "the desktop's browser could not be opened",
        hint: command == nil ? "--browser COMMAND opens the page" : "see --browser and BROWSER")
    case .noBrowser:
      Saying("there is no display for a browser", hint: "--browser COMMAND opens the page")
    case .noWayBack:
      "a browser cannot hand this answer back, and there is neither a terminal nor a window to paste it into"
    case .schemeNotRegistered:
      Saying(
        "a browser cannot hand back an answer that goes to a private scheme",
        hint: "add --register-scheme, or use --agent window")
    case .noMessageBus: "the answer to a private scheme comes over the session bus, and there is none"
    case .messageBusUnreachable: "the session bus cannot be reached"
    case .stateTaken: "another program is waiting for the answer to a login with the same state"
    case .noHome: "the scheme cannot be registered: HOME is not set"
    case .notWritable(let path):
      "the scheme cannot be registered: \(path.forDisplay(limit: 200)) is not writable"
    case .portInUse(let port):
      Saying(
        "the port \(port) of the redirect URI is in use by another program",
        hint: "end that program, or register a redirect URI without a port if the provider allows it")
    case .unreachable(let words): "a browser cannot reach this machine: \(words.forDisplay(limit: 200))"
    }
  }
}

extension WayConflict {
  fileprivate var saying: Saying {
    let elsewhere: Sentence = "use --response-type code, or --agent window"
    return switch self {
    case .postedAnswer:
      "only a browser can post an answer (response_mode form_post), and only to a redirect URI on this machine"
    case .fragment:
      Saying(
        "the answer is in the URL's fragment, which a browser does not send to a server", hint: elsewhere)
    case .tokenOnCommandLine:
      Saying(
        "a browser would put this token on a command line, where every user could read it",
        hint: elsewhere)
    case .schemeWithoutState:
      Saying(
        "a browser's answer to a private scheme needs a state", hint: "use --agent window, which needs none")
    }
  }
}

extension WindowFault {
  fileprivate var words: Sentence {
    switch self {
    case .notInstalled: "tokentry-window is not installed"
    case .notFound(let places):
      "there is no \(places.map { Sentence(verbatim: $0.forDisplay(limit: 150)) }.alternatives)"
    case .cannotStart(let path, let words): "\(path.forDisplay(limit: 200)): \(words)"
    case .endedAtOnce: "it ended at once: one of its libraries may be missing"
    case .endedWithoutWord: "it ended without saying why"
    case .endedTwice: "it ended twice"
    case .endedForGood: "it ended, and its page cannot be requested again"
    case .blank: "its page stays blank"
    case .viewEnded(let end): end.words
    case .reported(let words): Sentence(said: words)
    }
  }
}

extension PageFault.ViewEnd {
  var words: Sentence {
    switch self {
    case .memory: "it took too much memory"
    case .crash: "it crashed"
    case .silence: "it stopped responding"
    }
  }
}

extension HeadlessFault: Reportable {
  var verdict: Verdict {
    switch self {
    case .redirects, .forms, .nowhere, .address: .badResponse
    case .listEnded: .cancelled
    case .list: .invalidOption
    }
  }

  var saying: Saying {
    switch self {
    case .redirects(let count): "the provider redirected more than \(count) times"
    case .forms(let count): "the provider showed more than \(count) pages with forms"
    case .nowhere: "a page leads to something that is not a URL"
    case .address(let text, let fault):
      "a page leads to \"\(Redaction.address(text))\", which is \(fault.words)"
    case .listEnded: "the list of navigations ended before the redirect"
    case .list(let words): "the navigations cannot be read: \(words)"
    }
  }
}

extension WayChoice.Reason {
  /// Why, to be read after the name of the way.
  package var words: Sentence {
    let reason: Sentence = obstacle.map { "\(cause.words), but \(Report($0).message)" } ?? cause.words
    return addition.map { "\(reason), \($0.words)" } ?? reason
  }
}

extension WayChoice.Cause {
  fileprivate var words: Sentence {
    switch self {
    case .asked: "it was asked for"
    case .preset(let way): "the preset prefers the \(way.rawValue)"
    case .deviceCodes:
      "a page opened here cannot come back, and the provider offers sign-in with a code on another device"
    case .fragment: "an answer in the fragment of a URL reaches no server on this machine"
    case .loopback: "the redirect URI is on this machine, so a browser can hand the answer back"
    case .page: "the redirect URI is a page from which no browser hands the answer back"
    case .registeredScheme: "the scheme of the redirect URI is registered for the login"
    case .privateScheme: "the redirect URI has a scheme of its own, which only the window sees"
    case .codePage: "the provider shows a code, which the user has to bring back"
    }
  }
}

extension WayChoice.Addition {
  fileprivate var words: Sentence {
    switch self {
    case .showsCode: "and a window shows the code"
    case .takesPaste: "and the answer is pasted into a window"
    }
  }
}

/// Why an agent is taken where no way has to be chosen.
package enum AgentReason: Sendable {
  /// The grant says it; whether there is a display for the window of the code, where one would show it.
  case grant(GrantType, showsWindow: Bool?)
  /// A test was asked for.
  case test

  package var words: Sentence {
    switch self {
    case .grant(let grant, let showsWindow):
      switch showsWindow {
      case nil: "the grant is \(grant.rawValue)"
      case true?: "the grant is \(grant.rawValue), and a window shows the code"
      case false?: "the grant is \(grant.rawValue), but there is no display for its window"
      }
    case .test: "a test was asked for"
    }
  }
}
