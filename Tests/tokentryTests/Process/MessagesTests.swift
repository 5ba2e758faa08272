import LoginCore
import Testing

@testable import tokentry

@Suite("Messages")
struct MessagesTests {
  @Test("Other programs, which do not know the secrets of this one, are told of a failure without them")
  func told() {
    let secret = #"r3fr3sh-"token/é"#
    Messages.hide(secret)
    let failure = Failure.provider(ProviderError(code: "invalid_grant", description: "\(secret) is used"))
    let told = Composition.words(failure)
    #expect(!told.text.contains("r3fr3sh") && !told.text.contains("token/"))
    #expect(told["error"]?.object?["error_description"] == "[redacted] is used")
    #expect(told["status"] == .number(JSONNumber(1)))
  }
}
