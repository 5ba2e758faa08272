import LoginCore
import Testing
import Wording

@testable import tokentry

@Suite("What git says to a credential helper")
struct GitCredentialRequestTests {
  private func read(_ text: String) throws -> GitCredentialRequest {
    try GitCredentialRequest(Array(text.utf8))
  }

  @Test("Attributes end with an empty line or with the input; the last of a name counts, unknown ones do not")
  func attributes() throws {
    let request = try read(
      "capability[]=authtype\nprotocol=https\nhost=a.test:8443\nhost=b.test\nusername=ann\npassword=p=q\n"
        + "oauth_refresh_token=r\npassword_expiry_utc=1\nfuture[]=x\n\nhost=c.test\n")
    #expect(request.scheme == "https")
    #expect(request.host == "b.test")
    #expect(request.username == "ann")
    #expect(request.secret == AccessToken("p=q"))
    #expect(request.knowsSchemes)
    #expect(!"\(request)".contains("p=q"))
    #expect(try read("host=a.test").host == "a.test")
    #expect(try read("").host == nil)
  }

  @Test(
    "An address stands for its parts",
    arguments: [
      ("https://h.test/a.git", "h.test", nil, nil), ("https://ann@h.test:81", "h.test:81", "ann", nil),
      ("https://a%40b:p%3Aq@h.test/", "h.test", "a@b", "p:q"),
      // As git reads them: the host ends where a path, a query or a fragment begins.
      ("https://h.test?@evil.test/", "h.test", nil, nil), ("https://h.test#@evil.test/", "h.test", nil, nil),
      ("https://h.test:81?a/b", "h.test:81", nil, nil), ("https://h.test#", "h.test", nil, nil),
    ] as [(String, String, String?, String?)])
  func url(url: String, host: String, user: String?, password: String?) throws {
    let request = try read("username=before\npassword=before\nurl=\(url)\n")
    #expect(request.scheme == "https")
    #expect(request.host == host)
    #expect(request.username == user)
    #expect(request.secret == password.map { AccessToken($0) })
  }

  @Test(
    "A server asks for a token if one of its challenges does; an empty one takes back those before",
    arguments: [
      ("wwwauth[]=Bearer realm=\"x\"\n", true), ("wwwauth[]=Basic realm=\"x\"\nwwwauth[]=bearer\n", true),
      ("wwwauth[]=Basic realm=\"x\"\n", false), ("wwwauth[]=Bearer\nwwwauth[]=\n", false), ("", false),
    ])
  func challenges(text: String, asks: Bool) throws {
    #expect(try read(text).asksForBearer == asks)
  }

  @Test(
    "What could be understood in two ways is refused",
    arguments: [
      ("host\n", .noAttribute), ("=a\n", .noAttribute), ("host=a\u{0}b\n", .nul),
      ("host=a\rb\n", .carriageReturn), ("url=h.test/a\n", .noURL),
      ("url=https://h.test\\@evil.test/\n", .noURL),
      ("url=https://h.test/\\a\n", .noURL), ("url=https://a%/\n", .noURL),
      ("url=https://a%0Ab/\n", .controlCharacters), ("url=https://a%00b/\n", .controlCharacters),
    ] as [(String, CommandLineFault.GitProblem)])
  func malformed(text: String, problem: CommandLineFault.GitProblem) {
    #expect(throws: Failure.commandLine(.git(problem))) { try read(text) }
  }

  @Test("What is behind the last @ of an address is the host, and all before it the user's")
  func severalSigns() throws {
    let request = try read("url=https://ann@h.test@evil.test/x\n")
    #expect(request.host == "evil.test")
    #expect(request.username == "ann@h.test")
  }
}
