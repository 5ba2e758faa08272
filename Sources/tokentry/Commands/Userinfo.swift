import GnuTLSCrypto
import LoginCore

extension CommandRun {
  /// `tokentry userinfo`: what the provider says of the user of a token.
  func userinfo(_ settings: Settings) async throws(Failure) -> String {
    guard let token = settings.token else {
      throw .caller(
        .invalidConfiguration(
          "there is no token to ask with", hint: "--token-file takes what `tokentry login` printed"))
    }
    let clientID = settings[.clientID] ?? ""
    let provider = try Provider(settings, clientID: clientID, for: .userinfo, catalog: catalog)
    let session = UserinfoSession(
      transport: try await transport(settings), cryptography: GnuTLSCryptography(), clock: SystemClock())
    let answer = try await session.userinfo(with: token, at: provider, clientID: clientID)
    return answer.json.text + "\n"
  }
}
