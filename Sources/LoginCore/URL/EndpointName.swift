/// The endpoints of an authorization server under their names in RFC 8414 section 2, OpenID Connect Discovery
/// and the documents that extend them.
public enum EndpointName: String, Sendable, CaseIterable {
  case authorization = "authorization_endpoint"
  case token = "token_endpoint"
  case userinfo = "userinfo_endpoint"
  case revocation = "revocation_endpoint"
  case introspection = "introspection_endpoint"
  case registration = "registration_endpoint"
  case endSession = "end_session_endpoint"
  case deviceAuthorization = "device_authorization_endpoint"
  case pushedAuthorizationRequest = "pushed_authorization_request_endpoint"
  case keySet = "jwks_uri"
}
