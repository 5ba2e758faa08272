/// What Tokentry can be asked to do.
enum Command: String, CaseIterable, CustomStringConvertible {
  case login
  case token
  case accounts
  case logout
  case request
  case helper
  case gitCredential = "git-credential"
  case register
  case navigate
  case providers
  case explain
  case userinfo
  case demo
  case doctor

  var description: String { rawValue }

  var summary: String {
    switch self {
    case .login: "ask the user to sign in and print a token"
    case .token: "print a token of a kept account, refreshed if need be"
    case .accounts: "list what is kept, without secrets"
    case .logout: "end an account or a session, and forget it"
    case .request: "send a request with the token of a kept account"
    case .helper: "give tokens to other programs"
    case .gitCredential: "git's credential helper"
    case .register: "register a client with the provider, and keep it"
    case .navigate: "take the user to a page, print where it led"
    case .providers: "list the presets, or print one"
    case .userinfo: "print who signed in, as the provider tells"
    case .demo: "log in at an embedded provider, to see that it works"
    case .doctor: "look at what logins need of this machine"
    case .explain: "print the request that login would send"
    }
  }

  /// Those of every command.
  var generalOptions: [Option] { [.help, .verbose, .trace] }

  var options: [Option] {
    let general = generalOptions
    return switch self {
    case .login, .explain:  // the same, so that one word explains any login
      general + OptionGroup.provider.options + OptionGroup.request.options + OptionGroup.testing.options
        + OptionGroup.registration.options + [
          .account, .origins, .store, .noWait, .agent, .browser, .registerScheme, .timeout, .session, .silent,
          .parent, .title, .application, .windowSize, .noClose, .rendering, .trust, .output,
        ]
    case .token:
      general + [
        .account, .resource, .store, .minValid, .noWait, .silent, .agent, .browser, .registerScheme, .timeout,
        .session,
        .parent, .title, .application, .windowSize, .noClose, .rendering, .trust, .output, .headlessTest,
        .navigations,
        .form, .request,
        .passwordFile,
      ]
    case .accounts: general + [.store, .timeout]
    case .request:
      general + [.method, .header, .data, .allowOrigin, .account, .resource, .store, .minValid]
        + OptionGroup.asking
    case .helper:
      HelperProtocols.all.reduce(into: general) { options, helperProtocol in
        options += helperProtocol.allOptions.filter { !options.contains($0) }
      }
    case .gitCredential: general + GitHelper.allOptions
    case .navigate:
      general + [
        .url, .redirectURI, .agent, .browser, .registerScheme, .timeout, .session, .silent, .parent, .title,
        .application, .windowSize,
        .noClose, .rendering, .trust, .headlessTest, .navigations, .form, .request,
      ]
    case .logout:
      general + [
        .account, .resource, .store, .force, .redirectURI, .request, .agent, .browser, .timeout, .session,
        .silent,
        .parent, .title, .application, .windowSize, .rendering, .trust, .headlessTest, .navigations, .form,
      ]
    case .register:
      general + OptionGroup.provider.options.filter { ![.clientID, .clientSecretFile].contains($0) }
        + OptionGroup.registration.options
        + [
          .grant, .responseType, .scope, .header, .request, .store, .forget, .force, .timeout, .silent,
          .trust,
        ]
    case .providers: general + [.json]
    case .userinfo:
      general + OptionGroup.provider.options.filter { $0 != .redirectURI }
        + [
          .header, .request, .tokenFile, .account, .resource, .store, .introspect, .silent, .timeout, .trust,
        ]
    case .doctor: general + [.silent, .rendering, .browser, .json]
    case .demo: general + [.responseType, .agent, .timeout, .title, .application, .output, .headlessTest]
    }
  }

  /// What may follow it without an option.
  var operand: String? {
    switch self {
    case .providers: "[NAME]"
    case .request: "URL"
    case .helper: "[NAME [ARGUMENT…]]"
    case .gitCredential: "get|store|erase"
    default: nil
    }
  }

  /// Whether it answers with a table where a person reads the answer.
  var answersInTable: Bool { self == .doctor || self == .providers }

  /// Whether its answer is not JSON, so that standard output stays empty on failure.
  var answersInText: Bool { [.request, .helper, .gitCredential].contains(self) }
}
