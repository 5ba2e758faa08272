import GnuTLSCrypto
import LoginCore
import Testing
import UserAgents

@Suite("LoginBusName")
struct LoginBusNameTests {
  private let cryptography = GnuTLSCryptography()

  @Test("The state and an answer that repeats it lead to the same name, in which the state is not")
  func same() throws {
    let name = try LoginBusName(of: State("a b+c"), cryptography: cryptography)
    for callback in ["app:/done?code=C&state=a%20b%2Bc", "app:/done?state=a%20b%2Bc#?state=S&state=S"] {
      #expect(try LoginBusName(ofCallback: callback, cryptography: cryptography) == name)
    }
    #expect(
      name.text
        == "org.tokentry.Login.h135C10DBC1CE50D64010D2D34BCCCD2A13065F0C9E686071CA3D8DDEA085B89E")
  }

  @Test(
    "What names no state, or two, belongs to no login",
    arguments: [
      "", "app:/done", "app:/done?code=C", "app:/done?state=", "app:/done#state=S", "app:/done#?state=S",
      "app:/?state=S&state=S",
    ])
  func none(uri: String) throws {
    #expect(try LoginBusName(ofCallback: uri, cryptography: cryptography) == nil)
  }
}
