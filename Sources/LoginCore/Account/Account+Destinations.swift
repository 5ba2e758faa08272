/// Where the token of an account may go without anybody being asked again.
extension Account {
  /// What the account was made for; else what its provider names. Every rule of who may have a token is made of these.
  private var destinations: [Destination] {
    let own = origins.map(Destination.init) + resources
    if !own.isEmpty { return own }
    let provider = login.provider
    return provider.apiOrigins.map(Destination.init)
      + provider.gitHosts.flatMap(Destination.all(ofHost:))
  }

  /// The APIs that it was made for: the one whose address has led to it, else those that its request names.
  private var resources: [Destination] {
    let named = login.parameters.filter { $0.name.isIdentical(to: "resource") }.map(\.value)
    return (resource.map { [$0.description] } ?? named).compactMap { try? Destination($0) }
  }

  /// Refuses an address to which its token does not belong: neither the account nor its provider nor the caller names
  /// it. One that is for an API is for no other one of the same server, whoever names that server.
  package func check(_ endpoint: Endpoint, orAmong others: [Origin]) throws(Failure) {
    let asked = try? Destination(endpoint.description)
    let own = origins.map(Destination.init) + resources
    if let asked, own.contains(where: { $0.includes(asked) }) { return }
    if resources.contains(where: { $0.origin.isIdentical(to: endpoint.origin) }) {
      throw .caller(.otherResource(endpoint.description))
    }
    try login.provider.checkOrigin(of: endpoint, orAmong: others)
  }

  /// Whether its token may be sent to that destination.
  package func isMeant(for destination: Destination) -> Bool {
    destinations.contains { $0.includes(destination) }
  }
}
