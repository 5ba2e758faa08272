import LoginCore
import Wording

/// Gets at a kept account with a token that may be used, whatever has to be done for it.
struct AccountAccess: Sendable {
  private let run: Composition
  private let signIn: SignIn
  private let waits: Bool
  private let minimumValidity: Int64
  private let assumesUnexpired: Bool?

  /// Reads for how long a token has to be good, and who may be asked for a new one.
  init(_ settings: Settings, _ run: Composition, _ signIn: SignIn) {
    (self.run, self.signIn) = (run, signIn)
    waits = !settings.has(.noWait)
    minimumValidity = settings.minimumValidity
    assumesUnexpired = settings.assumesUnexpired
  }

  /// The account with a token that is good for long enough. A login that asks nobody is none that `--silent` forbids.
  /// Where there is none of this name yet, one can be made by `login`.
  func account(
    _ name: AccountName, orBy login: LoginCommand? = nil
  ) async throws(Failure) -> Account {
    try await session(login).token(
      of: name, forAtLeast: minimumValidity, assumingUnexpired: assumesUnexpired)
  }

  /// The same for an account that has just been loaded.
  func account(_ kept: Account) async throws(Failure) -> Account {
    try await session(nil).token(of: kept, forAtLeast: minimumValidity, assumingUnexpired: assumesUnexpired)
  }

  /// The account after another login, which brings what a server wants that has refused this token.
  func account(
    _ name: AccountName, after refused: AccessToken, _ stepUp: StepUp
  ) async throws(Failure) -> Account {
    try await session(nil).token(of: name, insteadOf: refused) { $0.asking(stepUp) }
  }

  private func session(_ login: LoginCommand?) throws(Failure) -> AccountSession {
    var session = AccountSession(
      store: try run.store, run.dependencies, waits: waits, words: Composition.words,
      mayLogIn: { [signIn] login in !signIn.way.isSilent || !signIn.needsUser(for: login) },
      signIn: { [signIn] account async throws(Failure) in try await signIn.account(account) })
    if let login, !signIn.way.isSilent {
      session.make = { () async throws(Failure) in try await login.newAccount() }
    }
    return session
  }
}

extension Settings {
  /// For how many seconds a token has to be good; the default covers a request that it is wanted for.
  var minimumValidity: Int64 { self[.minValid].flatMap { Int64($0) } ?? 60 }

  /// The name of the account, if one was given.
  var accountName: AccountName? {
    get throws(Failure) {
      try value(of: .account, wanting: .accountName(limit: AccountName.maximumLength)) { AccountName($0) }
    }
  }

  /// The servers that the account is made for; a host alone is one that is reached over https.
  var origins: [Origin] {
    get throws(Failure) {
      try all(.origins).map { text throws(Failure) in
        try Option.origins.parse(text.startOfAuthority == nil ? "https://\(text)" : text, as: Origin.init)
      }
    }
  }

  /// The name of the account of an API, if its address was given in place of a name.
  func accountName(_ cryptography: any Cryptography) throws(Failure) -> AccountName? {
    let name = try accountName
    guard has(.resource) else { return name }
    if name != nil { throw .configuration(.contradiction(Option.account.flag, Option.resource.flag)) }
    return try AccountName(try apiAddress(), cryptography)
  }

  /// The one API whose address was given.
  func apiAddress() throws(Failure) -> ProtectedResource {
    let addresses = all(.resource)
    guard addresses.count == 1 else { throw .commandLine(.wants(Option.resource.flag, .apiAddress)) }
    return try Option.resource.parse(addresses[0], as: ProtectedResource.init)
  }

  /// The same where there is nothing to be done without one.
  func requiredAccountName(
    for command: Command, _ cryptography: any Cryptography
  ) throws(Failure) -> AccountName {
    guard let name = try accountName(cryptography) else {
      throw .commandLine(.lacks(command: command.rawValue, .options([Option.account.flag])))
    }
    return name
  }
}
