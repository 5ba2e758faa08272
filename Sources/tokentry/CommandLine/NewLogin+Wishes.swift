import LoginCore
import SignIn

extension NewLogin {
  /// The options that describe another login than that of the kept account. A password, which the environment may have for
  /// all logins, does not.
  static let describing =
    ProviderWishes.options + RequestWishes.options(but: "password", "initial_access_token")
    + AccountWishes.options("for")

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    try self.init(wishes, shared, by: SignIn(shared.host, try SignInOptions(wishes, shared)))
  }

  init(_ wishes: Wishes, _ shared: Composition, by signIn: SignIn) throws(Failure) {
    let resource = try ResourceLogin(wishes, shared)
    let wanted = if let resource { Wanted.resource(resource) } else { try Self.request(wishes, shared) }
    self.init(wanted, by: signIn)
    account = try Self.name(wishes, shared)
    provider = wishes.provider.preset ?? wishes.provider.issuer?.description
    origins = wishes.account.origins
    demand = TokenDemand(wishes)
    isIfNeeded = wishes.account.isIfNeeded
    renewed = (
      wishes.request.refreshToken, wishes.request.grant == .tokenExchange ? nil : wishes.request.token
    )
  }

  private static func request(_ wishes: Wishes, _ shared: Composition) throws(Failure) -> Wanted {
    let request: LoginRequest
    do throws(Failure) { request = try LoginRequest(wishes, catalog: shared.catalog) } catch {
      guard !wishes.account.names.isEmpty, wishes.first(of: describing) == nil else { throw error }
      return .kept(else: error)
    }
    // A token that is kept as it is belongs to no client.
    let token = wishes.request.token
    let isTakenOver = token != nil && token?.refreshToken == nil && !wishes.account.names.isEmpty
    if request.clientID.isEmpty, !request.mayRegister, !isTakenOver { throw .noClient }
    let isForAPI =
      wishes.provider.clientSecret != nil && wishes.provider.issuer != nil && request.grant.asksUser
    return .request(request, of: isForAPI ? try? wishes.request.api() : nil)
  }

  /// The name of the account that a login with these wishes makes. The account of an API may be named after its
  /// address; a test keeps it only if it is told where.
  static func name(_ wishes: Wishes, _ shared: Composition) throws(Failure) -> AccountName? {
    let name = try wishes.account.name
    guard name == nil, let login = try ResourceLogin(wishes, shared),
      !wishes.asking.isTest || shared.namedStore != nil
    else { return name }
    return try AccountName(shortening: login.resource.description, shared.cryptography)
  }
}

extension ResourceLogin {
  /// Returns nil if the caller names the issuer of the tokens. The address is then a parameter of an ordinary login.
  init?(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    let (client, request) = (wishes.provider, wishes.request)
    guard !request.resources.isEmpty, !client.isNamed, !client.names(wishes.firstEndpoint) else { return nil }
    var secrets = Secrets()
    secrets.isUsers =
      request.grant == .password && request.password != nil || request.refreshToken != nil
      || request.token?.refreshToken != nil || request.grant == .tokenExchange
      || request.initialAccessToken != nil
    if client.clientSecret != nil { secrets.clientID = client.clientID }
    try self.init(try request.api(), shared.host, scope: request.scope, secrets) { provider throws(Failure) in
      var provider = provider
      try provider.apply(wishes)
      return try LoginRequest(wishes, to: provider)
    }
  }
}

extension LoginWish {
  /// Describes the login of these wishes, which must name an account.
  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    guard let name = try NewLogin.name(wishes, shared) else { throw .defect() }
    var description = LoginDescription(name)
    description.resource = wishes.request.resources.first
    (description.provider, description.issuer) = (
      wishes.provider.preset, wishes.provider.issuer?.description
    )
    (description.clientID, description.scope) = (wishes.provider.clientID, wishes.request.scope)
    description.origins = wishes.account.origins.map(\.description)
    self.init(
      description: description, obstacle: Self.obstacle(to: wishes), isIfNeeded: wishes.account.isIfNeeded,
      needsIdentity: wishes.answer.format == .idToken
    ) { () throws(Failure) in try NewLogin(wishes, shared) }
  }

  /// The options of a login that an agent can be told.
  private static let told =
    ProviderWishes.options("provider", "issuer", "client-id") + RequestWishes.options("resource", "scope")
    + AccountWishes.options("for")

  /// The failure if an option was given that an agent cannot be told.
  private static func obstacle(to wishes: Wishes) -> Failure? {
    wishes.first(of: NewLogin.describing.filter { !told.contains($0) }).map { option in
      Failure(
        .invalidConfiguration, "\(option.flag) is not possible through an agent",
        hint: Failure.onlyAtHomeHint)
    }
  }
}

extension Wishes {
  /// The wishes of a program that has asked an agent for a login.
  init(_ description: LoginDescription) throws(Failure) {
    self.init()
    account.names = [description.account]
    account.origins = try description.origins.map(AccountWishes.origin)
    (provider.preset, provider.clientID) = (description.provider, description.clientID)
    provider.issuer = try description.issuer.map { text throws(Failure) in
      try ProviderWishes.option("issuer").parse(text, as: Issuer.init(parsing:))
    }
    request.scope = description.scope
    request.resources = [description.resource].compactMap(\.self)
  }
}
