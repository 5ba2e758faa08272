import LoginCore
import Wording

/// A login for an API of which nobody has said more than its address: the rest is found out (RFC 9728).
struct ResourceLogin: Sendable {
  /// The address.
  let resource: ProtectedResource
  private let settings: Settings
  private let run: Composition

  /// Nothing where somebody has said who issues the tokens: then the address is a parameter like others.
  init?(_ settings: Settings, _ run: Composition) throws(Failure) {
    let first = Option.allCases.first { $0.endpoint == settings.firstEndpoint }
    guard settings.has(.resource),
      ![.provider, .issuer, first].contains(where: { $0.map(settings.has) ?? false })
    else { return nil }
    resource = try settings.apiAddress()
    (self.settings, self.run) = (settings, run)
  }

  /// What a new login asks for, and of what was found.
  func request(
    tell: @escaping @Sendable (Notice) -> Void
  ) async throws(Failure) -> (login: LoginRequest, found: FoundResource, scopeFrom: FoundResource.ScopeSource)
  {
    let found = try await run.found(resource, tell)
    var provider = found.provider
    try provider.apply(settings)
    let asked = try LoginRequest(settings, to: provider)
    let login = found.applied(to: asked, scope: settings[.scope])
    if !asked.clientID.isEmpty, login.clientID.isEmpty {
      run.messages.warning(.documentNotTaken(asked.clientID))
    }
    let source = found.scope(settings[.scope]).source
    tell(.scope(login.scope, source))
    return (login, found, source)
  }

  /// What can be said before anybody is asked: whether the rest of what the caller has said fits together.
  func check() throws(Failure) { _ = try LoginRequest(settings, to: Provider()) }
}

extension Composition {
  /// What an API says of where its tokens come from, which is told as it is found.
  func found(
    _ resource: ProtectedResource, _ tell: @escaping @Sendable (Notice) -> Void
  ) async throws(Failure) -> FoundResource {
    try await ResourceSession(dependencies) { tell(.resource($0)) }.found(resource)
  }
}
