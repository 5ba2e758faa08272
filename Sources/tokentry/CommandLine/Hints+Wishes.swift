import Glibc
import LoginCore
import Platform
import SignIn

extension Failure {
  /// Returns the failure with the hint that fits what the caller has given already, and the command.
  func withHint(for wishes: Wishes, _ command: Command) -> Failure {
    if self == Environment().foreignDisplay { return with(hint: Self.otherUserHint) }
    switch hint {
    case .addEndpoint(let name)?
    where wishes.provider.issuer != nil || !wishes.account.names.isEmpty && command != .login:
      return with(hint: .url(of: name))
    case .checkEndpoint(let name)? where wishes.provider.names(name):
      return with(hint: "is \(name.flag) right?")
    case .nameClient?, .nameClientOrRegistration?:
      guard let preset = wishes.provider.preset, !preset.contains("/") else { return self }
      return with(
        hint: "add --client-id ID; `tokentry providers \(preset, upTo: 60)` says what to register for one")
    case .giveSecret? where wishes.provider.clientSecret != nil:
      return .contradiction(
        "\(RequestWishes.flag("grant")) \(GrantType.clientCredentials.rawValue)",
        "\(RequestWishes.flag("client_authentication")) \(ClientAuthentication.none.rawValue)")
    default: return self
    }
  }
}

extension Failure {
  /// The command line for the owner of the display.
  private static var otherUserHint: Hint? {
    let environment = Environment()
    guard let owner = environment.ownerOfDisplay, let name = environment.nameOfDisplayOwner else {
      return nil
    }
    let words =
      ["sudo", "-u", name, "XDG_RUNTIME_DIR=/run/user/\(owner)", "tokentry"]
      + CommandLine.arguments.dropFirst()
    let command = words.map(\.shellWordIfNeeded).joined(separator: " ")
    return "run it as that user: \(command, upTo: 400)"
  }
}

extension Failure.Hint {
  fileprivate static func url(of endpoint: EndpointName) -> Failure.Hint { "add \(endpoint.flag)" }
}
