import LoginCore
import LoginWays

extension PageRefusal: Reportable {
  var verdict: Verdict {
    switch self {
    case .address: .redirectMismatch
    case .password, .download, .nothing, .failed: .badResponse
    }
  }

  var saying: Saying {
    switch self {
    case .address(let address, let redirectURI):
      Saying(
        "the provider leads to \(address), which is not the redirect URI \(redirectURI)",
        hint:
          "register exactly this redirect URI with the provider, or give the registered one with --redirect-uri"
      )
    case .password(let host):
      "\(host) asks for a password with HTTP authentication, which the window does not support"
    case .download(let host, let type):
      "\(host) sends a file (\(type.forDisplay(limit: 80))) instead of a page"
    case .nothing(let host, let status): "\(host) answers with HTTP \(status) and no page"
    case .failed(let host, let status): "\(host) answers with HTTP \(status)"
    }
  }

  var details: JSONObject? {
    switch self {
    case .address(let address, let redirectURI):
      [
        "received": .string(address), "redirect_uri": .string(redirectURI),
        "differs": .array(Self.differences(address, redirectURI).map { .string($0.rawValue) }),
      ]
    case .password(let host): ["host": .string(host)]
    case .download(let host, let type): ["host": .string(host), "type": .string(type)]
    case .nothing(let host, let status), .failed(let host, let status):
      ["host": .string(host), "status": .number(JSONNumber(Int64(status)))]
    }
  }
}

extension UserAfterRefusal: Reportable {
  private var refusal: PageRefusal {
    switch self {
    case .closed(let refusal), .waited(let refusal): refusal
    }
  }

  var verdict: Verdict {
    switch self {
    case .closed: .cancelled
    case .waited: .timeout
    }
  }

  var saying: Saying {
    switch self {
    case .closed: Saying("the window was closed: \(refusal.saying.words)", hint: refusal.saying.hint)
    case .waited: Saying("nobody signed in in time: \(refusal.saying.words)", hint: refusal.saying.hint)
    }
  }

  var details: JSONObject? { refusal.details }
}

extension [PageRefusal.Difference] {
  /// In what two addresses differ, for a person.
  var words: Sentence { map(\.words).list }
}

extension PageRefusal.Difference {
  fileprivate var words: Sentence {
    switch self {
    case .scheme: "the scheme in front"
    case .host: "the host"
    case .port: "the port"
    case .path: "the path"
    case .slash: "the slash at the end"
    case .capitals: "capital letters"
    case .escapes: "characters that are escaped with %"
    }
  }
}
