import GLibSupport
import LoginCore
import WindowProtocol

/// The port for the answer to a login. It is kept open from the registration of the client until the browser opens, so that
/// no other program can take it.
@GLibActor
package final class ReservedPort {
  private let redirectURI: RedirectURI
  private let requester: Requester?
  private let cryptography: any Cryptography
  private var held: LoopbackListener?

  /// `requester` is named on the page at the end of the login.
  package nonisolated init(
    for redirectURI: RedirectURI, requester: Requester? = nil, _ cryptography: any Cryptography
  ) {
    (self.redirectURI, self.requester, self.cryptography) = (redirectURI, requester, cryptography)
  }

  /// Reserves the `wanted` port or else that of the redirect URI, or another one if it is taken. Returns the number.
  package func number(_ wanted: UInt16?) throws(Failure) -> UInt16 {
    if let held, wanted == nil || held.port == wanted, let port = held.port { return port }
    held = nil
    let address = wanted.flatMap { try? redirectURI.with(port: $0) } ?? redirectURI
    let listener = try LoopbackListener(
      for: address, mayMove: true, requester: requester, cryptography: cryptography)
    guard let port = listener.port else { throw .defect() }
    held = listener
    return port
  }

  /// Hands over the listener if it is for this address.
  package func listener(for address: RedirectURI) -> LoopbackListener? {
    held?.redirectURI == address ? held.take() : nil
  }
}

extension LoginRequest {
  /// Signs in by the client that `find` returns, and again by another one if the provider no longer knows a kept client.
  /// Returns the token, and the request in the name of its client. That request does not have the client's port, which is
  /// for this one login.
  ///
  /// `forget` is called with a request in the name of the unknown client.
  @GLibActor
  package func signedIn(
    byClientFrom find: () async throws(Failure) -> RegistrationSession.Found,
    forget: (LoginRequest) async throws(Failure) -> Void,
    _ signIn: (LoginRequest) async throws(Failure) -> Token
  ) async throws(Failure) -> (login: LoginRequest, token: Token) {
    func attempt(_ client: RegisteredClient) async throws(Failure) -> (login: LoginRequest, token: Token) {
      let login = made(by: client)
      var request = login
      request.redirectURI = client.redirectURI ?? redirectURI
      return (login, try await signIn(request))
    }

    let found = try await find()
    do throws(Failure) {
      return try await attempt(found.client)
    } catch {
      guard error.isUnknownClient, !found.isNew else { throw error }
    }
    try await forget(made(by: found.client))
    return try await attempt(try await find().client)
  }
}
