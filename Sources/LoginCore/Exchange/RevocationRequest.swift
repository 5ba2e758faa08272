/// A request to make a token worthless (RFC 7009 section 2.1).
public struct RevocationRequest: Sendable {
  /// A token that can be revoked.
  public enum Revoked: Sendable {
    /// Ends what it was good for; the provider may end its access tokens as well.
    case refresh(RefreshToken)
    /// Ends this one alone.
    case access(AccessToken)

    /// What it is called (RFC 7009 section 2.1).
    var kind: String {
      switch self {
      case .refresh: "refresh_token"
      case .access: "access_token"
      }
    }
  }

  /// The request, with the client's proof of itself.
  public let httpRequest: HTTPRequest

  /// Refuses a provider without a revocation endpoint.
  public init(_ token: Revoked, for login: LoginRequest) throws(Failure) {
    let endpoint = try login.provider.endpoint(.revocation)
    let text =
      switch token {
      case .refresh(let token): token.revealed()
      case .access(let token): token.revealed()
      }
    let named =
      login.provider.revocationMembers == nil
      ? [Parameter("token", text), Parameter("token_type_hint", token.kind)] : [Parameter(token.kind, text)]
    httpRequest = HTTPRequest(post: named, to: endpoint, provingClientOf: login)
  }

  /// Whether the token is worthless now, one that was unknown already included (RFC 7009 section 2.2, and Google's
  /// `invalid_token`); not where the provider revokes no tokens of its kind (section 2.2.1). Any other answer is a
  /// failure, after which the token is good.
  public static func isDone(_ response: HTTPResponse) throws(Failure) -> Bool {
    if response.status == 200 || response.status == 204 { return true }
    if response.status == 503 {
      throw .provider(ProviderError(code: "temporarily_unavailable", remark: .tokenNotRevoked))
    }
    do throws(Failure) {
      _ = try EndpointAnswer.members(of: response, from: .revocation)
      return true
    } catch .provider(let error) where error.code.isIdentical(to: "invalid_token") {
      return true
    } catch .provider(let error) where error.code.isIdentical(to: "unsupported_token_type") {
      return false
    }
  }
}
