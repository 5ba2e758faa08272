import LoginCore
import SignIn

extension TokenTerms {
  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.init(demand: TokenDemand(settings), signIn: try SignInOptions(settings, run))
  }
}

extension LoginWish {
  /// Describes the login of these settings, which must name an account.
  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    guard let name = try NewLogin.name(settings, run) else { throw .defect() }
    var description = LoginDescription(name)
    description.resource = settings.all(.resource).first
    (description.provider, description.issuer) = (settings[.provider], settings[.issuer])
    (description.clientID, description.scope) = (settings[.clientID], settings[.scope])
    description.origins = settings.all(.origins)
    self.init(
      description: description, obstacle: settings.obstacleToAgent, isIfNeeded: settings.has(.ifNeeded),
      needsIdentity: settings.output == .idToken
    ) { () throws(Failure) in try NewLogin(settings, run) }
  }
}

extension NewLogin {
  /// Reads a login that a program has asked an agent for.
  init(_ description: LoginDescription, _ run: Composition, by signIn: SignIn) throws(Failure) {
    var settings = Settings()
    let values: [(Option, String?)] = [
      (.account, description.account.description), (.resource, description.resource),
      (.provider, description.provider), (.issuer, description.issuer), (.clientID, description.clientID),
      (.scope, description.scope),
    ]
    for case (let option, let value?) in values { try settings.set(option, value, as: option.member) }
    for origin in description.origins { try settings.set(.origins, origin, as: Option.origins.member) }
    try self.init(settings, run, by: signIn)
  }
}

/// The login that the command line of a helper describes. The helper adds what its program says.
struct HelperLogin: Sendable {
  private let settings: Settings
  private let run: Composition

  init(_ settings: Settings, _ run: Composition) { (self.settings, self.run) = (settings, run) }

  /// The name or file of the preset.
  var provider: String? { settings[.provider] }
  var clientID: String? { settings[.clientID] }
  var variables: [String: String] { settings.variables }
  /// True if the caller says who the account is at.
  var namesServer: Bool { provider != nil || settings.has(.issuer) }
  /// True if the caller says who the account is at, or which client signs in.
  var isDescribed: Bool { namesServer || settings.has(.clientID) }

  /// Returns the login for an account. `provider` counts only if the caller has named no server, and `scope` only if the
  /// caller has named none.
  func wish(
    for account: AccountName, at provider: String? = nil, resource: String? = nil, scope: String? = nil
  ) throws(Failure) -> LoginWish {
    var settings = settings
    if let provider, !namesServer { try settings.set(.provider, provider, as: Option.provider.flag) }
    if let scope, !settings.has(.scope) { try settings.set(.scope, scope, as: Option.scope.flag) }
    if let resource { try settings.set(.resource, resource, as: Option.resource.flag) }
    if !settings.has(.account) {
      try settings.set(.account, account.description, as: Option.account.flag)
    }
    return try LoginWish(settings, run)
  }
}

extension Settings {
  /// The failure if an option was given that an agent cannot be told.
  fileprivate var obstacleToAgent: Failure? {
    let own: [Option] = [.resource, .provider, .issuer, .clientID, .scope, .origins]
    return NewLogin.describing.first { has($0) && !own.contains($0) }.map { option in
      Failure(
        .invalidConfiguration, "\(option.flag) is not possible through an agent",
        hint: Failure.onlyAtHomeHint)
    }
  }
}
