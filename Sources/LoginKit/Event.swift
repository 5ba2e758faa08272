import Language
import LoginCore
import Platform
import SignIn
import WindowProtocol

extension OAuthClient {
  /// An event of a sign-in, for the application to show.
  @nonexhaustive
  public enum Event: Sendable, CustomStringConvertible {
    /// The user's browser is about to open the page. If it does not appear, the user can visit this address.
    case opening(String)
    /// The page is open in the browser.
    case opened
    /// The user has to open this page, because no browser could be opened, or because it has not returned an answer yet.
    case address(String)
    /// The user is at another machine, whose browser reaches this one only if this port is forwarded to the host first:
    /// `ssh -N -L PORT:localhost:PORT HOST`.
    case forward(port: UInt16, host: String)
    /// The browser has not returned an answer yet.
    case late
    /// The user has to open a page on any device, and enter the code there if there is one. After a code has expired, the
    /// window may bring a new one.
    case code(DeviceAuthorization)
    /// A problem that does not end the sign-in.
    case trouble(Failure)
    /// The user is about to be asked to sign in, by any call of this client or of its copies.
    case begun
    /// The user has signed in, and the account is kept.
    case signedIn(Account)
    /// The sign-in has ended without a token.
    case failed(Failure)

    /// The event in a sentence, in the user's language.
    public var description: String { message?.text ?? "" }

    private var message: Message? {
      let event: SignInEvent
      switch self {
      case .begun: return "signing in"
      case .signedIn: return "signed in"
      case .failed(let failure), .trouble(let failure): return failure.message
      case .opening(let address): event = .opening(address)
      case .opened: event = .opened
      case .address(let address): event = .address(address)
      case .forward(let port, let host): event = .forward(port: port, host: host)
      case .late: event = .late
      case .code(let device): event = .code(device, nil, secondsLeft: device.expiresIn)
      }
      return event.message
    }

    /// Makes the event that an application can show. nil if the engine's event is for the command alone.
    init?(_ event: SignInEvent) {
      switch event {
      case .opening(let address): self = .opening(address)
      case .opened, .left: self = .opened
      case .address(let address): self = .address(address)
      case .forward(let port, let host): self = .forward(port: port, host: host)
      case .late: self = .late
      case .begun: self = .begun
      case .code(let device, _, _): self = .code(device)
      case .browserFailed(let failure), .browserUnusable(let failure), .codeWindowLost(let failure),
        .silence(let failure, _), .ignored(let failure):
        self = .trouble(failure)
      case .fault(let fault):
        guard let fault else { return nil }
        self = .trouble(fault.failure)
      case .answerElsewhere(let refusal): self = .trouble(refusal.failure)
      case .answerOfOtherUser, .pasted, .notOpened, .portTaken:
        guard let message = event.message else { return nil }
        self = .trouble(Failure(.noUserAgent, message))
      default: return nil
      }
    }

    /// Prints the event on standard error if it asks the user for something.
    func printIfNeeded() {
      switch self {
      case .opened, .trouble, .late, .begun, .signedIn, .failed: break
      case .opening, .address, .code, .forward: try? writeAll("\(self)\n".utf8, to: 2)
      }
    }
  }
}
