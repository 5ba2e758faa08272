import LoginCore
import SignIn
import SoupNetwork
import WindowProtocol

extension HelperProtocol {
  /// The options that no other part of this program has.
  static var arguments: [Option] {
    switch name {
    case _ where SetUpCommand.helpers.contains(name): [.setUp, .undo]
    case KubernetesHelper.name: [.accessToken]
    case HeadersHelper.name: [.check, .lines]
    case OpenConnectHelper.name: [.gatewayProtocol, .authenticate]
    case OpenFortiVPNHelper.name: [.realm, .trustedCertificate]
    default: []
    }
  }

  /// All options of the helper.
  static var allOptions: [Option] {
    let login: [Option] =
      switch name {
      case GitHelper.name:
        OptionGroup.provider.options + OptionGroup.request.options.filter { $0 != .tokenFile }
          + OptionGroup.members.options
      case HeadersHelper.name:
        OptionGroup.provider.options + [.scope, .parameter, .loginHint]
      case OpenFortiVPNHelper.name: [.url]
      default: []
      }
    // The cookie of a VPN gateway is not kept.
    let ofAccounts: [Option] = leavesRoot ? [] : [.account, .store, .minValid]
    return arguments + login + ofAccounts + Command.asking
  }
}

extension TokenBroker {
  /// Reads the command line of a helper. Without `mayAsk`, the user is never asked to sign in.
  convenience init(
    _ type: any HelperProtocol.Type, _ given: Settings, _ run: Composition, mayAsk: Bool
  ) throws(Failure) {
    var settings = given
    if !mayAsk, !given.has(.silent) { try settings.set(.silent, "", as: Option.silent.flag) }
    let terms = try TokenTerms(settings, run)
    self.init(
      type, arguments: given.operands, options: try HelperOptions(settings, type), terms.signIn,
      login: HelperLogin(settings, run), run.tokens(terms), run
    ) { arguments, mayAsk throws(Failure) in
      // Some programs send arguments with each request.
      var settings = try Invocation([Command.helper.rawValue, type.name] + arguments).settings
      settings.fill(from: given)
      return try TokenBroker(type, settings, run, mayAsk: mayAsk)
    }
  }
}

extension HelperOptions {
  fileprivate init(_ settings: Settings, _ type: any HelperProtocol.Type) throws(Failure) {
    account = try settings.accountName
    checks = settings.has(.check)
    printsLines = settings.has(.lines)
    wantsAccessToken = settings.has(.accessToken)
    reader = [Option.options, .navigations].first { settings[$0] == "-" }?.flag
    if type.leavesRoot { gateway = try GatewayOptions(settings, type) }
  }
}

extension GatewayOptions {
  fileprivate init(_ settings: Settings, _ type: any HelperProtocol.Type) throws(Failure) {
    for option in [Option.account, .store, .minValid] where settings.has(option) {
      throw Failure(
        .invalidOption, "\(option.flag) is not an option of \(Command.helper)",
        hint: "see `tokentry \(Command.helper) --help`")
    }
    // No browser hands a cookie back. This is refused before the gateway is asked for anything.
    if let agent = settings[.way], !["auto", AgentKind.window.rawValue].contains(agent) {
      throw .contradiction("\(Command.helper) \(type.name)", "\(Option.way.flag) \(agent)")
    }
    (url, realm, printsAll) = (settings[.url], settings[.realm], settings.has(.authenticate))
    if url != nil, realm != nil { throw .contradiction(Option.url.flag, Option.realm.flag) }
    speaks = settings[.gatewayProtocol].flatMap(OpenConnectHelper.GatewayProtocol.init) ?? .anyconnect
    digest = try settings.value(
      of: .trustedCertificate, wanting: "the SHA-256 fingerprint of a certificate in hexadecimal"
    ) { TrustedCertificate(digest: "sha256:" + $0)?.sha256 }
  }
}
