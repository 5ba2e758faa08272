import LoginCore
import Testing

@testable import WindowProtocol

@Suite("WindowCommand")
struct WindowCommandTests {
  private static let opening: WindowOpening = {
    var opening = WindowOpening(
      url: "https://as.example/a?b=\"c\"", redirectURIs: ["https://app.example/done", "app:/done"],
      errorPages: ["https://as.example/error"])
    opening.options.title = "Mail – sign in"
    opening.options.parent = .x11(0x1A0_0007)
    opening.options.session = "/home/anna/.local/state/tokentry/sessions/mail"
    opening.options.isHidden = true
    opening.options.isQuiet = true
    opening.options.languages = ["de-AT", "de"]
    opening.options.hasNoClose = true
    opening.options.rendering = .gpu
    opening.options.layout = WindowLayout(size: WindowSize("960x720"), zoom: 120)
    opening.options.hasFixedSize = true
    opening.options.keepsSessionCookies = true
    opening.options.trust = ["as.example": "PEM", "b.example": "PEM 2"]
    opening.options.hasCertificates = true
    opening.options.negotiate = ["https://as.example"]
    opening.options.server = "as.example"
    opening.opensOnce = true
    opening.ways = [.browser]
    opening.explanation = Question("The time is up", "Try again.")
    return opening
  }()

  private static let finalPage: WindowOpening = {
    var opening = WindowOpening(url: "https://vpn.example/", redirectURIs: [])
    opening.finalPage = try? FinalPage(
      uri: RedirectURI("https://vpn.example/done"), cookies: ["SVPNCOOKIE", "b"], headers: ["saml-username"])
    opening.form = [Parameter("SAMLRequest", "a+b/c=\r\n\"<&"), Parameter("RelayState", "")]
    return opening
  }()

  @Test(
    "A command is read from its line as it was written",
    arguments: [
      .open(opening), .open(WindowOpening(url: "https://as.example/", redirectURIs: ["app:/done"])),
      .open(finalPage),
      .open(WindowOpening(url: nil, redirectURIs: ["app:/done"])), .go(to: "https://as.example/?a=1"), .raise,
      .check, .show, .cancel, .accept, .unopened, .ask(Question("A")), .ask(.whole),
      .deadline(TimeLeft(300, of: 300, isExtendable: true)),
      .deadline(TimeLeft(7, of: 20, isExtendable: false)), .certificate(host: "as.example", nil),
      .certificate(host: "as.example", .file(pem: "PEM\n")),
      .certificate(host: "as.example", .token(uri: "pkcs11:type=cert", keyURI: "pkcs11:type=private")),
      .pin(host: "as.example", Secret("1234")), .pin(host: "as.example", nil),
    ] as [WindowCommand])
  func roundTrip(_ command: WindowCommand) {
    let line = command.line
    #expect(line.hasSuffix("\n"))
    #expect(!line.dropLast().contains("\n"))
    #expect(WindowCommand(line: Array(line.utf8.dropLast())) == command)
  }

  @Test("A certificate and a PIN are hidden in messages")
  func hidden() {
    let texts = [
      "\(WindowCommand.certificate(host: "h", .file(pem: "KEY")))",
      "\(WindowCommand.pin(host: "h", Secret("KEY")))",
      "\(WindowEvent.answered(Question.Answer(button: "a", text: "KEY")))",
    ]
    #expect(texts.allSatisfy { !$0.contains("KEY") }, "\(texts)")
  }

  @Test("Members with their default value are not written")
  func defaults() {
    #expect(WindowCommand.accept.line == #"{"accept":true}"# + "\n")
    let opening = WindowOpening(url: "https://as.example/", redirectURIs: ["app:/done"])
    #expect(
      WindowCommand.open(opening).line
        == #"{"open":{"url":"https://as.example/","redirect_uris":["app:/done"]}}"# + "\n")
  }

  @Test("The window's options have the names that tokentry-window(1) documents")
  func optionNames() {
    var opening = WindowOpening(url: "https://as.example/", redirectURIs: [])
    opening.options.parent = .wayland("8ce580")
    opening.options.session = "/s"
    opening.options.isHidden = true
    let members = #""parent":"wayland:8ce580","session":"/s","hidden":true}}"#
    #expect(WindowCommand.open(opening).line.hasSuffix(members + "\n"))
  }

  @Test(
    "The user is warned for the last minute, or for the last quarter of a short time",
    arguments: [(300, 60), (240, 60), (20, 5), (3, 0)] as [(Int64, Int64)])
  func deadline(whole: Int64, warning: Int64) {
    #expect(
      WindowCommand.deadline(TimeLeft(2, of: whole, isExtendable: true)).line
        == #"{"deadline":{"seconds_left":2,"warn_at":\#(warning),"extendable":true}}"# + "\n")
  }

  @Test(
    "A deadline without a usable time is ignored",
    arguments: [
      "{}", #"{"seconds_left":-1,"warn_at":1}"#, #"{"seconds_left":1e30,"warn_at":1}"#,
      #"{"seconds_left":1}"#,
    ])
  func unusableDeadline(_ object: String) {
    #expect(WindowCommand(line: Array(#"{"deadline":\#(object)}"#.utf8)) == nil)
  }

  @Test(
    "A line that is not a known command is ignored",
    arguments: [
      "", "open", "{}", "[]", #"{"cancel":false}"#, #"{"cancel":true,"accept":true}"#, #"{"dance":true}"#,
      #"{"ask":{}}"#, #"{"ask":{"title":1}}"#, #"{"ask":{"title":""}}"#, #"{"open":{}}"#,
      #"{"open":{"url":"https://as.example/"}}"#,
      #"{"open":{"url":"https://as.example/","redirect_uris":[1]}}"#,
    ])
  func unknown(_ line: String) {
    #expect(WindowCommand(line: Array(line.utf8)) == nil)
  }

  @Test("A line may be as long as the limit, but not a byte longer")
  func longest() {
    let word = #"{"raise":true}"#
    let line = word + String(repeating: " ", count: WindowCommand.maximumLength - word.utf8.count)
    #expect(WindowCommand(line: Array(line.utf8)) == .raise)
    #expect(WindowCommand(line: Array((line + " ").utf8)) == nil)
  }

  @Test(
    "Members and values of a later version are ignored",
    arguments: [#""colour":"blue""#, #""rendering":"ray""#, #""languages":"de""#, #""hidden":1"#])
  func laterVersion(_ member: String) {
    let line = #"{"open":{"url":"https://as.example/","redirect_uris":["app:/done"],\#(member)}}"#
    #expect(
      WindowCommand(line: Array(line.utf8))
        == .open(WindowOpening(url: "https://as.example/", redirectURIs: ["app:/done"])))
  }

  @Test("A page can be reopened if it may be requested twice and another rendering is left")
  func reopening() {
    var opening = WindowOpening(url: "https://as.example/", redirectURIs: ["app:/done"])
    #expect(opening.canBeReopened)
    opening.options.rendering = .software
    #expect(!opening.canBeReopened)
    opening.options.rendering = .gpu
    opening.opensOnce = true
    #expect(!opening.canBeReopened)
  }

  @Test("The window judges navigations by the redirect URIs and error pages of the login")
  func policy() throws {
    let policy = try Self.opening.policy()
    #expect(policy.redirectTexts == Self.opening.redirectURIs)
    #expect(policy.errorPageTexts == Self.opening.errorPages)
  }

  @Test(
    "An opening without a valid redirect URI has no policy",
    arguments: [[], ["javascript:alert(1)"], ["app:/done", "https://app.example/#x"]])
  func noPolicy(_ redirectURIs: [String]) {
    #expect(throws: Message.self) {
      try WindowOpening(url: "https://as.example/", redirectURIs: redirectURIs).policy()
    }
  }
}
