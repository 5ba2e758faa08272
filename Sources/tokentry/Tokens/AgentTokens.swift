import SignIn
import GLibSupport
import LoginCore

/// Tokens of the accounts that an agent keeps, at the other end of a socket. Refresh tokens and keys stay there, and no
/// file is written here.
final class AgentTokens: TokenSource {
  private let terms: TokenTerms
  private let link: AgentLink
  /// The time for an answer that needs neither a server nor a user.
  private static let briefTime = Duration.seconds(1)

  nonisolated init(_ terms: TokenTerms, _ link: AgentLink) { (self.terms, self.link) = (terms, link) }

  func token(_ wish: TokenWish) async throws(Failure) -> GrantedToken {
    try await token(request(for: wish), for: wish)
  }

  private func token(_ request: AgentRequest.Token, for wish: TokenWish) async throws(Failure) -> GrantedToken
  {
    do throws(Failure) {
      return try granted(try await link.answer(to: "token", request.json))
    } catch {
      // The agent's answer has the code of a failure, but not its kind.
      switch (error.code, wish.account?.description, wish.address?.shown) {
      case (.unknownAccount, let account?, _): throw .unknownAccount(account)
      case (.unknownAccount, nil, let address): throw .noAccount(for: address ?? "")
      case (.originNotAllowed, let account?, let address?):
        throw .otherDestination(than: address, of: account)
      default: throw error
      }
    }
  }

  private func request(for wish: TokenWish) -> AgentRequest.Token {
    var request = AgentRequest.Token()
    request.account = wish.account
    // The agent gives a token for this address only if the account is meant for it.
    request.url = wish.isAllowed ? nil : wish.address?.url
    (request.user, request.helper) = (wish.user, wish.helper?.name)
    request.minimumValidity = terms.demand.validity
    (request.isSilent, request.needsIdentity) = (terms.signIn.isSilent, wish.needsIdentity)
    return request
  }

  /// The agent may have to ask its user. The request then goes on until this program ends, so that its window stays open.
  func tokenAtOnce(_ wish: TokenWish, old: Bool) async throws(Failure) -> GrantedToken? {
    var changed = request(for: wish)
    changed.isSilent = true
    if old { changed.minimumValidity = 0 }
    let request = changed
    let first = FirstResult<GrantedToken?, Failure>()
    GLibActor.task { [self] in
      do throws(Failure) {
        first.finish(.success(try await token(request, for: wish)))
      } catch {
        first.finish(error.code == .loginRequired ? .success(nil) : .failure(error))
      }
    }
    let timer = Source.after(Self.briefTime) { first.finish(.success(nil)) }
    defer { withExtendedLifetime(timer) {} }
    return try await first.result().get()
  }

  func login(_ login: LoginWish, for wish: TokenWish?) async throws(Failure) -> GrantedToken {
    if let obstacle = login.obstacle { throw obstacle }
    let name = login.description.account
    if wish == nil, login.isIfNeeded {
      do throws(Failure) {
        var wish = TokenWish(name)
        wish.needsIdentity = login.needsIdentity
        var request = request(for: wish)
        request.isSilent = true
        return try await token(request, for: wish)
      } catch {
        guard [.unknownAccount, .loginRequired].contains(error.code) else { throw error }
      }
    }
    if terms.signIn.isSilent { throw .signInForbidden(account: name.description) }
    let granted = try granted(try await link.answer(to: "login", login.description.json))
    if wish?.helper != nil { try granted.token.checkUnbound() }
    return granted
  }

  /// Makes the agent renew the token now, because only a request for a token can name the one that was refused. Git reports
  /// other helpers' passwords as well, and those that were typed in. The agent must not see them, so git's is sent only if
  /// it is the token that the agent gives.
  func reject(_ token: AccessToken, for wish: TokenWish, isByAPI: Bool) async throws(Failure) {
    var request = request(for: wish)
    request.isSilent = true
    do throws(Failure) {
      if !isByAPI {
        var kept = request
        kept.minimumValidity = 0
        guard try await self.token(kept, for: wish).token.accessToken == token else { return }
      }
      request.rejected = token
      _ = try await link.answer(to: "token", request.json)
    } catch {
      if error.code == .storeUnavailable { throw error }
    }
  }

  func noteAcceptance(of account: AccountName) {}

  // A login with other demands is for the person at home to begin.
  func mayBring(_ stepUp: StepUp, by account: AccountName) -> Bool { false }

  func token(
    insteadOf refused: GrantedToken, by remedy: Remedy, for wish: TokenWish
  ) async throws(Failure) -> GrantedToken? {
    guard remedy == .refresh else { return nil }
    var request = request(for: wish.naming(refused.account))
    request.rejected = refused.token.accessToken
    return try await token(request, for: wish)
  }

  func signed(
    _ request: ResourceRequest, with granted: GrantedToken, _ signer: ResourceSigner
  ) async throws(Failure) -> ResourceRequest {
    guard granted.token.isBound else { return try signer.signed(request, with: granted.token) }
    var proof = AgentRequest.Proof(account: granted.account)
    (proof.method, proof.url) = (request.method, request.endpoint.description)
    proof.nonce = signer.nonce(for: request)
    let answer = try await link.answer(to: "proof", proof.json)
    guard let token = answer["access_token"]?.string.map({ AccessToken($0) }),
      let proof = answer["dpop"]?.string, proof.utf8.allSatisfy(\.isVisible)
    else { throw .malformedAgentAnswer }
    return request.adding(try AuthorizationHeader(token, scheme: "DPoP").field)
      .adding(Parameter("DPoP", proof))
  }

  func accounts() async throws(Failure) -> [JSONObject] {
    try await link.answer(to: "accounts", [:])["accounts"]?.array?.compactMap(\.object) ?? []
  }

  func userinfo(of account: AccountName, forAtLeast seconds: Int64) async throws(Failure) -> JSONObject {
    try await link.answer(to: "userinfo", ["account": .string(account.description)])
  }

  private func granted(_ answer: JSONObject) throws(Failure) -> GrantedToken {
    var token = answer
    (token["account"], token["user"]) = (nil, nil)
    Messages.hide(secretsIn: Array(token.text.utf8))
    guard let name = answer["account"]?.string.flatMap({ AccountName($0) }), let token = Token(json: token)
    else {
      throw .malformedAgentAnswer
    }
    return GrantedToken(account: name, token: token, user: answer["user"]?.string, canRefresh: false)
  }
}

extension TokenWish {
  /// True if the caller allows the address itself.
  fileprivate var isAllowed: Bool {
    guard account != nil, let allowed, let origin = address?.destinations.first?.origin else { return false }
    return allowed.contains { $0.description.isIdentical(to: origin) }
  }
}

extension Failure {
  fileprivate static let malformedAgentAnswer = Failure(
    .storeUnavailable, "the agent's answer cannot be read")
}
