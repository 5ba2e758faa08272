/// A provider's own request that ends a session: none of the standards', so a preset says how it is made.
public struct LogoutRequest: Sendable {
  /// The request, with the token in the header field.
  public let httpRequest: HTTPRequest

  /// Nothing for a provider without one.
  public init?(_ token: Token, for login: LoginRequest) throws(Failure) {
    guard let form = login.provider.logoutRequest, let endpoint = login.provider.endpoints[.endSession] else {
      return nil
    }
    httpRequest = try form.request(
      to: endpoint, with: token, clientID: login.clientID, headers: login.provider.headers)
  }

  /// Accepts success, and that the token was worthless already: then there is nothing left to end.
  public static func check(_ response: HTTPResponse) throws(Failure) {
    if [200, 204].contains(response.status), response.body.isEmpty { return }
    if response.status == 503 {
      throw .provider(ProviderError(code: "temporarily_unavailable", remark: .sessionNotEnded))
    }
    do throws(Failure) {
      _ = try EndpointAnswer.members(of: response, from: .endSession)
    } catch .provider(let error) where error.code.isIdentical(to: "invalid_token") {
    }
  }
}
