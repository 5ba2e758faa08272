extension CredentialStore {
  /// Sees to it that a token which a server has refused is not handed out again: the account stays as it is, with
  /// what renews it, and its token counts as expired. Nothing happens if the account has another token by now.
  package func expire(_ refused: AccessToken, of name: AccountName, at now: UTCDate) async throws(Failure) {
    let lock = try await lock(name)
    defer { withExtendedLifetime(lock) {} }
    let account = try await load(name)
    guard account.token.accessToken == refused else { return }
    try await save(account.expired(at: now))
  }
}
