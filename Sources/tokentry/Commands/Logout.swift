import LoginCore

extension CommandRun {
  /// `tokentry logout`: with an account, ends at the provider what it is good for, then forgets it and its cookies;
  /// with a session alone, forgets the cookies that are kept under its name.
  func logout(_ settings: Settings) async throws(Failure) -> String {
    if let name = try accountName(settings) { return try await logout(name, settings) }
    guard let session = try settings.sessionName else {
      throw .caller(
        .invalidOption(
          "logout needs \(Option.account.flag) or \(Option.session.flag)",
          hint: "`tokentry accounts` lists the accounts that are kept"))
    }
    if let option = [Option.force, .redirectURI, .store].first(where: settings.has) {
      throw .caller(.invalidOption("\(option.flag) belongs to \(Option.account.flag)"))
    }
    // Nothing may be kept under the name, since nothing is what was asked for.
    let folder = try SessionFolder.existing(session, under: environment.stateFolder)
    try folder?.remove()
    let object: JSONObject = ["session": .string(session.text), "forgotten": .bool(folder != nil)]
    return object.text + "\n"
  }

  /// The provider comes first: as long as something is good there the account is kept, so that it can be ended another
  /// time. The account itself goes last, since it knows its session.
  private func logout(_ name: AccountName, _ settings: Settings) async throws(Failure) -> String {
    let store = try credentialStore(settings)
    var session = try settings.sessionName
    var ended: LogoutSession.Ended?
    do throws(Failure) {
      let account = try await store.load(name)
      session = session ?? account.session.flatMap { SessionName($0) }
      ended = .init(isSessionOver: try await isPageLeft(account, settings))
      if account.login.provider.logoutRequest != nil { try await renew(name, store, settings) }
    } catch {
      try concede(error, settings)
    }
    let lock = try await store.lock(name)
    defer { withExtendedLifetime(lock) {} }
    let folder = try session.flatMap { name throws(Failure) in
      try SessionFolder.existing(name, under: environment.stateFolder)
    }
    if let page = ended {
      do throws(Failure) {
        ended = try await logoutSession(settings).end(try await store.load(name))
        if page.isSessionOver { ended?.isSessionOver = true }
      } catch {
        try concede(error, settings)
      }
    }
    try folder?.remove()
    try await store.delete(name)
    return Self.answer(name, session, ended ?? .init())
  }

  private static func answer(
    _ name: AccountName, _ session: SessionName?, _ ended: LogoutSession.Ended
  ) -> String {
    var object: JSONObject = ["account": .string(name.description)]
    object["revoked"] = .array(ended.revoked.map(JSONValue.string))
    object["session_ended"] = .bool(ended.isSessionOver)
    object["session"] = (session?.text).map(JSONValue.string)
    object["forgotten"] = true
    return object.text + "\n"
  }

  /// A failure is the end, unless the caller wants the account forgotten whatever the provider says.
  private func concede(_ failure: Failure, _ settings: Settings) throws(Failure) {
    guard settings.has(.force) else { throw failure }
    switch failure {
    case .store(.unknownAccount), .store(.locked), .store(.unavailable): throw failure
    default: messages.warning(failure.message)
    }
  }

  private func logoutSession(_ settings: Settings) async throws(Failure) -> LogoutSession {
    LogoutSession(try await means(settings))
  }

  /// A provider that is told with the token takes none that has expired.
  private func renew(
    _ name: AccountName, _ store: any CredentialStore, _ settings: Settings
  ) async throws(Failure) {
    let session = AccountSession(
      store: store, try await means(settings))
    _ = try await session.token(of: name, forAtLeast: 1)
  }

  /// Takes the user to the page that ends the provider's session, if the caller says where that page comes back to,
  /// and tells whether it did.
  private func isPageLeft(_ account: Account, _ settings: Settings) async throws(Failure) -> Bool {
    guard let text = settings[.redirectURI], !settings.has(.silent) else { return false }
    let asked = try Option.redirectURI.parse(text) { text throws(AddressFault) in try RedirectURI(text) }
    let session = try await logoutSession(settings)
    guard var page = try await session.page(for: account, returningTo: asked) else {
      messages.info("the provider has no page that ends its session")
      return false
    }
    var settings = settings
    settings.accountSession = account.session
    let route = try await route(
      settings,
      WayChoice.Question(
        redirectURI: asked, responseMode: .query, asked: settings.askedWay,
        preset: account.login.provider.agents), titled: account.login.provider.name)
    if route.redirectURI != asked {
      // A browser comes back to a port that has just been chosen.
      page = try await session.page(for: account, returningTo: route.redirectURI) ?? page
    }
    guard case .callback(let callback) = try await arrival(of: page.visit, with: route.agent) else {
      throw .defect("the end of a session is a callback")
    }
    try page.check(callback)
    return true
  }
}
