import LoginCore
import LoginWays
import Wording

/// `tokentry logout`: with an account, ends at the provider what it is good for, then forgets it and its cookies;
/// with a session alone, forgets the cookies that are kept under its name.
struct LogoutCommand: Action {
  private let run: Composition
  private let account: AccountName?
  private let way: WaySettings
  /// Where the page that ends the provider's session comes back to, if that is wanted.
  private let redirectURI: RedirectURI?
  private let insists: Bool

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    account = try settings.accountName(run.cryptography)
    way = try WaySettings(settings)
    insists = settings.has(.force)
    redirectURI = try settings.value(of: .redirectURI, as: RedirectURI.init)
    if account != nil { return }
    if way.cookieJar == nil {
      throw .commandLine(.lacks(command: Command.logout.rawValue, .accountOrSession))
    }
    if let option = [Option.force, .redirectURI, .store].first(where: settings.has) {
      throw .commandLine(.belongs(option.flag, to: Option.account.flag))
    }
  }

  func text() async throws(Failure) -> String {
    let object = if let account { try await logout(account) } else { try forgetCookies() }
    return object.text + "\n"
  }

  private func forgetCookies() throws(Failure) -> JSONObject {
    // Nothing may be kept under the name, since nothing is what was asked for.
    let folder = try folder(of: way.cookieJar)
    try folder?.remove()
    return ["session": .string(way.cookieJar?.text ?? ""), "forgotten": .bool(folder != nil)]
  }

  private func folder(of jar: CookieJarName?) throws(Failure) -> CookieJar? {
    guard let jar else { return nil }
    return try CookieJar.existing(jar, under: run.environment.stateFolder)
  }

  /// The provider comes first: as long as something is good there the account is kept, so that it can be ended another
  /// time. The account itself goes last, since it knows its cookies.
  private func logout(_ name: AccountName) async throws(Failure) -> JSONObject {
    let store = try run.store
    var jar = way.cookieJar
    var page: Bool?
    do throws(Failure) {
      let account = try await store.load(name)
      let way = way.withCookies(of: account)
      jar = way.cookieJar
      page = try await isPageLeft(account, way)
      if account.login.provider.logoutRequest != nil { try await renew(name, in: store) }
    } catch {
      try concede(error)
    }
    let lock = try await store.lock(name)
    defer { withExtendedLifetime(lock) {} }
    let folder = try folder(of: jar)
    var ended = LogoutSession.Ended(isSessionOver: page == true)
    if let page {
      do throws(Failure) {
        ended = try await LogoutSession(run.dependencies).end(try await store.load(name))
        if page { ended.isSessionOver = true }
      } catch {
        try concede(error)
      }
    }
    try folder?.remove()
    try await store.delete(name)
    return Self.answer(name, jar, ended)
  }

  private static func answer(
    _ name: AccountName, _ jar: CookieJarName?, _ ended: LogoutSession.Ended
  ) -> JSONObject {
    [
      "account": .string(name.description), "revoked": .array(ended.revoked.map(JSONValue.string)),
      "session_ended": .bool(ended.isSessionOver), "session": (jar?.text).map(JSONValue.string),
      "forgotten": true,
    ]
  }

  /// A failure is the end, unless the caller wants the account forgotten whatever the provider says.
  private func concede(_ failure: Failure) throws(Failure) {
    guard insists else { throw failure }
    switch failure {
    case .store(.unknownAccount), .store(.locked), .store(.unavailable), .user(.cancelled): throw failure
    default: run.messages.warning(.failure(failure))
    }
  }

  /// A provider that is told with the token takes none that has expired; one that cannot be renewed has ended already.
  private func renew(_ name: AccountName, in store: any CredentialStore) async throws(Failure) {
    let session = AccountSession(store: store, run.dependencies, words: Composition.words)
    do throws(Failure) { _ = try await session.token(of: name, forAtLeast: 1) } catch {
      if case .user(.signInForbidden) = error { return }
      throw error
    }
  }

  /// Takes the user to the page that ends the provider's session, if the caller says where that page comes back to,
  /// and tells whether it did.
  private func isPageLeft(_ account: Account, _ way: WaySettings) async throws(Failure) -> Bool {
    guard let redirectURI, !way.isSilent else { return false }
    let session = LogoutSession(run.dependencies)
    guard var page = try await session.page(for: account, returningTo: redirectURI) else {
      run.messages.info(.noEndOfSession)
      return false
    }
    let provider = account.login.provider
    let route = try await Router(run, way).route(
      WayChoice.Question(
        redirectURI: redirectURI, responseMode: .query, asked: way.asked, preset: provider.agents),
      of: provider)
    if route.redirectURI != redirectURI {
      // A browser comes back to a port that has just been chosen.
      page = try await session.page(for: account, returningTo: route.redirectURI) ?? page
    }
    try page.check(try await PageVisit.callback(of: page.visit, with: route.agent))
    return true
  }
}
