import Testing

@testable import LoginWays

@Suite("EmbeddedRefusal")
struct EmbeddedRefusalTests {
  @Test(
    "Is found in a parameter as it is, and in Base64 of both alphabets with more around it",
    arguments: [
      // Field 1 of a protobuf message with 20 bytes, as Google's page has it, and what follows there.
      "authError=ChRkaXNhbGxvd2VkX3VzZXJhZ2VudBJHWW91IGNhbid0",
      "authError=ChRkaXNhbGxvd2VkX3VzZXJhZ2VudA%3D%3D&client_id=me",
      "authError=++++ZGlzYWxsb3dlZF91c2VyYWdlbnQ", "authError=-_-_ZGlzYWxsb3dlZF91c2VyYWdlbnQ",
      "error=disallowed_useragent", "a=b&text=Error+403%3A+disallowed_useragent.",
    ])
  func named(query: String) {
    #expect(EmbeddedRefusal.isNamed(in: "https://accounts.example/signin/oauth/error?\(query)"))
  }

  @Test(
    "Is found nowhere else",
    arguments: [
      "https://accounts.example/signin", "https://accounts.example/disallowed_useragent", "",
      "https://accounts.example/?error=access_denied", "https://accounts.example/?a=b#disallowed_useragent",
      "https://accounts.example/?authError=Q2hlY2s", "https://accounts.example/?disallowed_useragent=1",
    ])
  func unnamed(uri: String) { #expect(!EmbeddedRefusal.isNamed(in: uri)) }
}
