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
  func account(_ name: AccountName) async throws(Failure) -> Account {
    try await account(try await run.store.load(name))
  }

  /// The same for an account that has just been loaded.
  func account(_ kept: Account) async throws(Failure) -> Account {
    let session = AccountSession(
      store: try run.store, run.means, waits: waits, words: Composition.words,
      mayLogIn: { [signIn] login in !signIn.way.isSilent || !signIn.needsUser(for: login) },
      signIn: { [signIn] account async throws(Failure) in try await signIn.account(account) })
    return try await session.token(
      of: kept, forAtLeast: minimumValidity, assumingUnexpired: assumesUnexpired)
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

  /// The same where there is nothing to be done without one.
  func requiredAccountName(for command: Command) throws(Failure) -> AccountName {
    guard let name = try accountName else {
      throw .commandLine(.lacks(command: command.rawValue, .options([Option.account.flag])))
    }
    return name
  }
}
