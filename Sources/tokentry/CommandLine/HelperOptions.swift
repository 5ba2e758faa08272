import LoginCore
import SignIn
import WindowProtocol

extension HelperProtocol {
  /// The options beyond those of every helper.
  static var options: [Option] {
    switch name {
    case KubernetesHelper.name: [.accessToken]
    case GitHelper.name:
      OptionGroup.provider.options + OptionGroup.request.options.filter { $0 != .tokenFile }
    case HeadersHelper.name:
      [.check, .lines] + OptionGroup.provider.options + OptionGroup.registration.options + [
        .scope, .parameter, .tokenParameter, .authorizationDetails, .loginHint,
      ]
    case OpenConnectHelper.name: [.vpnProtocol, .authenticate, .trustedCertificate]
    case OpenFortiVPNHelper.name: [.realm, .url, .trustedCertificate]
    default: []
    }
  }

  /// All options of the helper.
  static var allOptions: [Option] {
    // The cookie of a VPN gateway is not kept.
    let ofAccounts: [Option] = leavesRoot ? [] : [.account, .store, .minValid]
    return options + (ofAccounts + OptionGroup.asking).filter { !options.contains($0) }
  }
}

extension TokenBroker {
  /// Reads the command line of a helper. Without `mayAsk`, the user is never asked to sign in.
  init(
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
    reader = [Option.request, .navigations].first { settings[$0] == "-" }?.flag
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
    if let agent = settings[.agent], !["auto", AgentKind.window.rawValue].contains(agent) {
      throw .contradiction("\(Command.helper) \(type.name)", "\(Option.agent.flag) \(agent)")
    }
    (url, realm, printsAll) = (settings[.url], settings[.realm], settings.has(.authenticate))
    if url != nil, realm != nil { throw .contradiction(Option.url.flag, Option.realm.flag) }
    speaks = settings[.vpnProtocol].flatMap(OpenConnectHelper.GatewayProtocol.init) ?? .anyconnect
    digest = try settings.value(
      of: .trustedCertificate, wanting: "the SHA-256 fingerprint of a certificate in hexadecimal", Self.digest
    )
  }

  /// Returns the 64 digits of a fingerprint, which may be in pairs with colons between them.
  private static func digest(_ text: String) -> String? {
    let digits = text.lowercased().filter { $0 != ":" }
    return digits.utf8.count == 64 && digits.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      ? digits : nil
  }
}
