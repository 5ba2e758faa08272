import LoginCore

/// What the caller has said does not fit together, or does not fit the provider or its files.
package enum ConfigurationFault: ApplicationFault {
  case contradiction(String, String)
  /// Both would read standard input.
  case standardInputTwice(String, String)
  /// An option that is for tests alone.
  case testsOnly(String)
  case postedInTest
  /// An option that means nothing in such a login.
  case notWith(String, LoginKind)
  /// The device grant leaves no choice of the way.
  case wayOfDeviceGrant(Way)
  case noUser
  case noPassword
  /// What is asked for brings nothing that could be handed over in this shape.
  case outputWithoutToken(String, ResponseType)
  case outputWithoutUser(String)
  /// This shape cannot hand over the key that the token is bound to.
  case outputOfBoundToken(String)
  case gitUser
  case noAccountForGit(String)
  case nowhere(needed: EndpointName)
  case variableWithoutProvider(String)
  case noKeptClient
  /// The issuer, or the account, does not say where this is.
  case lacks(EndpointName)
  /// The provider would have to be asked for it.
  case notAskedFor(EndpointName)
  case noRefreshToken
  case noTokenToAsk
  /// The account says already which provider and which token it is.
  case accountSays
  /// A browser can come back to this machine only at a port.
  case noPort
  case unknownProvider(String, nearest: String?)
  case preset(path: String, PresetFault)
  case presetFile(FileFault)
  case session(CookieProblem)

  /// Logins that show no page.
  package enum LoginKind: Sendable, Equatable {
    case code, nobody
  }

  /// Why cookies cannot be kept, or not forgotten.
  package enum CookieProblem: Sendable, Equatable {
    case noHome
    case file(FileFault)
    case removedMeanwhile(String)
    /// It cannot be removed.
    case stays(FileFault)
  }

  package var concernsOthers: Bool { false }
}

extension Failure {
  /// What was said does not fit together.
  package static func configuration(_ fault: ConfigurationFault) -> Failure { .application(fault) }
}

extension ConfigurationFault: Reportable {
  var verdict: Verdict { if case .unknownProvider = self { .unknownProvider } else { .invalidConfiguration } }

  var saying: Saying {
    switch self {
    case .contradiction(let first, let second): "\(first) and \(second) contradict each other"
    case .standardInputTwice(let first, let second):
      "\(first) and \(second) cannot both read standard input"
    case .testsOnly(let name):
      Saying("\(name) takes the place of a user in tests", hint: "add --headless-test")
    case .postedInTest: "a headless test cannot read an answer that is posted"
    case .notWith(let name, let kind): "\(name) does not go with \(kind.words)"
    case .wayOfDeviceGrant(let way):
      Saying(
        way == .paste
          ? "the device grant does not use pasting" : "the device grant does not use the \(way.rawValue)",
        hint: "add --grant code, or leave --agent out")
    case .noUser: Saying("it is not clear whose password this is", hint: Self.user)
    case .noPassword:
      Saying("the password is missing", hint: "give it with --password-file, TOKENTRY_PASSWORD or --request")
    case .outputWithoutToken(let format, let type):
      "--output \(format) needs an access token, and response_type \(type.description) brings none"
    case .outputWithoutUser(let format):
      Saying("--output \(format) needs to know the user", hint: "sign in with --login-hint USER")
    case .outputOfBoundToken(let format):
      Saying(
        "--output \(format) cannot hand over the key that the token is bound to",
        hint: "use --output json, or let `tokentry request` send what the token is wanted for")
    case .gitUser: "the preset's git_user is not a user name"
    case .noAccountForGit(let name):
      Saying(
        "there is no account \"\(name)\" yet, and no client to sign in with",
        hint: "add --client-id ID to the helper, or sign in with `tokentry login --account '\(name)'`")
    case .nowhere(let needed):
      Saying(
        needed == .userinfo ? "no provider was given to ask" : "no provider was given to sign in to",
        hint: "give --provider, --issuer or \(needed.flag); see `tokentry --help`")
    case .variableWithoutProvider(let name): "--var \(name) is given without a --provider"
    case .noKeptClient:
      Saying(
        "no client identifier was given, and no client is kept for this provider",
        hint: "--client-id names one, and `tokentry register` has the provider make one")
    case .lacks(let endpoint):
      Saying("the provider's \(endpoint.words) is not known", hint: "add \(endpoint.flag) URL")
    case .notAskedFor(let endpoint):
      Saying(
        "the provider's \(endpoint.words) is not known",
        hint: "login asks the provider for it, explain asks nobody: add \(endpoint.flag) URL")
    case .noRefreshToken: "the token cannot be renewed: it came without a refresh token"
    case .noTokenToAsk:
      Saying(
        "there is no token to ask with",
        hint: "--account names a kept one, and --token-file takes what `tokentry login` printed")
    case .accountSays: "--account already says which provider and which token"
    case .noPort: "a browser can come back to this machine only if --redirect-uri has a port"
    case .unknownProvider(let name, let nearest):
      Saying(
        "there is no provider \"\(name.forDisplay(limit: 60))\"",
        hint: nearest.map(didYouMean) ?? "`tokentry providers` lists the presets")
    case .preset(let path, let fault): "\(path):\(fault.line): \(fault.reason.words)"
    case .presetFile(let fault): fault.saying
    case .session(let problem): Saying("--session: \(problem.saying.words)", hint: problem.saying.hint)
    }
  }

  private static let user: Sentence = "add --login-hint USER"
}

extension ConfigurationFault.LoginKind {
  fileprivate var words: Sentence {
    switch self {
    case .code: "a code for another device"
    case .nobody: "a login that asks nobody"
    }
  }
}

extension ConfigurationFault.CookieProblem {
  fileprivate var saying: Saying {
    switch self {
    case .noHome: Saying("there is no place to keep it in", hint: "set HOME or XDG_STATE_HOME")
    case .file(let fault): fault.saying
    case .removedMeanwhile(let name): "\(name.forDisplay(limit: 60)) was removed at the same time"
    case .stays(let fault): "it cannot be removed: \(fault.saying.words)"
    }
  }
}
