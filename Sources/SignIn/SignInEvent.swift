import GLibSupport
import Language
import LoginCore
import WindowProtocol

/// Something that happens on the way to a token. The front end turns it into messages for people; ``Run`` remembers the last
/// one of each kind, so that a sign-in that runs out of time can say what was missing.
package enum SignInEvent: Sendable {
  // The browser.
  /// A browser is about to be opened. If it shows no page, the user can visit this address.
  case opening(String)
  /// The page is open in the browser.
  case opened
  /// The user has to open this page.
  case address(String)
  /// A browser on another machine reaches this one only if this port is forwarded to the host.
  case forward(port: UInt16, host: String)
  /// No browser could be opened, so the page is shown in a window.
  case notOpened
  /// The browser has not come back yet.
  case late
  /// The browser could not be opened, and the user has to do it.
  case browserFailed(Failure)
  /// An answer came to an address that is not the redirect URI.
  case answerElsewhere(PageRefusal)
  /// An answer came from a browser of another user of this machine.
  case answerOfOtherUser
  /// The pasted text is not the answer.
  case pasted(PasteProblem)
  /// The port of the redirect URI is taken, so the answer is awaited at another one.
  case portTaken(RedirectURI, other: RedirectURI)
  /// The answer is awaited at this address. `isBrowsers` is true if a browser is to bring it there.
  case listening(RedirectURI, isBrowsers: Bool)
  /// The browser cannot bring the answer back, and another way is taken.
  case browserUnusable(Failure)
  /// The desktop opens links with this scheme in the program of this sign-in.
  case schemeRegistered(String)

  // The window.
  /// A page of this server is shown.
  case page(origin: String)
  /// The window shows this fault in place of a page, or none any more.
  case fault(PageFault?)
  /// A server has not answered the window yet.
  case slow(host: String)
  /// A callback of another request was ignored.
  case stray
  /// The window's own warning.
  case windowWarning(String)
  /// The window crashed and is started again.
  case restarted
  /// The page stayed blank, and is opened again with software drawing.
  case blank
  /// Software drawing is remembered.
  case remembered
  /// The sign-in continues in the browser.
  case left

  // A code for another device.
  /// The user has to enter the code on a page on any device within this time. The picture is the QR code of the page.
  case code(DeviceAuthorization, CodePicture?, secondsLeft: Int64)
  /// The provider wants to be asked less often.
  case slower(seconds: Int64)
  /// The provider did not answer, and is asked again.
  case silence(Failure, seconds: Int64)
  /// The code is not shown in a window.
  case codeWindowLost(Failure)

  // Clients and accounts.
  /// The user is about to be asked to sign in.
  case begun
  /// The provider has registered a client.
  case registered(isKept: Bool)
  /// The provider no longer knows the kept client, and another one is registered.
  case clientForgotten
  /// The server reads no client documents, so it is asked to register a client in place of this one.
  case documentUnread(clientID: String)
  /// The API has moved to another server, to which this client is not disclosed.
  case clientWithheld(clientID: String)
  /// The account needs a new sign-in.
  case accountNeedsLogin
  /// The account's API has moved to another server, where the user has to sign in.
  case apiMoved
  /// Another program or task is using the account.
  case accountInUse
  /// The provider has no page that ends its session.
  case noSessionPage
  /// The `expires_in` of an answer with a token is not a number of seconds.
  case lifetimeUnread
  /// The requested refresh token has not come.
  case refreshTokenMissing
  /// The provider has no way to revoke the refresh token of an account.
  case refreshTokenStays
  /// A failure at the provider that the caller wanted to ignore.
  case ignored(Failure)
  /// A step of the discovery of an API.
  case resource(ResourceSession.Step)
  /// The scope that is requested for an API, and who named it.
  case scope(String?, FoundResource.ScopeSource)

  // Warnings about grants.
  /// The implicit grant returns the token in an address.
  case implicitGrant
  /// The password grant shows the password to this program.
  case passwordGrant

  // Tests.
  /// A test's agent decided about an address.
  case navigation(uri: String, decision: String)
}

extension SignInEvent {
  /// The event in a sentence. nil if the user need not hear of it.
  package var message: Message? {
    switch self {
    case .opening(let address): "if nothing opened, visit \(address, upTo: 64 * 1_024)"
    case .opened: "the page was sent to your browser"
    case .address(let address): "open this page in a browser: \(address, upTo: 64 * 1_024)"
    case .forward(let port, let host):
      "if that browser runs on another machine, first run there: ssh -N -L \(port):localhost:\(port) \(host)"
    case .notOpened: "no browser could be opened, so the page is shown in a window"
    case .late: "the browser has not come back yet"
    case .browserFailed(let failure), .browserUnusable(let failure), .ignored(let failure): failure.message
    case .answerElsewhere(let refusal): refusal.failure.message
    case .answerOfOtherUser:
      "an answer came from a browser of another user of this computer, and was not taken"
    case .pasted(let problem): problem.message
    case .portTaken(let address, let other):
      """
      another program uses the port of \(address.description, upTo: 200), so the login uses \
      \(other.description, upTo: 200), which a provider that compares redirect URIs exactly refuses
      """
    case .listening(let address, _): "waiting for the answer at \(address.description, upTo: 200)"
    case .schemeRegistered(let scheme): "\(scheme): links are opened by tokentry until the login ends"
    case .page(let origin): "page of \(origin)"
    case .fault(let fault): fault?.failure.message
    case .slow(let host): "\(host) has not answered yet"
    case .stray: "ignored a callback of another request"
    case .windowWarning(let text): Message(catalogued: text)
    case .restarted: "the window crashed and is restarted"
    case .blank:
      "the page stayed blank and is reopened with the rendering \(Rendering.software.rawValue)"
    case .remembered: "\(Rendering.software.rawValue) is remembered for the next login"
    case .left: "the login continues in the browser"
    case .code(let device, _, _): device.instruction
    case .slower(let seconds): "the provider wants fewer requests: trying again in \(seconds) s"
    case .silence(let failure, let seconds): "\(failure.message): trying again in \(seconds) s"
    case .codeWindowLost(let failure): "the code is not shown in a window: \(failure.message)"
    case .registered(let isKept):
      isKept ? "the provider has registered a client, which is kept" : "the provider has registered a client"
    case .clientForgotten: "the provider no longer knows the client; requesting a new one"
    case .documentUnread(let client):
      """
      the server does not read client documents such as \(client, upTo: 200), so it is asked to \
      register a client
      """
    case .clientWithheld(let client):
      "the API has moved to another server, and the client \(client, upTo: 200) is not disclosed to it"
    case .accountNeedsLogin: "the account needs a new sign-in"
    case .apiMoved: "the API has moved to another server, so the user is asked to sign in there"
    case .noSessionPage: "the provider has no page that ends its session"
    case .lifetimeUnread:
      "the provider's expires_in is no number of seconds, so it is not known when the token expires"
    case .refreshTokenMissing:
      "no refresh token came, although offline_access was requested: some providers need the parameter prompt=consent for it"
    case .refreshTokenStays:
      "the provider does not revoke tokens, so the refresh token that is forgotten here stays valid there"
    case .accountInUse: "waiting for another program that is using the account"
    case .resource(let step): step.message
    case .scope(let scope, let source): source.message(about: scope)
    case .implicitGrant:
      "the implicit grant returns the token in a URL: use the code grant if the provider has it"
    case .passwordGrant:
      "the password grant shows the user's password to this program: use another grant if the provider has one"
    case .navigation(let uri, let decision): "\(decision): \(Redaction.address(uri))"
    case .begun: nil
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

extension ResourceSession.Step {
  fileprivate var message: Message {
    switch self {
    case .asked(let method, let status): "without a token, \(method.rawValue) returns HTTP \(status)"
    case .challenge(nil, let scope): Self.with(scope, "the answer does not say where the API is described")
    case .challenge(let metadata?, let scope): Self.with(scope, "the answer names \(metadata, upTo: 200)")
    case .noDocument(let address): "there is no description of the API at \(address)"
    case .document(let address, let resource): "\(address) describes \(resource, upTo: 200)"
    case .unusable(let issuer, let failure): "\(issuer) cannot be used: \(failure.message)"
    case .server(let issuer, let address): "\(issuer) issues its tokens, as \(address) says"
    }
  }

  private static func with(_ scope: String?, _ message: Message) -> Message {
    scope.map { "\(message); it names the scope \($0, upTo: 300)" } ?? message
  }
}

extension FoundResource.ScopeSource {
  fileprivate func message(about scope: String?) -> Message {
    guard let scope, let reason else { return "no scope given, so none is requested" }
    return "requesting the scope \(scope, upTo: 300): \(reason)"
  }

  private var reason: Message? {
    switch self {
    case .caller: "requested by the caller"
    case .challenge: "required by the API"
    case .metadata: "the API lists no others"
    case .none: nil
    }
  }
}
