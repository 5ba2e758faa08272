import LoginCore
import SignIn

/// `tokentry userinfo`: prints what the provider says about the user of a token or of a saved account. If it has only an
/// endpoint for introspection, prints what that says about the token.
final class UserinfoCommand: Action {
  private let shared: Composition
  private let tokens: any TokenSource
  private let subject: Subject
  private let minimumValidity: Int64

  private enum Subject {
    /// A kept account. The endpoints replace those of its provider.
    case account(AccountName, endpoints: [EndpointName: Endpoint])
    case token(Token, of: LoginRequest)
  }

  /// True if the caller names the endpoint for introspection alone, and so asks about the token.
  private let introspects: Bool

  static let options =
    ProviderWishes.options(but: "redirect-uri")
    + RequestWishes.options("header", "options", "client_authentication", "token-file", "resource")
    + AccountWishes.options("account") + PlaceWishes.options("store") + PlaceWishes.ofServers
    + AskingWishes.options("silent", "timeout")

  init(_ wishes: Wishes, _ shared: Composition) throws(Failure) {
    (self.shared, tokens) = (shared, shared.tokens(try TokenTerms(wishes, shared)))
    minimumValidity = TokenDemand(wishes).validity
    introspects = wishes.provider.names(.introspection) && !wishes.provider.names(.userinfo)
    if let name = try wishes.accountName(shared.cryptography) {
      let others = ProviderWishes.options(but: "endpoint") + RequestWishes.options("token-file")
      if wishes.request.token != nil || wishes.first(of: others) != nil {
        throw Failure(.invalidConfiguration, "--account already says which provider and which token")
      }
      subject = .account(name, endpoints: wishes.provider.addresses)
      return
    }
    guard let token = wishes.request.token else {
      throw Failure(
        .invalidConfiguration, "there is no token for this request",
        hint: "use --account NAME, or --token-file with the output of `tokentry login`")
    }
    let needed: EndpointName = introspects ? .introspection : .userinfo
    subject = .token(token, of: try LoginRequest(wishes, needing: needed, catalog: shared.catalog))
  }

  func text() async throws(Failure) -> String {
    switch subject {
    case .token(let token, let login):
      return try await shared.dependencies.answer(about: token, of: login, introspecting: introspects).text
        + "\n"
    case .account(let name, let endpoints) where endpoints.isEmpty:
      return try await tokens.userinfo(of: name, forAtLeast: minimumValidity).text + "\n"
    case .account(let name, let endpoints):
      return try await shared.host.userinfo(
        of: name, forAtLeast: minimumValidity, at: endpoints, introspecting: introspects
      ).text + "\n"
    }
  }
}
