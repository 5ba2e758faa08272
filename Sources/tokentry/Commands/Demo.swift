import DemoProvider
import GnuTLSCrypto
import LoginCore
import UserAgents

extension CommandRun {
  /// `tokentry demo`, and a headless test of nothing in particular: a complete login against the embedded
  /// provider, with discovery, PKCE, forms, consent and an id_token. It listens on this machine while it lasts.
  func demo(_ settings: Settings) async throws(Failure) -> String {
    let clock = SystemClock()
    let cryptography = GnuTLSCryptography()
    let provider = try DemoProvider(
      signer: try GnuTLSSigningKey(generating: .es256), cryptography: cryptography, clock: clock)
    messages.info("the demo provider listens on \(provider.issuer)")
    let agent = HeadlessAgent(
      loader: TransportPageLoader(try await transport(settings, keepsCookies: true)),
      values: [
        Parameter("username", DemoProvider.userName), Parameter("password", DemoProvider.password),
        Parameter("decision", "allow"),
      ], observe: observer)
    let session = LoginSession(
      agent: agent, transport: try await transport(settings), cryptography: cryptography, clock: clock)
    let token = try await session.token(for: try Self.demoRequest(issuer: provider.issuer))
    await provider.close()
    return try OutputFormat(settings).text(of: token, at: clock.now(), user: DemoProvider.userName)
  }

  private static func demoRequest(issuer: String) throws(Failure) -> LoginRequest {
    do throws(AddressFault) {
      var provider = Provider()
      provider.name = "Demo"
      provider.issuer = try Issuer(issuer)
      provider.scope = "openid profile"
      return LoginRequest(
        provider: provider, clientID: DemoClient.identifier,
        redirectURI: try RedirectURI(DemoClient.fixedRedirect))
    } catch {
      throw .defect("the demo provider's address is \(error)")
    }
  }
}
