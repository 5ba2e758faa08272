/// What Tokentry can be asked to do.
enum Command: String, CaseIterable {
  case login
  case navigate
  case providers
  case explain
  case demo

  /// What the help says.
  var summary: String {
    switch self {
    case .login: "ask the user to sign in and print a token"
    case .navigate: "take the user to a page, print where it led"
    case .providers: "list the presets, or print one"
    case .demo: "log in at an embedded provider, to see that it works"
    case .explain: "print the request that login would send"
    }
  }

  /// The options it takes.
  var options: [Option] {
    let general: [Option] = [.help, .verbose, .trace]
    return switch self {
    case .login, .explain:  // the same, so that one word explains any login
      general + OptionGroup.provider.options + OptionGroup.request.options + OptionGroup.testing.options
        + [.agent, .browser, .timeout, .title, .noClose, .trust, .output]
    case .navigate:
      general + [
        .url, .redirectURI, .agent, .browser, .timeout, .title, .noClose, .trust, .headlessTest, .navigations,
        .form, .request,
      ]
    case .providers: general
    case .demo: general + [.timeout, .output]
    }
  }

  /// What may follow it without an option.
  var operand: String? { self == .providers ? "NAME" : nil }
}
