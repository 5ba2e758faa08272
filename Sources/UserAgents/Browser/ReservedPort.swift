import LoginCore
import LoginWays
import GLibSupport

/// The port for the answer to a login. It is held from the registration of the client until the browser is opened, so that
/// no other program can take it in between.
@GLibActor
package final class ReservedPort {
  private let redirectURI: RedirectURI
  private let requester: Requester?
  private let cryptography: any Cryptography
  private var held: LoopbackListener?

  /// The page at the end of the login names the `requester`.
  package nonisolated init(
    for redirectURI: RedirectURI, requester: Requester? = nil, _ cryptography: any Cryptography
  ) {
    (self.redirectURI, self.requester, self.cryptography) = (redirectURI, requester, cryptography)
  }

  /// Reserves the `wanted` port if it is free, or else another one. Returns its number.
  package func number(_ wanted: UInt16?) throws(Failure) -> UInt16 {
    if let held, wanted == nil || held.port == wanted, let port = held.port { return port }
    held = nil
    if let wanted, let address = try? redirectURI.with(port: wanted) {
      held = try? LoopbackListener(for: address, requester: requester, cryptography: cryptography)
      if held != nil { return wanted }
    }
    let listener = try LoopbackListener(for: redirectURI, requester: requester, cryptography: cryptography)
    guard let port = listener.port else { throw .defect() }
    held = listener
    return port
  }

  /// Hands over the listener, if it listens at this address.
  package func listener(for address: RedirectURI) -> LoopbackListener? {
    held?.redirectURI == address ? held.take() : nil
  }
}
