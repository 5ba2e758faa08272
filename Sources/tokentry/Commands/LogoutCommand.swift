import LoginCore
import Platform
import SignIn
import WindowProtocol

/// `tokentry logout`: ends the session and the tokens of an account at the provider, then forgets the account and its
/// cookies. With a session alone, forgets the cookies under its name.
struct LogoutCommand: Action {
  private let run: Composition
  private let account: AccountName?
  private let options: SignInOptions
  /// The address to which the page that ends the session comes back. Without it, the page is not opened.
  private let redirectURI: RedirectURI?
  private let insists: Bool

  init(_ settings: Settings, _ run: Composition) throws(Failure) {
    self.run = run
    account = try settings.accountName(run.cryptography)
    options = try SignInOptions(settings, run)
    insists = settings.has(.force)
    redirectURI = try settings.value(of: .redirectURI, as: RedirectURI.init)
    if account != nil { return }
    if options.cookies == nil {
      throw .lacks(
        .logout, "--account or --session", hint: "`tokentry accounts` lists the accounts that are kept")
    }
    if let option = [Option.force, .redirectURI, .store].first(where: settings.has) {
      throw .belongs(option, to: .account)
    }
  }

  func text() async throws(Failure) -> String {
    let object = if let account { try await logout(account) } else { try forgetCookies() }
    return object.text + "\n"
  }

  private func forgetCookies() throws(Failure) -> JSONObject {
    // Missing cookies are not an error: the caller wanted them gone.
    let folder = try folder(of: options.cookies)
    try folder?.remove()
    return ["session": .string(options.cookies?.text ?? ""), "forgotten": .bool(folder != nil)]
  }

  private func folder(of jar: CookieJarName?) throws(Failure) -> CookieJar? {
    guard let jar else { return nil }
    return try CookieJar.existing(jar, under: run.environment.stateFolder)
  }

  /// The provider comes first: while a token is good there, the account is kept, so that logout can be tried again. The
  /// account is deleted last, because it knows its cookies.
  private func logout(_ name: AccountName) async throws(Failure) -> JSONObject {
    let store = try run.store
    var jar = options.cookies
    var page: Bool?
    do throws(Failure) {
      let account = try await store.load(name)
      let options = options.withCookies(of: account)
      jar = options.cookies
      page = try await leavesPage(account, options)
      if account.login.provider.hasLogoutRequest { try await renew(name, in: store) }
    } catch {
      try ignore(error)
    }
    let lock = try await store.locks.lock(name)
    defer { withExtendedLifetime(lock) {} }
    let folder = try folder(of: jar)
    var revoked: [String] = []
    var isSessionOver = page == true
    if let page {
      do throws(Failure) {
        let ended = try await LogoutSession(run.dependencies).end(try await store.load(name))
        (revoked, isSessionOver) = (ended.revoked, page || ended.isSessionOver)
      } catch {
        try ignore(error)
      }
    }
    try folder?.remove()
    try await store.delete(name)
    return [
      "account": .string(name.description), "revoked": .array(revoked.map(JSONValue.string)),
      "session_ended": .bool(isSessionOver), "session": (jar?.text).map(JSONValue.string),
      "forgotten": true,
    ]
  }

  /// With `--force`, reduces a failure at the provider to a warning. Throws all other failures: the account cannot be
  /// deleted, or the user cancelled.
  private func ignore(_ failure: Failure) throws(Failure) {
    let isProviders =
      switch failure {
      case .unreadableAccount("", ""): true
      case .windowClosed, .terminalClosed, .inputEnded, .cancelled: false
      default: ![.unknownAccount, .storeLocked, .storeUnavailable].contains(failure.code)
      }
    guard insists, isProviders else { throw failure }
    run.messages.warning(failure.message)
  }

  /// Refreshes an expired token, because the provider's own logout request needs a good one. If only the user could get
  /// one, the session is over already.
  private func renew(_ name: AccountName, in store: any CredentialStore) async throws(Failure) {
    let session = AccountSession(
      store: store, run.dependencies, report: { $0.redactedReport },
      assumesUnexpired: { $0.assumesUnexpired })
    do throws(Failure) { _ = try await session.token(of: name, forAtLeast: 1) } catch {
      if Failure.signInForbidden(account: "") ~= error { return }
      throw error
    }
  }

  /// Takes the user to the page that ends the provider's session. Returns true once the page came back, and false if it
  /// was not opened.
  private func leavesPage(_ account: Account, _ options: SignInOptions) async throws(Failure) -> Bool {
    guard let redirectURI, !options.isSilent else { return false }
    if try await SignIn(run.host, options).endSession(of: account, returningTo: redirectURI) { return true }
    run.messages.info("the provider has no page that ends its session")
    return false
  }
}
