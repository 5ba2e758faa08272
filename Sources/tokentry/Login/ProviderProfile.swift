import LoginCore
import WindowProtocol

/// The members of a preset that are for our programs and not for a login, tokentry-provider(5).
///
/// A new one is a property here and a row in ``members``, an entry in the schema and one in the man page.
struct ProviderProfile: Sendable, PresetObject {
  /// The agents for the provider's pages, the best first.
  var agents: [AgentKind] = []
  /// The size that the provider's pages need in a window.
  var windowSize: WindowSize?
  /// The hosts for which git may be given a token, with the port if the address has one.
  var gitHosts: [String] = []
  /// The user name with which git sends a token.
  var gitUser = "oauth2"
  /// The user name with which a container registry takes a token as a password.
  var registryUser: String?

  static let members: [PresetMember<Self>] = [
    .unlessDefault("agents", .list(.choice()), \.agents) { $0.agents = $1 },
    .optional(
      "window_size",
      .parsed(WindowSize.init) { _ in
        "window_size must be a width and a height, each from 200 to 10000, such as 960x720"
      }, \.windowSize
    ) { $0.windowSize = $1 },
    .unlessDefault("git_hosts", .list(.host()), \.gitHosts) { $0.gitHosts = $1 },
    .unlessDefault("git_user", .text(), \.gitUser) { $0.gitUser = $1 },
    .optional("registry_user", .text(), \.registryUser) { $0.registryUser = $1 },
  ]

  /// True if git may be given a token for this host. Host names are ASCII and their case does not matter.
  func serves(gitHost host: String) -> Bool {
    gitHosts.contains { $0.lowercased().isIdentical(to: host.lowercased()) }
  }
}

extension Provider {
  /// The members for our programs. Each use reads ``extra``, which has few members if any.
  var profile: ProviderProfile { ProviderProfile(kept: extra) }
}
