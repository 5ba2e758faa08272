import LoginCore

/// A way in which the provider misbehaves when it is told to, so that programs can be tested against it.
package enum Fault: String, CaseIterable, Sendable {
  // The sign-in
  case denied
  case loginRequired = "login-required"
  case wrongState = "wrong-state"
  case noState = "no-state"
  case wrongIssuer = "wrong-iss"
  case otherUser = "other-user"
  case scopeReduced = "scope-reduced"
  // The id_token
  case wrongNonce = "wrong-nonce"
  case idTokenExpired = "id-token-expired"
  case idTokenSignature = "id-token-signature"
  case idTokenAudience = "id-token-audience"
  case keysRotated = "jwks-rotated"
  // The token endpoint
  case codeUsed = "code-used"
  case tokenSlow = "token-slow"
  case token500 = "token-500"
  case token429 = "token-429"
  case tokenHTML = "token-html"
  case connectionReset = "connection-reset"
  case bigAnswer = "big-answer"
  case noExpiry = "no-expiry"
  case expiresInText = "expires-in-text"
  case shortLife = "short-life"
  case noRefreshToken = "no-refresh-token"
  // Refreshes and devices
  case refreshRotates = "refresh-rotates"
  case refreshLost = "refresh-lost"
  case refreshSlow = "refresh-slow"
  case refreshDead = "refresh-dead"
  case slowDown = "slow-down"
  case deviceExpired = "device-expired"
  // Metadata and the API
  case metadataSlow = "metadata-slow"
  case metadataMoved = "metadata-moved"
  case api401 = "api-401"
  case apiInsufficientScope = "api-insufficient-scope"
  // Pages
  case pageBlank = "page-blank"
  case pageEndlessRedirect = "page-endless-redirect"
  case pagePopup = "page-popup"
  case pageCSP = "page-csp"

  /// The number that may follow the name.
  package enum Number: String, Sendable {
    /// How often the fault occurs before it ends by itself. Without a number it stays.
    case times = "TIMES"
    case seconds = "SECONDS"
    /// The fault takes no number.
    case none = ""
  }

  package var number: Number {
    switch self {
    case .tokenSlow, .token429, .shortLife, .refreshSlow, .metadataSlow: .seconds
    case .refreshRotates: .none
    default: .times
    }
  }

  /// The number of a fault that is switched on by its name alone.
  var usual: Int64 { number == .seconds ? 5 : .max }

  /// The name and what may follow it, such as `denied[=TIMES]`.
  package var shape: String { number == .none ? rawValue : "\(rawValue)[=\(number.rawValue)]" }

  /// What happens, in one sentence.
  package var effect: String {
    switch self {
    case .denied: "The user says no: access_denied, also on a device."
    case .loginRequired: "The provider refuses to sign the user in: login_required."
    case .wrongState: "The callback has the state of another request."
    case .noState: "The callback has no state."
    case .wrongIssuer: "The callback names another issuer (RFC 9207)."
    case .otherUser: "A refresh, or a second sign-in, brings the tokens of another user, mallory."
    case .scopeReduced: "The user grants only the first of the scopes, in the order of the metadata."
    case .wrongNonce: "The id_token has the nonce of another request."
    case .idTokenExpired: "The id_token expired an hour ago."
    case .idTokenSignature: "The signature of the id_token belongs to other claims."
    case .idTokenAudience: "The id_token is meant for another client."
    case .keysRotated: "The provider replaces its key before it signs an id_token; older key sets lack it."
    case .codeUsed: "The code is refused as used before: invalid_grant."
    case .tokenSlow: "Each answer of the token endpoint arrives late."
    case .token500: "The token endpoint answers with HTTP 500, and does nothing."
    case .token429: "The token endpoint answers with HTTP 429 until the seconds of Retry-After have passed."
    case .tokenHTML: "The token endpoint answers with a page of HTML, as a captive portal does."
    case .connectionReset: "The connection to the token endpoint is reset, before it does anything."
    case .bigAnswer: "The answer of the token endpoint has 8 MiB, most of it spaces."
    case .noExpiry: "The answer lacks expires_in."
    case .expiresInText: "The number in expires_in is a text."
    case .shortLife: "Access tokens and id_tokens are valid for so many seconds."
    case .noRefreshToken: "A sign-in brings no refresh token."
    case .refreshRotates: "Refresh tokens work once; a second use ends all tokens of the sign-in."
    case .refreshLost: "The provider refreshes, but its answer is lost: the connection is reset."
    case .refreshSlow: "The provider refreshes at once, but its answer arrives late."
    case .refreshDead: "Refresh tokens are refused as revoked: invalid_grant."
    case .slowDown: "A device that polls is told to poll less often: slow_down."
    case .deviceExpired: "A device that polls learns that its code has expired: expired_token."
    case .metadataSlow: "The metadata arrives late."
    case .metadataMoved: "The metadata is redirected to another host, localhost."
    case .api401: "The API refuses good tokens: 401 and invalid_token."
    case .apiInsufficientScope: "The API demands the scope admin: 403 and insufficient_scope."
    case .pageBlank: "The login page is empty."
    case .pageEndlessRedirect: "The authorization endpoint redirects to itself."
    case .pagePopup: "The login page sends its form to a second window."
    case .pageCSP: "The login page's own policy forbids its form."
    }
  }
}

/// The faults that are on.
package struct Faults: Sendable, Equatable {
  /// The numbers: seconds, or how often the fault will still occur.
  private var active: [Fault: Int64] = [:]

  package init() {}

  /// Switches a fault on, by its name or with a number: `token-500=2`.
  package mutating func add(_ text: String) throws(Failure) {
    let (name, number) = text.splitOnce(at: "=")
    guard let fault = Fault(rawValue: name) else {
      let nearest = nearestName(to: name, among: Fault.allCases.map(\.rawValue))
      throw Failure(
        .invalidOption, "there is no fault \"\(name, upTo: 60)\"",
        hint: nearest.map(Failure.Hint.didYouMean))
    }
    guard let number else { return active[fault] = fault.usual }
    guard fault.number != .none, number.utf8.allSatisfy(\.isDigit), let value = Int32(number),
      value > 0 || fault == .shortLife
    else {
      throw Failure(.invalidOption, "the fault is written \(fault.shape, upTo: 60), with a whole number")
    }
    active[fault] = Int64(value)
  }

  mutating func remove(_ fault: Fault) { active[fault] = nil }

  func isOn(_ fault: Fault) -> Bool { active[fault] != nil }

  /// The number of a fault that is on.
  subscript(fault: Fault) -> Int64? { active[fault] }

  /// Returns true if the fault is on, and counts down how often it will still occur.
  mutating func occurs(_ fault: Fault) -> Bool {
    guard let number = active[fault] else { return false }
    if fault.number == .times, number != .max { active[fault] = number > 1 ? number - 1 : nil }
    return true
  }
}
