import GnuTLSCrypto
import LoginCore
import SignIn
import Testing

/// Tests of whole programs cover the listener itself, which needs a message bus.
@Suite("LoginBusName")
struct LoginBusNameTests {
  private let cryptography = GnuTLSCryptography()

  @Test("The name follows from the state or from an answer with it, and does not contain the state")
  func name() throws {
    let name = try LoginBusName(of: OAuthState("a b+c"), cryptography: cryptography)
    for callback in ["app:/done?code=C&state=a%20b%2Bc", "app:/done?state=a%20b%2Bc#?state=S&state=S"] {
      #expect(try LoginBusName(ofCallback: callback, cryptography: cryptography) == name)
    }
    #expect(
      name.text
        == "org.tokentry.Tokentry.Login.h135C10DBC1CE50D64010D2D34BCCCD2A13065F0C9E686071CA3D8DDEA085B89E")
  }

  @Test(
    "An address without exactly one state belongs to no login",
    arguments: [
      "", "app:/done", "app:/done?code=C", "app:/done?state=", "app:/done#state=S", "app:/done#?state=S",
      "app:/?state=S&state=S",
    ])
  func noName(uri: String) throws {
    #expect(try LoginBusName(ofCallback: uri, cryptography: cryptography) == nil)
  }
}
