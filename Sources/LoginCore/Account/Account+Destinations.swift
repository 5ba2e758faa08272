/// Where the token of an account may go without anybody being asked again.
extension Account {
  /// What the account was made for; else what its provider names. Every rule of who may have a token is made of these.
  private var destinations: [Destination] {
    if !origins.isEmpty { return origins.map(Destination.init) }
    let provider = login.provider
    return provider.apiOrigins.map(Destination.init)
      + provider.gitHosts.flatMap(Destination.all(ofHost:))
  }

  /// Whether its token may be sent to that destination.
  package func isMeant(for destination: Destination) -> Bool {
    destinations.contains { $0.includes(destination) }
  }
}
