import LoginCore
import SoupNetwork

/// The refusal of a request.
struct OAuthError: Error, Equatable {
  /// The registered codes that this provider uses.
  enum Code: String {
    // RFC 6749 sections 4.1.2.1 and 5.2
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidScope = "invalid_scope"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedResponseType = "unsupported_response_type"
    case accessDenied = "access_denied"
    case serverError = "server_error"
    // OpenID Connect Core section 3.1.2.6
    case loginRequired = "login_required"
    case requestNotSupported = "request_not_supported"
    case requestURINotSupported = "request_uri_not_supported"
    // RFC 6750 section 3.1, where a request without a token gets no code
    case invalidToken = "invalid_token"
    case insufficientScope = "insufficient_scope"
    case noToken = ""
    // RFC 9470 section 3
    case insufficientAuthentication = "insufficient_user_authentication"
    // RFC 9449 section 5
    case invalidProof = "invalid_dpop_proof"
    // RFC 8628 section 3.5
    case authorizationPending = "authorization_pending"
    case slowDown = "slow_down"
    case expiredToken = "expired_token"
  }

  let code: Code
  let description: String
  /// What an API demands, as parameters of its challenge.
  private var demands: [Parameter] = []

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Returns the error with one more parameter of the challenge.
  func demanding(_ name: String, _ value: String) -> OAuthError {
    var error = self
    error.demands.append(Parameter(name, value))
    return error
  }

  static let denied = OAuthError(.accessDenied, "The user denied access.")

  /// Throws if a parameter is repeated (RFC 6749 section 3.1).
  static func refuseRepeated(in parameters: ParameterList) throws(OAuthError) {
    guard let name = parameters.repeatedName else { return }
    throw OAuthError(.invalidRequest, "\(name.forDisplay(limit: 40)) is repeated.")
  }

  var status: Int {
    switch code {
    case .invalidClient, .invalidToken, .noToken, .insufficientAuthentication: 401
    case .insufficientScope: 403
    case .serverError: 500
    default: 400
    }
  }

  /// The answer for programs.
  var response: HTTPServerResponse {
    let json = HTTPServerResponse.json(
      ["error": .string(code.rawValue), "error_description": .string(description)], status: status)
    switch code {
    case .invalidClient: return json.adding("WWW-Authenticate", "Basic realm=\"demo\"")
    case .noToken:
      return HTTPServerResponse(status: status).adding("WWW-Authenticate", "Bearer realm=\"demo\"" + demanded)
    case .invalidToken, .insufficientScope, .insufficientAuthentication:
      let error = "error=\"\(code.rawValue)\"" + demanded
      return json.adding("WWW-Authenticate", "Bearer realm=\"demo\", \(error)")
        .adding("WWW-Authenticate", "DPoP \(error), algs=\"ES256\"")
    default: return json
    }
  }

  private var demanded: String { demands.map { ", \($0.name)=\"\($0.value)\"" }.joined() }
}
