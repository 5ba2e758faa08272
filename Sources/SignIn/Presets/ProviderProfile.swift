import LoginCore
import WindowProtocol

/// The members of a preset that are for our programs and not for a login, tokentry-provider(5).
///
/// A new one is a property here and a line in ``code(_:)``, an entry in the schema and one in the man page.
package struct ProviderProfile: MemberCoded {
  /// The ways to the provider's pages, the best first. Without any, the redirect URI decides.
  package var ways: [LoginWay] = []
  /// The size that the provider's pages need in a window.
  package var windowSize: WindowSize?
  /// The hosts for which git may be given a token, with the port if the address has one.
  package var gitHosts: [String] = []
  /// The user name with which git sends a token.
  package var gitUser = "oauth2"
  /// The scope that git needs to read and write, in place of the preset's.
  package var gitScope: String?
  /// The user name with which a container registry takes a token as a password.
  package var registryUser: String?

  package init() {}

  package mutating func code(_ coder: inout MemberCoder) {
    coder.value("ways", &ways, else: [], .list(.choice()))
    coder.value(
      "window_size", &windowSize,
      .parsed(WindowSize.init) { _ in
        "window_size must be a width and a height, each from 200 to 10000, such as 960x720"
      })
    coder.value("git_hosts", &gitHosts, else: [], .list(.host))
    coder.value("git_user", &gitUser, else: "oauth2", .text)
    coder.text("git_scope", &gitScope)
    coder.text("registry_user", &registryUser)
  }

  /// True if git may be given a token for this host. Host names are ASCII and their case does not matter.
  package func serves(gitHost host: String) -> Bool {
    gitHosts.contains { $0.lowercased().isIdentical(to: host.lowercased()) }
  }
}

extension Provider {
  /// The members for our programs. Each use reads ``extra``, which has few members if any.
  package var profile: ProviderProfile { ProviderProfile(lenient: extra) ?? ProviderProfile() }
}

/// The places to which a token may go without a question to the user.
extension Account {
  /// True if the token may be sent to `destination`: one for which the account was made or, if it was made for none, one
  /// that its preset names. Every rule about who may have a token is built on this one.
  package func isMeant(for destination: Destination) -> Bool {
    let own = ownDestinations
    return (own.isEmpty ? presetDestinations : own).contains { $0.includes(destination) }
  }

  private var presetDestinations: [Destination] {
    login.provider.apiOrigins.map(Destination.init)
      + login.provider.profile.gitHosts.flatMap(Destination.all(ofHost:))
  }
}
