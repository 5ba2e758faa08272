import LoginCore
import Platform
import SignIn
import WindowProtocol

struct LogoutWishes: WishGroup {
  var insists = false

  static let rows = under(.account, [flag(\.insists, "force", "forget it even if the provider refuses")])
}

/// `tokentry logout`: ends the session and the tokens of an account at the provider, then forgets the account and its
/// cookies. With a session alone, forgets the cookies under its name; with a provider, the client that was registered there.
final class LogoutCommand: Action {
  private let shared: Composition
  private let account: AccountName?
  private let options: SignInOptions
  /// The address to which the page that ends the session comes back. Without it, the page is not opened.
  private let redirectURI: RedirectURI?
  private let insists: Bool
  /// A login at the provider whose registered client is forgotten.
  private let login: LoginRequest?

  static let options =
    ProviderWishes.options(but: "client-id", "client-secret-file", "client-key-file") + Command.asking
    + RequestWishes.options("options", "resource", "header") + AccountWishes.options("account")
    + PlaceWishes.options("store") + LogoutWishes.options

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    self.shared = shared
    account = try wishes.accountName(shared.cryptography)
    options = try SignInOptions(wishes, shared)
    insists = wishes[LogoutWishes.self].insists
    redirectURI = wishes.provider.redirectURI
    let namesProvider = wishes.provider.isNamed || wishes.provider.names(.registration)
    if namesProvider, account != nil {
      let provider = wishes.provider.preset != nil ? "provider" : "issuer"
      throw .contradiction(AccountWishes.flag("account"), ProviderWishes.flag(provider))
    }
    login = namesProvider ? try LoginRequest(wishes, needing: .registration, catalog: shared.catalog) : nil
    if account != nil || login != nil { return }
    if options.cookies == nil {
      throw .lacks(
        .logout, "--account, --session or --issuer",
        hint: "`tokentry accounts` lists the accounts that are saved")
    }
    let ofAccounts =
      LogoutWishes.options + ProviderWishes.options("redirect-uri") + PlaceWishes.options("store")
    if let option = wishes.first(of: ofAccounts) {
      throw .belongs(option, to: AccountWishes.flag("account"))
    }
  }

  func text() async throws(Failure) -> String {
    let object =
      if let account {
        try await logout(account)
      } else if let login {
        try await forgetClient(of: login)
      } else {
        try forgetCookies()
      }
    return object.text + "\n"
  }

  private func forgetCookies() throws(Failure) -> JSONObject {
    guard let name = options.cookies else { throw .defect() }
    // Missing cookies are not an error: the caller wanted them gone.
    let jar = try CookieJar.existing(name, under: shared.environment.stateFolder)
    try jar?.remove()
    return ["session": .string(name.text), "forgotten": .bool(jar != nil)]
  }

  private func forgetClient(of login: LoginRequest) async throws(Failure) -> JSONObject {
    let forgotten = try await ClientRegistration(shared.host, NewClient()).forget(
      for: login, insisting: insists)
    if let failure = forgotten.failure { shared.messages.warning(failure.message) }
    return [
      "client_id": (forgotten.client?.clientID).map(JSONValue.string), "deleted": .bool(forgotten.isDeleted),
      "forgotten": true,
    ]
  }

  private func logout(_ name: AccountName) async throws(Failure) -> JSONObject {
    let done = try await SignIn(shared.host, options)
      .signOut(of: name, returningTo: redirectURI, insisting: insists)
    return [
      "account": .string(name.description), "revoked": .array(done.revoked.map(JSONValue.string)),
      "session_ended": .bool(done.isSessionOver), "session": (done.cookies?.text).map(JSONValue.string),
      "forgotten": true,
    ]
  }
}

extension Wishes {
  /// Refuses to describe the provider of an account, which knows it, on the command line. A document may do so, because it is
  /// often the same one for all commands.
  func checkLogout() throws(Failure) {
    let resource = RequestWishes.options("resource")
    guard let account = first(of: AccountWishes.options("account") + resource) else { return }
    let others =
      resource + ProviderWishes.options("var", "endpoint") + RequestWishes.options("header")
    if let other = first(of: others.filter { $0 != account }) {
      throw .contradiction(account.flag, other.flag)
    }
  }
}
