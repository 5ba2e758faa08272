import GnuTLSCrypto
import LoginCore

extension CommandRun {
  /// `tokentry login`: asks the user to sign in and prints a token.
  func login(_ settings: Settings) async throws(Failure) -> String {
    let request = try LoginRequest(settings, catalog: catalog)
    let format = OutputFormat(settings)
    try format.checkUser(settings[.loginHint])
    try LoginSession.check(request)
    if request.responseType == .token, request.provider.responseType != .token {
      // RFC 9700 section 2.1.2; a preset that says so knows nothing better.
      messages.warning("the implicit grant returns the token in a URL: choose a code where there is one")
    }
    let agent = try userAgent(settings, for: request.provider)
    let clock = SystemClock()
    let session = LoginSession(agent: agent, cryptography: GnuTLSCryptography(), clock: clock)
    let token = try await session.token(for: request)
    return try format.text(of: token, at: clock.now(), user: settings[.loginHint])
  }
}
