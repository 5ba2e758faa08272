import Language
import LoginCore
import Platform

extension OAuthClient {
  /// An event of a sign-in, for the application to show.
  public enum Event: Sendable, CustomStringConvertible {
    /// The user's browser is about to open the page. If it does not appear, the user can visit this address.
    case opening(String)
    /// The page is open in the browser.
    case opened
    /// The user has to open this page, because no browser could be opened, or because it has not returned an answer yet.
    case address(String)
    /// The user has to open a page on any device, and enter the code there if there is one.
    case code(DeviceAuthorization)
    /// A problem that does not end the sign-in.
    case trouble(Failure)

    /// The event in a sentence, in the user's language.
    public var description: String {
      // Only at a command line does Ctrl+C cancel.
      guard case .opening(let address) = self else { return message.text }
      return Message("if nothing opened, visit \(address, upTo: 64 * 1_024)").text
    }

    /// The event in a sentence for a command line.
    package var message: Message {
      switch self {
      case .opening(let address): "Ctrl+C cancels; if nothing opened, visit \(address, upTo: 64 * 1_024)"
      case .opened: "the page is open in your browser"
      case .address(let address): "open this page in a browser: \(address, upTo: 64 * 1_024)"
      case .code(let device): device.instruction
      case .trouble(let failure): failure.message
      }
    }

    /// Prints the event on standard error if it asks the user for something.
    func printIfNeeded() {
      switch self {
      case .opened, .trouble: break
      case .opening, .address, .code: try? writeAll("\(self)\n".utf8, to: 2)
      }
    }
  }
}

extension DeviceAuthorization {
  /// Tells the user what to do.
  fileprivate var instruction: Message {
    guard let userCode else { return "to sign in, open \(verificationURI, upTo: 64 * 1_024)" }
    return "to sign in, open \(verificationURI, upTo: 64 * 1_024) and enter the code \(userCode)"
  }
}
