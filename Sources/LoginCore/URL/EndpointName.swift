/// The endpoints of an authorization server under their names in RFC 8414 section 2, OpenID Connect Discovery
/// and the documents that extend them.
public enum EndpointName: String, Sendable, CaseIterable {
  /// Where the user signs in.
  case authorization = "authorization_endpoint"
  /// Where codes become tokens.
  case token = "token_endpoint"
  /// Where the provider says who signed in.
  case userinfo = "userinfo_endpoint"
  /// Where tokens are made worthless.
  case revocation = "revocation_endpoint"
  /// Where tokens are looked up.
  case introspection = "introspection_endpoint"
  /// Where clients are made.
  case registration = "registration_endpoint"
  /// Where sessions are ended.
  case endSession = "end_session_endpoint"
  /// Where codes for another device are issued.
  case deviceAuthorization = "device_authorization_endpoint"
  /// Where requests are pushed to.
  case pushedAuthorizationRequest = "pushed_authorization_request_endpoint"
  /// Where the keys are published.
  case keySet = "jwks_uri"
}
