import LoginCore
import Wording

extension Settings {
  /// The failure, with an advice that the caller has not followed already and that the command takes.
  func advised(_ failure: Failure, _ command: Command) -> Failure {
    switch failure {
    case .caller(.noEndpoint(let name)) where has(.issuer) || has(.account) && command != .login:
      .configuration(.lacks(name))
    case .caller(.noClientNorRegistration) where command == .register: .configuration(.lacks(.registration))
    case .caller(.clientWithoutSecret) where clientSecret != nil:
      .configuration(
        .contradiction(
          "\(Option.grant.flag) \(GrantType.clientCredentials.rawValue)",
          "\(Option.clientAuthentication.flag) \(ClientAuthentication.none.rawValue)"))
    default: failure
    }
  }
}
