import LoginCore
import Wording

/// `tokentry userinfo`: what the provider says of the user of a token or of a kept account, or of the token itself.
struct UserinfoCommand: Action {
  private let run: Composition
  private let subject: Subject
  private let introspects: Bool
  private let minimumValidity: Int64

  /// Whose token it is.
  private enum Subject {
    /// An account knows its provider; these endpoints are in place of those that it knows.
    case account(AccountName, endpoints: [EndpointName: Endpoint])
    case token(Token, of: LoginRequest)
  }

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    introspects = settings.has(.introspect)
    minimumValidity = settings.minimumValidity
    if let name = try settings.accountName(run.cryptography) {
      subject = .account(name, endpoints: try Self.endpoints(settings))
      return
    }
    guard let token = settings.token else { throw .configuration(.noTokenToAsk) }
    let needed: EndpointName = introspects ? .introspection : .userinfo
    subject = .token(token, of: try LoginRequest(settings, needing: needed, catalog: run.catalog))
  }

  private static func endpoints(_ settings: Settings) throws(Failure) -> [EndpointName: Endpoint] {
    let own: [Option] = [.userinfoEndpoint, .introspectionEndpoint]
    let others = OptionGroup.provider.options.filter { !own.contains($0) } + [.tokenFile]
    if settings.token != nil || settings.given.contains(where: others.contains) {
      throw .configuration(.accountSays)
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
    case .account(let name, let endpoints):
      // Its token is refreshed if need be, but nobody is asked to sign in.
      let session = AccountSession(store: try run.store, run.dependencies, words: Composition.words)
      let account = try await session.token(of: name, forAtLeast: minimumValidity)
      var login = account.login
      login.provider.endpoints.merge(endpoints) { $1 }
      return try await text(about: account.token, of: login)
    }
  }

  private func text(about token: Token, of login: LoginRequest) async throws(Failure) -> String {
    if introspects {
      let session = IntrospectionSession(transport: run.transport)
      return try await session.introspection(of: token, for: login).members.text + "\n"
    }
    let answer = try await UserinfoSession(run.dependencies).userinfo(
      with: token, at: login.provider, clientID: login.clientID)
    return answer.json.text + "\n"
  }
}
