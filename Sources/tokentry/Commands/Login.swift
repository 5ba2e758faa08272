import GnuTLSCrypto
import LoginCore

extension CommandRun {
  /// `tokentry login`: asks the user to sign in and prints a token; with a refresh token nobody is asked.
  func login(_ settings: Settings) async throws(Failure) -> String {
    let request = try LoginRequest(settings, catalog: catalog)
    let format = OutputFormat(settings)
    try format.checkUser(settings[.loginHint])
    try LoginSession.check(request)
    if request.responseType == .token, request.provider.responseType != .token {
      // RFC 9700 section 2.1.2; a preset that says so knows nothing better.
      messages.warning("the implicit grant returns the token in a URL: choose a code where there is one")
    }
    let token = try await token(for: request, settings)
    return try format.text(of: token, at: SystemClock().now(), user: settings[.loginHint])
  }

  private func token(for request: LoginRequest, _ settings: Settings) async throws(Failure) -> Token {
    let transport = try await transport(settings)
    if let old = settings.refreshToken {
      return try await RefreshSession(transport: transport, clock: SystemClock()).token(for: old, of: request)
    }
    let route = try await route(settings, WayChoice.Question(settings, for: request))
    let session = LoginSession(
      agent: route.agent, transport: transport, cryptography: GnuTLSCryptography(), clock: SystemClock())
    var request = request
    request.redirectURI = route.redirectURI
    return try await session.token(for: request)
  }
}
