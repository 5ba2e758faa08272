import GLibSupport
import LoginCore
import Platform
import WindowProtocol

/// Waits for the browser to open an address with the scheme of the redirect URI (RFC 8252 section 7.1). The desktop then
/// starts a process of ours, which sends the address here over the session's message bus.
///
/// Any program of the user can do that, so only an answer with the state of the login ends it.
@GLibActor
package final class SchemeListener: AnswerListener {
  private let scheme: String
  private let cryptography: any Cryptography
  private let receiver: CallbackReceiver
  private let register: @GLibActor (String) throws(SchemeRegistration.WriteError) -> SchemeRegistration
  private var registration: SchemeRegistration?
  private var deliver: (@GLibActor (Arrival) -> Void)?
  private var miss: (@GLibActor (MissedAnswer) -> Void)?

  /// `register` makes this program the handler of the scheme. It is called just before the browser is opened.
  package init(
    for redirectURI: RedirectURI, cryptography: any Cryptography,
    register: @escaping @GLibActor (String) throws(SchemeRegistration.WriteError) -> SchemeRegistration
  ) throws(Failure) {
    guard let scheme = redirectURI.privateScheme else { throw .defect() }
    guard let receiver = CallbackReceiver() else {
      throw Failure(.noUserAgent, "the session bus cannot be reached")
    }
    (self.scheme, self.register) = (scheme, register)
    (self.cryptography, self.receiver) = (cryptography, receiver)
  }

  package var port: UInt16? { nil }

  package func wait(
    for visit: Visit, deliver: @escaping @GLibActor (Arrival) -> Void,
    miss: @escaping @GLibActor (MissedAnswer) -> Void
  ) async throws(Failure) {
    guard let state = visit.state else {
      throw Failure(
        .invalidConfiguration, "a browser's answer to a private scheme needs a state",
        hint: .useWindowWithoutState)
    }
    (self.deliver, self.miss) = (deliver, miss)
    let name = try LoginBusName(of: state, cryptography: cryptography)
    guard await receiver.wait(as: name.text, take: { [weak self] in self?.take($0, visit) ?? false }) else {
      throw Failure(
        .noUserAgent, "another program is waiting for the answer to a login with the same state")
    }
    registration = try failing(register(scheme)) { (error: SchemeRegistration.WriteError) in
      Failure(
        .noUserAgent,
        "the scheme cannot be registered: \(error.path.forDisplay(limit: 200)) is not writable")
    }
  }

  package func close(_ conclusion: Conclusion) async {
    (deliver, miss) = (nil, nil)
    receiver.close()
    registration?.end()
    registration = nil
  }

  private func take(_ uri: String, _ visit: Visit) -> Bool {
    guard let deliver, let callback = visit.callback(brought: uri) else {
      // The sender found this login by its state, so the address belongs to it.
      if case .callback = visit.policy.decision(for: Array(uri.utf8)) {} else { miss?(.elsewhere(uri)) }
      return false
    }
    self.deliver = nil
    deliver(.callback(callback))
    return true
  }
}

/// The name under which a waiting login is found on the user's message bus. It can be computed from an answer with the
/// login's state, but the state cannot be computed from the name.
package struct LoginBusName: Sendable, Equatable {
  package let text: String

  package init(of state: OAuthState, cryptography: any Cryptography) throws(Failure) {
    let digest = try cryptography.digest(.sha256, of: Array(state.revealed().utf8))
    // A part of a bus name must begin with a letter. Flatpak lets an application own the names below its own ID.
    text =
      "org.tokentry.Tokentry.Login.h" + String(decoding: digest.flatMap(\.hexadecimalDigits), as: UTF8.self)
  }

  /// The name of the login to which an answer belongs. Returns nil if the answer has no state, or two.
  package init?(ofCallback uri: String, cryptography: any Cryptography) throws(Failure) {
    let query = uri.splitOnce(at: "#").0.splitOnce(at: "?").1 ?? ""
    guard uri.utf8.count <= Callback.maximumLength,
      let parameters = ParameterList(form: Array(query.utf8), upTo: Callback.maximumParameters),
      let state = parameters["state"], !parameters.repeats("state")
    else { return nil }
    try self.init(of: OAuthState(state), cryptography: cryptography)
  }
}
