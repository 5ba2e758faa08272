/// Nextcloud's Login Flow v2, which gives a program a password of its own without any registration.
///
/// The user signs in on a page of the server, and meanwhile the server is asked again and again, as in the device grant
/// (RFC 8628). But the page needs no code, and neither request names a client.
/// https://docs.nextcloud.com/server/latest/developer_manual/client_apis/LoginFlow/
package enum LoginFlow {
  /// The address at which version 1 of the flow ends. Version 2 never goes there.
  package static let redirectURI = "nc://login"
  /// The server does not say how long it waits: 20 minutes.
  fileprivate static let lifetime: Int64 = 1_200
  fileprivate static let interval: Int64 = 2

  /// Asks whether the user has signed in. The address is the preset's and not the one in the server's answer, so that the
  /// token cannot be sent elsewhere.
  static func question(_ token: DeviceCode, for login: LoginRequest) throws(Failure) -> HTTPRequest {
    HTTPRequest(
      post: [Parameter("token", token.revealed())], to: try login.provider.endpoint(.token),
      headers: login.provider.headers)
  }

  /// Reads the answer to the question. It is 404 until the user has signed in.
  static func answer(_ response: HTTPResponse) throws(Failure) -> TokenResponse {
    if response.status == 404 { throw .refusal(code: "authorization_pending") }
    let members = try EndpointAnswer.members(of: response, from: .token)
    // Nextcloud takes an app password as a bearer token, too.
    return TokenResponse(members: [
      "access_token": members["appPassword"], "token_type": "Bearer", "user_id": members["loginName"],
      "server": members["server"],
    ])
  }
}

extension Provider {
  /// True if ``LoginFlow`` takes the place of the device grant.
  package var usesLoginFlow: Bool { deviceGrant?.isLoginFlow == true }
}

extension DeviceAuthorization {
  /// Reads the answer of ``LoginFlow``. The page has to be one of the server that was asked.
  init(loginFlow response: HTTPResponse, at endpoint: Endpoint) throws(Failure) {
    let members = try EndpointAnswer.members(of: response, from: .deviceAuthorization)
    deviceCode = DeviceCode(try Self.text("poll.token", members["poll"]?.object?["token"]) { !$0.isEmpty })
    verificationURI = try Self.text("login", members["login"]) {
      Self.origin(ofShowable: $0)?.isIdentical(to: endpoint.origin) == true
    }
    (userCode, verificationURIComplete) = (nil, nil)
    (expiresIn, interval) = (LoginFlow.lifetime, LoginFlow.interval)
  }
}
