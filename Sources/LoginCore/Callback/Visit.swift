/// A way to take the user to the provider: a window, a browser, or a list of navigations in a test.
public protocol UserAgent: Sendable {
  /// Gets ready for a visit whose page is not known yet. A window that opens while the provider is asked for its
  /// endpoints appears almost as soon as one whose page was known from the start.
  func prepare(for policy: NavigationPolicy) async
  /// Takes the user to the page and waits for the answer. Ends early when its task is cancelled.
  func visit(_ visit: Visit) async throws(Failure) -> Arrival
  /// Closes the page that ``visit(_:)`` opened: the user has come back, or will not.
  func dismiss() async
  /// Receives the result, once and after ``dismiss()``. A browser that brought the answer can still show it.
  func conclude(_ conclusion: Conclusion) async
}

extension UserAgent {
  /// The default for agents that need no preparation.
  public func prepare(for policy: NavigationPolicy) async {}
  /// The default for agents that have closed their page by then.
  public func conclude(_ conclusion: Conclusion) async {}
}

/// The page that a user agent opens, and the answers that it waits for.
public struct Visit: Sendable {
  /// The address that the user agent opens first.
  public let url: String
  /// The rules by which navigations end the visit.
  public let policy: NavigationPolicy
  /// The state that the answer repeats. It tells the answer from callbacks that others have made up.
  public let state: OAuthState?
  /// True if the page may be loaded a second time. A pushed request may not (RFC 9126 section 2.2).
  package let mayOpenTwice: Bool
  /// True if the answer is posted to the redirect URI (OAuth 2.0 Form Post Response Mode).
  package var isPosted = false
  /// True if the caller reads the answer itself, in a protocol that only it knows. Every callback is then an answer.
  package var isForCaller = false
  /// The page that ends the visit in place of a redirect.
  package var finalPage: FinalPage?
  /// The form that is sent to the page. nil if the page is only loaded.
  package var form: [Parameter]?
  /// True if a code alone is an answer, since PKCE binds it to this request as well as a state would.
  package var acceptsBareCode = false

  /// A visit to a page.
  package init(url: String, policy: NavigationPolicy, state: OAuthState? = nil, mayOpenTwice: Bool = true) {
    (self.url, self.policy, self.state, self.mayOpenTwice) = (url, policy, state, mayOpenTwice)
  }
}

/// The end of a visit, as the user agent saw it. The session decides whether it is an answer.
@nonexhaustive
public enum Arrival: Sendable {
  /// The user agent came to one of the redirect URIs.
  case callback(Callback)
  /// The user entered a code that a page shows.
  case code(AuthorizationCode)
  /// The provider shows an error on this page instead of redirecting. `body` is nil if it could not be read.
  case errorPage(uri: String, body: [UInt8]?)
}

/// The result of a visit.
@nonexhaustive
public enum Conclusion: Sendable, Equatable {
  /// The login has a token.
  case token
  /// The login failed.
  case failure(Failure)
  /// The callback is handed on to the caller, without a login.
  case answer
}

extension Visit {
  /// True if a callback ends the visit, false if it is a stray one that did not come from the page the user sees.
  ///
  /// A frame inside the page may show a stranger's content, so a callback from a frame has to repeat the state. A callback
  /// from the page itself ends the visit, right or wrong. If the web view does not tell the two apart, `mainFrame` is
  /// nil. A callback with the state of another request is then a stray one, because a frame could have made it. A callback
  /// without any state ends the visit, because otherwise a provider that forgets the state would never be reported.
  public func isAnswered(by callback: Callback, mainFrame: Bool?) -> Bool {
    if mainFrame == true { return true }
    guard let state else { return true }
    // An unreadable callback can still repeat the state, which only a reader of the request can know.
    guard let channels = try? callback.channels() else { return mainFrame == nil && callback.repeats(state) }
    let received = [channels.query["state"], channels.fragment["state"]].compactMap(\.self)
    if received.isEmpty { return mainFrame == nil }
    return received.contains { OAuthState($0) == state }
  }

  /// Returns the callback if a URI that a browser brought to this machine is the answer. Other programs and pages can
  /// bring URIs as well, so the answer has to repeat the state. Without a state, it has to contain a known parameter.
  public func callback(brought uri: String) -> Callback? {
    guard case .callback(let callback) = policy.decision(for: Array(uri.utf8)),
      isAnswered(by: callback, mainFrame: false), let answer = try? callback.channels().query,
      state != nil || isForCaller
        || ["code", "error", "access_token", "id_token", "response"].contains(where: { answer[$0] != nil })
    else { return nil }
    return callback
  }
}

/// The meaning of a text that the user copied from the page and entered by hand.
package enum Pasted: Sendable {
  /// The answer.
  case answer(Arrival)
  /// Only blanks.
  case nothing
  /// Neither a code nor the address of an answer.
  case somethingElse
  /// The answer to another login.
  case answerToAnother
  /// A code, although the visit needs the whole address.
  case codeAlone
}

extension Visit {
  /// Judges a text that the user entered as the answer: the whole address of the page where the provider left them or,
  /// if PKCE protects it, a code.
  ///
  /// The user chose it, so it counts like a callback of the page itself. But an address with the state of another login
  /// is more likely an old one than an attack, so the user is asked again.
  package func pasted(_ bytes: [UInt8]) -> Pasted {
    let isBlank = { (byte: UInt8) in byte <= 0x20 }
    let text = Array(bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    if text.isEmpty { return .nothing }
    switch policy.decision(for: text) {
    case .callback(let callback):
      return isAnswered(by: callback, mainFrame: nil) ? .answer(.callback(callback)) : .answerToAnother
    case .errorPage(let uri): return .answer(.errorPage(uri: uri, body: nil))
    case .allow: return .somethingElse
    case .ignore: break
    }
    let code = String(decoding: text, as: UTF8.self)
    guard (Self.shortestCode...Self.longestCode).contains(text.count), text.allSatisfy(\.isVisible),
      (try? URIParts(code)) == nil
    else {
      return .somethingElse
    }
    return acceptsBareCode ? .answer(.code(AuthorizationCode(code))) : .codeAlone
  }

  /// A shorter word is a typing error: the codes of every provider have more characters.
  private static let shortestCode = 8
  /// Longer than the codes of any provider: some put a whole encrypted token into one.
  private static let longestCode = 8_192
}
