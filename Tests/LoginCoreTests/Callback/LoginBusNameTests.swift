import Testing

@testable import LoginCore

@Suite("LoginBusName")
struct LoginBusNameTests {
  @Test("The state and an answer that repeats it lead to the same name, in which the state is not")
  func same() throws {
    var cryptography = FakeCryptography()
    cryptography.digests = [Array("a b+c".utf8): [0x01, 0xAB]]
    let name = try LoginBusName(of: State("a b+c"), cryptography: cryptography)
    let other = try LoginBusName(ofCallback: "app:/done?code=C&state=a%20b%2Bc", cryptography: cryptography)
    #expect(other == name)
    #expect(name.text == "org.tokentry.Login.h01AB")
  }

  @Test(
    "What names no state, or two, belongs to no login",
    arguments: [
      "", "app:/done", "app:/done?code=C", "app:/done?state=", "app:/done#state=S", "app:/?state=S&state=S",
    ])
  func none(uri: String) throws {
    #expect(try LoginBusName(ofCallback: uri, cryptography: FakeCryptography()) == nil)
  }
}
