import LoginCore
import Testing
import Wording

@testable import tokentry

@Suite("Advice that was not followed already")
struct SettingsAdviceTests {
  private func advised(_ failure: Failure, _ words: [String], secret: Bool = false) throws -> Failure {
    let invocation = try Invocation(words)
    var settings = invocation.settings
    if secret { settings.clientSecret = ClientSecret("secret") }
    return settings.advised(failure, try #require(Command(rawValue: words[0])))
  }

  @Test("Who has named the issuer, or an account that knows it, is not told to name it")
  func endpoint() throws {
    let lacks = Failure.caller(.noEndpoint(.token))
    #expect(try advised(lacks, ["login", "--issuer", "https://as.test"]) == .configuration(.lacks(.token)))
    #expect(try advised(lacks, ["userinfo", "--account", "a"]) == .configuration(.lacks(.token)))
    #expect(try advised(lacks, ["login", "--account", "a"]) == lacks)
  }

  @Test("Who wants a client made is not told to name one")
  func registration() throws {
    let none = Failure.caller(.noClientNorRegistration)
    #expect(try advised(none, ["register", "--provider", "github"]) == .configuration(.lacks(.registration)))
    #expect(try advised(none, ["login", "--provider", "github"]) == none)
  }

  @Test("Who has a secret and does not use it is told of that")
  func secret() throws {
    let none = Failure.caller(.clientWithoutSecret)
    #expect(try advised(none, ["login"]) == none)
    #expect(
      try advised(none, ["login"], secret: true)
        == .configuration(
          .contradiction("--grant client-credentials", "--client-authentication none")))
  }
}
