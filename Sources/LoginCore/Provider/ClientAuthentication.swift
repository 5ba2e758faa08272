/// How a client proves itself at the token endpoint: one way for each request (RFC 6749 section 2.3).
public enum ClientAuthentication: String, Sendable, CaseIterable {
  /// With HTTP Basic (RFC 6749 section 2.3.1).
  case basic
  /// With the secret in the body.
  case post
  /// Not at all: a public client names itself.
  case none
}
