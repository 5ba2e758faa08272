import LoginCore
import SignIn

/// `tokentry userinfo`: prints what the provider says about the user of a token or of a kept account, or about the token
/// itself.
struct UserinfoCommand: Action {
  private let run: Composition
  private let tokens: any TokenSource
  private let subject: Subject
  private let introspects: Bool
  private let minimumValidity: Int64

  private enum Subject {
    /// A kept account. The endpoints replace those of its provider.
    case account(AccountName, endpoints: [EndpointName: Endpoint])
    case token(Token, of: LoginRequest)
  }

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    (self.run, tokens) = (run, run.tokens(try TokenTerms(settings, run)))
    introspects = settings.has(.introspect)
    minimumValidity = settings.minimumValidity
    if let name = try settings.accountName(run.cryptography) {
      subject = .account(name, endpoints: try Self.endpoints(settings))
      return
    }
    guard let token = settings.token else {
      throw Failure(
        .invalidConfiguration, "there is no token for this request",
        hint: "use --account NAME, or --token-file with the output of `tokentry login`")
    }
    let needed: EndpointName = introspects ? .introspection : .userinfo
    subject = .token(token, of: try LoginRequest(settings, needing: needed, catalog: run.catalog))
  }

  /// Returns the caller's endpoints. Refuses all other settings of the provider, which the account knows.
  private static func endpoints(_ settings: Settings) throws(Failure) -> [EndpointName: Endpoint] {
    let own: [Option] = [.userinfoEndpoint, .introspectionEndpoint]
    let others = OptionGroup.provider.options.filter { !own.contains($0) } + [.tokenFile]
    if settings.token != nil || settings.given.contains(where: others.contains) {
      throw Failure(.invalidConfiguration, "--account already says which provider and which token")
    }
    var endpoints: [EndpointName: Endpoint] = [:]
    for option in own {
      if let name = option.endpoint { endpoints[name] = try settings.value(of: option, as: Endpoint.init) }
    }
    return endpoints
  }

  func text() async throws(Failure) -> String {
    switch subject {
    case .token(let token, let login): return try await text(about: token, of: login)
    case .account(let name, let endpoints) where !introspects && endpoints.isEmpty:
      return try await tokens.userinfo(of: name, forAtLeast: minimumValidity).text + "\n"
    case .account(let name, let endpoints):
      // Refreshes the token if necessary, but never asks the user to sign in.
      let account = try await run.host.refreshingSession().token(of: name, forAtLeast: minimumValidity)
      var login = account.login
      login.provider.endpoints.merge(endpoints) { $1 }
      return try await text(about: account.token, of: login)
    }
  }

  private func text(about token: Token, of login: LoginRequest) async throws(Failure) -> String {
    if introspects {
      let session = IntrospectionSession(run.dependencies)
      return try await session.introspection(of: token, for: login).members.text + "\n"
    }
    let answer = try await UserinfoSession(run.dependencies).userinfo(
      with: token, at: login.provider, clientID: login.clientID)
    return answer.json.text + "\n"
  }
}
