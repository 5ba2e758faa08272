import Testing

@testable import LoginCore

@Suite("What the window is told")
struct WindowCommandTests {
  private static let opening: WindowOpening = {
    var opening = WindowOpening(
      url: "https://as.example/a?b=\"c\"", redirectURIs: ["https://app.example/done", "app:/done"],
      errorPages: ["https://as.example/error"])
    opening.title = "Mail – sign in"
    opening.languages = ["de-AT", "de"]
    opening.hasNoClose = true
    opening.rendering = .dmabuf
    opening.ways = ["browser"]
    return opening
  }()

  @Test(
    "Every command comes back from its line as it went in",
    arguments: [
      .open(opening), .open(WindowOpening(url: "https://as.example/", redirectURIs: ["app:/done"])), .raise,
      .show, .cancel, .accept, .ask(PasteQuestion(acceptsCode: true, comesBack: false)),
      .ask(PasteQuestion(acceptsCode: false, comesBack: true, problem: .anotherLogin)),
    ] as [WindowCommand])
  func roundTrip(_ command: WindowCommand) {
    let line = command.line
    #expect(line.hasSuffix("\n"))
    #expect(!line.dropLast().contains("\n"))
    #expect(WindowCommand(line: Array(line.utf8.dropLast())) == command)
  }

  @Test("The lines are those of the contract, and say nothing that goes without saying")
  func lines() {
    #expect(WindowCommand.accept.line == "{\"accept\":true}\n")
    let opening = WindowOpening(url: "https://as.example/", redirectURIs: ["app:/done"])
    #expect(
      WindowCommand.open(opening).line
        == "{\"open\":{\"url\":\"https://as.example/\",\"redirect_uris\":[\"app:/done\"]}}\n")
  }

  @Test(
    "What is not a command is nothing",
    arguments: [
      "", "open", "{}", "[]", "{\"cancel\":false}", "{\"cancel\":true,\"accept\":true}", "{\"dance\":true}",
      "{\"ask\":{}}", "{\"ask\":{\"dance\":{}}}",
      "{\"open\":{}}", "{\"open\":{\"url\":\"https://as.example/\"}}",
      "{\"open\":{\"url\":\"https://as.example/\",\"redirect_uris\":[1]}}",
    ])
  func unknown(_ line: String) {
    #expect(WindowCommand(line: Array(line.utf8)) == nil)
  }

  @Test("Members that a later version adds are no obstacle")
  func additions() {
    let line = #"{"open":{"url":"https://as.example/","redirect_uris":["app:/done"],"colour":"blue"}}"#
    #expect(
      WindowCommand(line: Array(line.utf8))
        == .open(WindowOpening(url: "https://as.example/", redirectURIs: ["app:/done"])))
  }

  @Test("The window asks about navigations what the login asks")
  func policy() throws {
    let policy = try Self.opening.policy()
    #expect(policy.redirectTexts == Self.opening.redirectURIs)
    #expect(policy.errorPageTexts == Self.opening.errorPages)
  }

  @Test("There is no policy without a redirect URI, or with one that nothing can be redirected to")
  func noPolicy() {
    for uris in [[], ["javascript:alert(1)"], ["app:/done", "https://app.example/#x"]] {
      #expect(throws: AddressFault.self) {
        try WindowOpening(url: "https://as.example/", redirectURIs: uris).policy()
      }
    }
  }
}
