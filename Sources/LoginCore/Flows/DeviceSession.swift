/// Logs a user in who types a code in on another device, from the request to the token (RFC 8628).
public struct DeviceSession: Sendable {
  private let tell: @Sendable (Notice) -> Void
  private let dependencies: Dependencies

  /// An event of the login, for the program to show to the user.
  package enum Notice: Sendable {
    /// The provider issued a code. It has to be shown to the user with the address where it is typed in.
    case code(DeviceAuthorization)
    /// The provider wants to be asked less often.
    case slower(seconds: Int64)
    /// The provider did not answer, and will be asked again.
    case silence(Failure, seconds: Int64)
  }

  /// Creates a session. `show` receives the code for the user, and the address where it is typed in.
  public init(_ dependencies: Dependencies, show: @escaping @Sendable (DeviceAuthorization) -> Void) {
    self.init(dependencies, tell: { if case .code(let authorization) = $0 { show(authorization) } })
  }

  /// Creates a session. `tell` receives its events.
  package init(_ dependencies: Dependencies, tell: @escaping @Sendable (Notice) -> Void) {
    self.dependencies = dependencies
    self.tell = tell
  }

  /// Has a code shown to the user and returns the token.
  public func token(for wanted: LoginRequest) async throws(Failure) -> Token {
    try wanted.validate(for: .device)
    let needed: [EndpointName] = [.deviceAuthorization, .token] + (wanted.isForOpenID ? [.keySet] : [])
    let login = try await wanted.completed(needing: needed, through: dependencies.transport).withProofKey(
      dependencies.cryptography)
    try login.validate(for: .device, afterDiscovery: true)
    let server = dependencies.clientTransport(for: login)
    let request = try DeviceAuthorizationRequest(login)
    let response = try await server.send(request.httpRequest)
    let authorization =
      try login.provider.usesLoginFlow
      ? DeviceAuthorization(loginFlow: response, at: request.httpRequest.endpoint)
      : DeviceAuthorization(response)
    tell(.code(authorization))
    let answer = try await answer(to: authorization, login, server)
    try answer.checkDetails(of: login)
    let token = try dependencies.token(answer, to: login)
    return try await token.identified(
      for: login, by: IDTokenCheck(of: login, dependencies), clock: dependencies.clock)
  }

  /// Asks again and again until the user has decided or the code has expired (section 3.5).
  private func answer(
    to authorization: DeviceAuthorization, _ login: LoginRequest, _ server: any HTTPTransport
  ) async throws(Failure) -> TokenResponse {
    let isLoginFlow = login.provider.usesLoginFlow
    let request =
      try isLoginFlow
      ? LoginFlow.question(authorization.deviceCode, for: login)
      : TokenRequest(.device(authorization.deviceCode), for: login).httpRequest
    var polling = DevicePolling(authorization)
    var step = polling.first()
    while true {
      switch step {
      case .end(let failure): throw failure
      case .wait(let seconds): try await dependencies.clock.wait(seconds: seconds)
      }
      let askedAt = dependencies.clock.now()
      var delay: Int64?
      do throws(Failure) {
        let response = try await server.send(request)
        delay = response.delay(at: dependencies.clock.now())
        return try isLoginFlow ? LoginFlow.answer(response) : TokenResponse(response, to: login)
      } catch {
        step = polling.next(
          after: error, took: dependencies.clock.now().seconds(since: askedAt), delay: delay)
        if case .wait(let seconds) = step { report(error, seconds) }
      }
    }
  }

  private func report(_ failure: Failure, _ seconds: Int64) {
    if failure.code == .provider("slow_down") {
      tell(.slower(seconds: seconds))
    } else if failure.isRetryable {
      tell(.silence(failure, seconds: seconds))
    }
  }
}

/// A request for a code that the user types in on another device (RFC 8628 section 3.1).
package struct DeviceAuthorizationRequest: Sendable {
  /// The request, with which the client authenticates.
  package let httpRequest: HTTPRequest

  /// Creates the request. Throws if the provider's device authorization endpoint is not known.
  package init(_ login: LoginRequest) throws(Failure) {
    let endpoint = try login.provider.endpoint(.deviceAuthorization)
    if login.provider.usesLoginFlow {
      httpRequest = HTTPRequest(post: [], to: endpoint, headers: login.provider.headers)
      return
    }
    let scope = login.scope.map { [Parameter("scope", $0)] } ?? []
    let form = scope + login.provider.authorizationParameters + login.parameters
    // Some servers look for the client here even if a header field names it.
    let named = ClientProof(of: login).form.isEmpty ? [Parameter("client_id", login.clientID)] : []
    httpRequest = HTTPRequest(post: form + named, to: endpoint, provingClientOf: login)
  }
}

/// The answer of the device authorization endpoint: a code for the user, the address where to type it in, and a code
/// for the device (RFC 8628 section 3.2).
public struct DeviceAuthorization: Sendable {
  /// The code that the user types in, or nil if the page needs no code, as with Nextcloud.
  public let userCode: String?
  /// The address where the user types the code in.
  public let verificationURI: String
  /// The address with the code in it, for a QR code. Show the code as well, so that the user can compare the two.
  public let verificationURIComplete: String?
  /// The lifetime of the codes in seconds.
  public let expiresIn: Int64
  /// The shortest pause between two token requests, in seconds.
  package let interval: Int64
  /// The code that the device exchanges for its token.
  package let deviceCode: DeviceCode

  /// RFC 8628 section 3.5.
  static let defaultInterval: Int64 = 5

  /// One day is longer than any user waits.
  private static let longestLifetime: Int64 = 86_400

  /// Reads the answer. Throws for an error, and for an answer with which the user could not sign in.
  package init(_ response: HTTPResponse) throws(Failure) {
    let members = try EndpointAnswer.members(of: response, from: .deviceAuthorization)
    deviceCode = DeviceCode(try Self.text("device_code", members["device_code"]) { !$0.isEmpty })
    userCode = try Self.text("user_code", members["user_code"], if: Self.isTypable).forDisplay()
    // Google's endpoint is older than the standard and has other names for the addresses.
    let address = members["verification_uri"] ?? members["verification_url"]
    let shown = try Self.text("verification_uri", address) { Self.origin(ofShowable: $0) != nil }
    verificationURI = shown
    // The QR code must lead to the server that the user sees, or there is no QR code.
    verificationURIComplete = (members["verification_uri_complete"] ?? members["verification_url_complete"])?
      .string
      .flatMap { Self.origin(ofShowable: $0) == Self.origin(ofShowable: shown) ? $0 : nil }
    guard let life = members["expires_in"] else { throw .missing("expires_in", from: .deviceAuthorization) }
    guard let lifetime = Token.seconds(life), lifetime > 0 else {
      throw .unusable("expires_in", from: .deviceAuthorization)
    }
    expiresIn = min(lifetime, Self.longestLifetime)
    interval = min(max(1, members["interval"].flatMap(Token.seconds) ?? Self.defaultInterval), expiresIn)
  }

  /// Returns the server of an address that a terminal can show and that a browser opens exactly as shown, or nil for
  /// other addresses. Single-page applications have their path in the fragment, which must not look like a server.
  static func origin(ofShowable address: String) -> String? {
    let (page, fragment) = address.splitOnce(at: "#")
    guard address.utf8.count <= 2_000,
      (fragment ?? "").utf8.allSatisfy({ $0.isUnreserved || "/?&=%+!".utf8.contains($0) })
    else { return nil }
    return (try? WebAddress(page))?.origin
  }

  /// True if the code is printable and short enough to type.
  private static func isTypable(_ code: String) -> Bool {
    !code.forDisplay().isEmpty && code.utf8.count <= 100
      && code.unicodeScalars.allSatisfy { !$0.isControl }
  }

  static func text(
    _ name: String, _ value: JSONValue?, if isUsable: (String) -> Bool
  ) throws(Failure) -> String {
    guard let value else { throw .missing(name, from: .deviceAuthorization) }
    guard let text = value.string, isUsable(text) else { throw .unusable(name, from: .deviceAuthorization) }
    return text
  }
}

/// Decides when the token endpoint is asked again while the user signs in on another device, and when to give up (RFC
/// 8628 section 3.5).
struct DevicePolling: Sendable {
  enum Step: Sendable, Equatable {
    /// Ask again after that many seconds.
    case wait(seconds: Int64)
    case end(Failure)
  }

  /// Seconds between two requests.
  private(set) var interval: Int64
  /// Seconds until the codes expire.
  private let lifetime: Int64
  /// Seconds that have passed so far.
  private var passed: Int64 = 0
  /// Requests in a row without an answer.
  private var silences: Int64 = 0
  /// The seconds for which the server has just asked.
  private var delay: Int64 = 0

  /// RFC 8628 section 3.5: every `slow_down` adds five seconds for all later requests.
  private static let slowDown: Int64 = 5
  /// Seconds within which a network that comes back is noticed.
  private static let longestPause: Int64 = 60

  init(_ authorization: DeviceAuthorization) {
    interval = authorization.interval
    lifetime = authorization.expiresIn
  }

  /// Returns the step before the first request, since the user cannot have signed in yet.
  mutating func first() -> Step { pause(interval) }

  /// Returns the step after a request that brought no token and took that many seconds. `delay` is the pause for which the
  /// server asks.
  mutating func next(after failure: Failure, took seconds: Int64 = 0, delay: Int64? = nil) -> Step {
    passed += max(0, seconds)
    self.delay = delay ?? 0
    switch failure.code {
    case .provider("authorization_pending"):
      silences = 0
      return pause(interval)
    case .provider("slow_down"):
      silences = 0
      interval += Self.slowDown
      return pause(interval)
    // The code alone does not tell a user that the time was too short.
    case .expiredToken where failure.providerDescription == nil: return .end(.codeExpired)
    default: return failure.isRetryable ? pauseAfterSilence() : .end(failure)
    }
  }

  /// Doubles the interval for every request in a row without an answer.
  private mutating func pauseAfterSilence() -> Step {
    silences = min(silences + 1, 6)
    return pause(min(interval << silences, max(interval, Self.longestPause)))
  }

  private mutating func pause(_ seconds: Int64) -> Step {
    guard passed + seconds <= lifetime else { return .end(.codeExpired) }
    // However long the server wants its pause, it is asked once more before the codes expire.
    let seconds = max(seconds, min(delay, lifetime - passed))
    passed += seconds
    return .wait(seconds: seconds)
  }
}
