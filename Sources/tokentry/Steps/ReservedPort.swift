import GLibSupport
import LoginCore
import LoginWays
import UserAgents

/// A port of this machine at which the answer to a login is going to come, held from the moment at which a client is
/// registered with it: nobody else can take it in between.
@GLibActor
final class ReservedPort {
  private let redirectURI: RedirectURI
  /// Who is named on the page that the browser ends at.
  private let requester: Requester?
  private let cryptography: any Cryptography
  private var held: LoopbackListener?

  /// None yet.
  nonisolated init(
    for redirectURI: RedirectURI, requester: Requester? = nil, _ cryptography: any Cryptography
  ) {
    (self.redirectURI, self.requester, self.cryptography) = (redirectURI, requester, cryptography)
  }

  /// The one that is wanted if nobody has it, else one of the system's choice.
  func number(_ wanted: UInt16?) throws(Failure) -> UInt16 {
    if let held, wanted == nil || held.port == wanted, let port = held.port { return port }
    held = nil
    if let wanted, let address = try? redirectURI.with(port: wanted) {
      held = try? LoopbackListener(for: address, requester: requester, cryptography: cryptography)
      if held != nil { return wanted }
    }
    let listener = try LoopbackListener(for: redirectURI, requester: requester, cryptography: cryptography)
    guard let port = listener.port else { throw .defect(.here()) }
    held = listener
    return port
  }

  /// Hands over what listens there.
  func listener(for address: RedirectURI) -> LoopbackListener? {
    held?.redirectURI == address ? held.take() : nil
  }
}
