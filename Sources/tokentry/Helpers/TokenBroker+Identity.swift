import GLibSupport
import LoginCore
import Wording

/// What is handed out of an account.
extension Account {
  /// The access token, which can stand in a header field.
  func sendableToken() throws(Failure) -> AccessToken {
    guard let token = token.accessToken else { throw .untrusted(.missingToken(["access_token"])) }
    _ = try AuthorizationHeader(token, scheme: self.token.scheme)
    return token
  }

  /// The value of a header field with it.
  func authorization() throws(Failure) -> String {
    try AuthorizationHeader(try sendableToken(), scheme: token.scheme).value
  }
}

/// Who signed in, and whether that is still so.
extension TokenBroker {
  /// The id_token of an account, and when it ends: it has an end of its own, and one that has come to it is renewed with
  /// the access token.
  @GLibActor
  func identification(of account: Account) async throws(Failure) -> (token: String, end: UTCDate?) {
    var account = account
    if !isGood(account, for: given.minimumValidity), let token = account.token.accessToken {
      try await run.store.expire(token, of: account.name, at: run.clock.now())
      account = try await fresh(try await run.store.load(account.name))
    }
    guard let idToken = account.token.idToken else {
      throw .helper(.noIdentity(account: account.name.description))
    }
    guard isGood(account, for: 1) else { throw .user(.signInForbidden(account: account.name.description)) }
    return (idToken, end(of: account))
  }

  private func end(of account: Account) -> UTCDate? {
    account.token.claims?["exp"]?.truncated.flatMap { UTCDate(secondsSince1970: $0) }
  }

  private func isGood(_ account: Account, for seconds: Int64) -> Bool {
    end(of: account).map { $0.seconds(since: run.clock.now()) >= seconds } ?? true
  }

  /// Ends at its provider what the account is good for, and keeps how somebody signs in to it again.
  @GLibActor
  func signOut(of kept: Account) async throws(Failure) {
    let store = try run.store
    let lock = try await store.lock(kept.name)
    defer { withExtendedLifetime(lock) {} }
    // Another program may have renewed it, and what it was good for is nothing any more.
    let account = try await store.load(kept.name)
    _ = try await LogoutSession(run.dependencies).end(account)
    try await store.save(account.signedOut(at: run.clock.now()))
  }
}

extension Failure {
  /// Whether some other helper may know the server.
  var isOfOtherServer: Bool { fault(as: HelperFault.self)?.isOfNoAccount == true }

  /// Whether a program has asked for something that no helper of ours does.
  var isOfOperation: Bool { if case .notHere? = fault(as: HelperFault.self) { true } else { false } }
}

extension Settings {
  /// The same where nobody may be asked.
  var silenced: Settings {
    var settings = self
    if !has(.silent) { try? settings.set(.silent, "", as: Option.silent.flag) }
    return settings
  }
}

extension Messages {
  /// What a program has under the name of a secret: in a JSON object, in lines of attributes, or in an address.
  static func hide(saidIn bytes: [UInt8]) {
    hide(secretsIn: bytes)
    if let secret = (try? JSONReader.read(bytes))?.object?["Secret"]?.string { hide(secret) }
    for line in String(decoding: bytes, as: UTF8.self).parts(at: "\n") {
      let (name, value) = line.splitOnce(at: "=")
      if let value, ["password", "credential", "oauth_refresh_token"].contains(name) { hide(value) }
      guard let start = line.startOfAuthority else { continue }
      let authority = String(line[start...]).splitOnce(at: "/").0
      if let at = authority.lastIndex(of: "@") {
        authority[..<at].split(separator: ":").forEach { hide(String($0)) }
      }
    }
  }
}
