import Desktop
import GLibSupport
import LoginCore
import LoginWays

/// Waits for the browser to open an address with the scheme of the redirect URI (RFC 8252 section 7.1): the desktop
/// then starts a process of ours, which brings the address here over the session's message bus.
///
/// Any program of the user can ask there, so nothing but an answer with the state of the login ends anything.
@GLibActor
public final class SchemeListener: AnswerListener {
  private let scheme: String
  private let cryptography: any Cryptography
  private let receiver: CallbackReceiver
  private let register: @GLibActor (String) throws(SchemeRegistration.Fault) -> SchemeRegistration
  private var registration: SchemeRegistration?
  private var deliver: (@GLibActor (Arrival) -> Void)?
  private var miss: (@GLibActor (String) -> Void)?

  /// `register` makes this program the one that opens the scheme; it is called when the browser is about to be.
  public init(
    for redirectURI: RedirectURI, cryptography: any Cryptography,
    register: @escaping @GLibActor (String) throws(SchemeRegistration.Fault) -> SchemeRegistration
  ) throws(Failure) {
    guard let scheme = redirectURI.privateScheme else {
      throw .defect(.here())
    }
    guard let receiver = CallbackReceiver() else {
      throw .way(.obstacle(.messageBusUnreachable))
    }
    (self.scheme, self.register) = (scheme, register)
    (self.cryptography, self.receiver) = (cryptography, receiver)
  }

  public var port: UInt16? { nil }

  public func wait(
    for visit: Visit, deliver: @escaping @GLibActor (Arrival) -> Void,
    miss: @escaping @GLibActor (String) -> Void
  ) async throws(Failure) {
    guard let state = visit.state else {
      throw .way(.conflict(.schemeWithoutState))
    }
    (self.deliver, self.miss) = (deliver, miss)
    let name = try LoginBusName(of: state, cryptography: cryptography)
    guard await receiver.wait(as: name.text, take: { [weak self] in self?.take($0, visit) ?? false }) else {
      throw .way(.obstacle(.stateTaken))
    }
    do throws(SchemeRegistration.Fault) {
      registration = try register(scheme)
    } catch {
      throw .way(.obstacle(.notWritable(path: error.path)))
    }
  }

  public func close(_ conclusion: Conclusion) async {
    (deliver, miss) = (nil, nil)
    receiver.close()
    registration?.end()
    registration = nil
  }

  private func take(_ uri: String, _ visit: Visit) -> Bool {
    guard let deliver, let callback = visit.callback(brought: uri) else {
      // Whoever finds this login knows its state, so what it brings is no stray.
      if case .callback = visit.policy.decision(for: Array(uri.utf8)) {} else { miss?(uri) }
      return false
    }
    self.deliver = nil
    deliver(.callback(callback))
    return true
  }
}
