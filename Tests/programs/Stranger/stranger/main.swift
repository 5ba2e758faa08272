import LoginCore

precondition(SHA256.digest(of: Array("abc".utf8)) == SHA256.example)

let server = FakeProvider()
let agent = RedirectFollower(transport: server)
let dependencies = Dependencies(transport: server, cryptography: PlainCryptography(), clock: SystemClock())

var provider = Provider()
provider.issuer = try Issuer("https://as.example")
let redirectURI = try RedirectURI("https://app.example/done")
let login = LoginRequest(provider: provider, clientID: "stranger", redirectURI: redirectURI)
do throws(Failure) {
  let token = try await LoginSession(agent: agent, dependencies).token(for: login)
  print("signed in until \(token.expiresAt?.description ?? "further notice")")
} catch {
  print("no token (\(error.code)): \(error)")
}
