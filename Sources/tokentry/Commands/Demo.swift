import DemoProvider
import GnuTLSCrypto
import LoginCore
import UserAgents

extension CommandRun {
  /// `tokentry demo`, and a headless test of nothing in particular: a complete login against the embedded
  /// provider, with discovery, PKCE, consent and an id_token. It listens on this machine while it lasts.
  func demo(_ settings: Settings) async throws(Failure) -> String {
    let clock = SystemClock()
    let cryptography = GnuTLSCryptography()
    let format = OutputFormat(settings)
    let provider = try DemoProvider(
      signer: try GnuTLSSigningKey(generating: .es256), cryptography: cryptography, clock: clock)
    messages.info("the demo provider listens on \(provider.issuer)")
    let request = try Self.demoRequest(settings, issuer: provider.issuer)
    try format.checkResponseType(request.responseType)
    let session = LoginSession(
      agent: try await demoAgent(settings), transport: try await transport(settings),
      cryptography: cryptography, clock: clock)
    let token = try await session.token(for: request)
    await provider.close()
    return try format.text(of: token, at: clock.now(), user: DemoProvider.userName)
  }

  private static func demoRequest(_ settings: Settings, issuer: String) throws(Failure) -> LoginRequest {
    var request: LoginRequest
    do throws(AddressFault) {
      var provider = Provider()
      provider.name = "Demo"
      provider.issuer = try Issuer(issuer)
      provider.scope = "openid profile"
      request = LoginRequest(
        provider: provider, clientID: DemoClient.identifier,
        redirectURI: try RedirectURI(DemoClient.fixedRedirect))
      request.parameters = [Parameter("login_hint", DemoProvider.userName)]
    } catch {
      throw .defect("the demo provider's address is \(error)")
    }
    try request.applyResponse(settings)
    return request
  }

  /// The window where there can be one, and else nobody is asked; whoever has not chosen that is told.
  private func demoAgent(_ settings: Settings) async throws(Failure) -> any UserAgent {
    let formFiller = HeadlessAgent(
      loader: TransportPageLoader(try await transport(settings, keepsCookies: true)),
      values: [
        Parameter("username", DemoProvider.userName), Parameter("password", DemoProvider.password),
        Parameter("decision", "allow"),
      ], observe: observer)
    if settings.has(.headlessTest) { return formFiller }
    let window = try await userAgent(settings, for: nil)
    if hasDisplay {
      messages.notice(
        "sign in as \(DemoProvider.userName), with the password \(DemoProvider.password), in the window that opens"
      )
    }
    if let agent = settings[.agent], agent != "auto" { return window }
    return WindowOrNobody(window: window, formFiller: formFiller) { [messages] failure in
      messages.notice("\(failure.message), so a headless agent signs in as \(DemoProvider.userName)")
    }
  }
}

/// Takes the user to a page in a window; where none can be shown, forms are filled in without anybody.
private struct WindowOrNobody: UserAgent {
  let window: any UserAgent
  let formFiller: HeadlessAgent
  let tell: @Sendable (Failure) -> Void

  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    do throws(Failure) {
      return try await window.visit(visit)
    } catch {
      guard case .display = error else { throw error }
      tell(error)
      return try await formFiller.visit(visit)
    }
  }

  func dismiss() async { await window.dismiss() }
}
