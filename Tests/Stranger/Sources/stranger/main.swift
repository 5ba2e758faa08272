import LoginCore

precondition(SHA256.digest(of: Array("abc".utf8)) == SHA256.example)

let server = FakeProvider()
let agent = RedirectFollower(transport: server)
let means = Means(transport: server, cryptography: PlainCryptography(), clock: SystemClock())

// sample begin
var provider = Provider()
provider.issuer = try Issuer("https://as.example")
var login = LoginRequest(
  provider: provider, clientID: "stranger", redirectURI: try RedirectURI("https://app.example/done"))
login.scope = "profile"

do throws(Failure) {
  let token = try await LoginSession(agent: agent, means).token(for: login)
  let user = token.members["user_id"]?.string ?? "somebody"
  print("signed in as \(user) until \(token.expiresAt?.description ?? "further notice")")
} catch {
  switch error {
  case .user: print("nobody signed in")
  case .provider(let refusal): print("the provider refused: \(refusal.code)")
  case .network(let fault) where fault == .offline: print("there is no network")
  default: print("no token: \(error)")
  }
}
// sample end

let token = try await exchangeByHand(login, agent, means)
print("by hand as \(token.members["user_id"]?.string ?? "somebody")")
