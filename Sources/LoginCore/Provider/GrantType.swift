/// How a login comes to its token (RFC 6749 sections 1.3 and 4, RFC 8628).
public enum GrantType: String, Sendable, CaseIterable {
  /// A code that the user agent brings back.
  case code
  /// A token that the user agent brings back.
  case implicit
  /// A code that the user types in on another device.
  case device
  /// Nothing but what the client proves itself with.
  case clientCredentials = "client-credentials"
  /// The user's own name and password.
  case password

  /// Whether the user agent is sent to the authorization endpoint.
  package var usesAuthorizationEndpoint: Bool { self == .code || self == .implicit }

  /// Whether somebody is asked to sign in.
  package var asksUser: Bool { usesAuthorizationEndpoint || self == .device }
}
