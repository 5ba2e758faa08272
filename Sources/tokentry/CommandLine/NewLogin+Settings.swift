import LoginCore
import SignIn

extension NewLogin {
  /// The options that describe another login than that of the kept account.
  static let describing =
    OptionGroup.provider.options + OptionGroup.request.options + OptionGroup.members.options + [.origins]

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    try self.init(settings, run, by: SignIn(run.host, try SignInOptions(settings, run)))
  }

  init(_ settings: Settings, _ run: Composition, by signIn: SignIn) throws(Failure) {
    let resource = try ResourceLogin(settings, run)
    let wanted = if let resource { Wanted.resource(resource) } else { try Self.request(settings, run) }
    self.init(wanted, by: signIn)
    account = try Self.name(settings, run)
    provider = settings[.provider] ?? settings[.issuer]
    origins = try settings.origins
    demand = TokenDemand(settings)
    isIfNeeded = settings.has(.ifNeeded)
    let exchanges = settings[.grant] == GrantType.tokenExchange.rawValue
    renewed = (settings.refreshToken, exchanges ? nil : settings.token)
  }

  private static func request(_ settings: Settings, _ run: Composition) throws(Failure) -> Wanted {
    let request: LoginRequest
    do throws(Failure) { request = try LoginRequest(settings, catalog: run.catalog) } catch {
      guard settings.has(.account), !settings.given.contains(where: describing.contains) else { throw error }
      return .kept(else: error)
    }
    // A token that is kept as it is belongs to no client.
    let isTakenOver = settings.token != nil && settings.token?.refreshToken == nil && settings.has(.account)
    if request.clientID.isEmpty, !request.mayRegister, !isTakenOver { throw .noClient }
    let isForAPI = settings.clientSecret != nil && settings.has(.issuer) && request.grant.asksUser
    return .request(request, of: isForAPI ? (try? settings.apiAddress()) : nil)
  }

  /// The name of the account that a login with these settings makes. The account of an API may be named after its
  /// address; a test keeps it only if it is told where.
  static func name(_ settings: Settings, _ run: Composition) throws(Failure) -> AccountName? {
    let name = try settings.accountName
    guard name == nil, let login = try ResourceLogin(settings, run),
      !settings.has(.headlessTest) || run.isStoreNamed
    else { return name }
    return try AccountName(shortening: login.resource.description, run.cryptography)
  }
}

extension ResourceLogin {
  /// Returns nil if the caller names the issuer of the tokens. The address is then a parameter of an ordinary login.
  init?(_ settings: Settings, _ run: Composition) throws(Failure) {
    guard settings.has(.resource), !settings.has(.provider), !settings.has(.issuer),
      !settings.names(settings.firstEndpoint)
    else { return nil }
    var secrets = Secrets()
    let sendsPassword = settings[.grant] == GrantType.password.rawValue && settings.password != nil
    secrets.isUsers =
      sendsPassword || settings.refreshToken != nil || settings.token?.refreshToken != nil
      || settings[.grant] == GrantType.tokenExchange.rawValue || settings.initialAccessToken != nil
    if settings.has(.clientID), settings.clientSecret != nil { secrets.clientID = settings[.clientID] }
    try self.init(try settings.apiAddress(), run.host, scope: settings[.scope], secrets) {
      provider throws(Failure) in
      var provider = provider
      try provider.apply(settings)
      return try LoginRequest(settings, to: provider)
    }
  }
}

extension TokenDemand {
  init(_ settings: Settings) {
    self.init()
    waits = !settings.has(.noWait)
    validity = settings.minimumValidity
    assumesUnexpired = settings.assumesUnexpired
    needsIdentity = settings.output == .idToken
  }
}

extension Settings {
  /// The number of seconds for which a token has to be good. The default covers the request that it is wanted for.
  var minimumValidity: Int64 { self[.minValid].flatMap { Int64($0) } ?? 60 }

  /// The name of the account, if one was given.
  var accountName: AccountName? {
    get throws(Failure) {
      if all(.account).count > 1 { throw Failure(.invalidOption, "\(Option.account.flag) is given twice") }
      return try accountNames.first
    }
  }

  /// The names of the accounts, for a command that takes several.
  var accountNames: [AccountName] {
    get throws(Failure) {
      try all(.account).map { text throws(Failure) in
        guard let name = AccountName(text) else {
          throw .takes(
            Option.account.flag, "one line of visible text of at most \(AccountName.maximumLength) bytes")
        }
        return name
      }
    }
  }

  /// The servers that the account is for. A host alone means https.
  var origins: [Origin] {
    get throws(Failure) {
      try all(.origins).map { text throws(Failure) in
        try Option.origins.parse(text.startOfAuthority == nil ? "https://\(text)" : text, as: Origin.init)
      }
    }
  }

  /// The name of the account, which may be given as the address of its API.
  func accountName(_ cryptography: any Cryptography) throws(Failure) -> AccountName? {
    let name = try accountName
    guard has(.resource) else { return name }
    if name != nil { throw .contradiction(Option.account.flag, Option.resource.flag) }
    return try AccountName(shortening: try apiAddress().description, cryptography)
  }

  /// The address of the API, which must be the only one.
  func apiAddress() throws(Failure) -> ProtectedResource {
    let addresses = all(.resource)
    guard addresses.count == 1 else {
      throw .takes(Option.resource.flag, "the address of one API unless --provider or --issuer is given")
    }
    return try Option.resource.parse(addresses[0], as: ProtectedResource.init)
  }

  /// The name of the account, for a command that cannot do without.
  func requiredAccountName(
    for command: Command, _ cryptography: any Cryptography
  ) throws(Failure) -> AccountName {
    guard let name = try accountName(cryptography) else {
      throw .lacks(command, Message(verbatim: Option.account.flag), hint: .listAccounts)
    }
    return name
  }
}
