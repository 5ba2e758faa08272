import LoginCore
import Testing

@testable import LoginWays

@Suite("What the window is told")
struct WindowCommandTests {
  private static let opening: WindowOpening = {
    var opening = WindowOpening(
      url: "https://as.example/a?b=\"c\"", redirectURIs: ["https://app.example/done", "app:/done"],
      errorPages: ["https://as.example/error"])
    opening.title = "Mail – sign in"
    opening.parent = .x11(0x1A0_0007)
    opening.session = "/home/anna/.local/state/tokentry/sessions/mail"
    opening.isHidden = true
    opening.isQuiet = true
    opening.languages = ["de-AT", "de"]
    opening.hasNoClose = true
    opening.rendering = .gpu
    opening.layout = WindowLayout(size: WindowSize("960x720"), zoom: 120)
    opening.hasFixedSize = true
    opening.opensOnce = true
    opening.ways = ["browser"]
    return opening
  }()

  private static let instruction: DeviceInstruction = {
    var instruction = DeviceInstruction(userCode: "WDJB-MJHT", verificationURI: "https://as.example/device")
    instruction.completeURI = "https://as.example/device?user_code=WDJB-MJHT"
    instruction.secondsLeft = 898
    instruction.picture = CodePicture(size: 2) { $0 == $1 }
    instruction.lacksBrowser = true
    return instruction
  }()

  @Test(
    "Every command comes back from its line as it went in",
    arguments: [
      .open(opening), .open(WindowOpening(url: "https://as.example/", redirectURIs: ["app:/done"])),
      .open(WindowOpening(url: nil, redirectURIs: ["app:/done"])), .go(to: "https://as.example/?a=1"), .raise,
      .check, .show, .cancel, .accept, .ask(PasteQuestion(acceptsCode: true, comesBack: false)),
      .ask(PasteQuestion(acceptsCode: false, comesBack: true, problem: .anotherLogin)),
      .ask(PasteQuestion(acceptsCode: false, comesBack: true, problem: .noBrowser)),
      .device(DeviceInstruction(userCode: "A", verificationURI: "https://as.example/d")),
      .device(instruction), .deadline(TimeLeft(300, of: 300, isExtendable: true)),
      .deadline(TimeLeft(7, of: 20, isExtendable: false)),
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

  @Test("Of a long time the last minute is counted, of a short one the last quarter")
  func deadline() {
    let lines = [(300, 60), (240, 60), (20, 5), (3, 0)].map { whole, warning in
      (
        WindowCommand.deadline(TimeLeft(2, of: whole, isExtendable: true)).line,
        #"{"deadline":{"seconds_left":2,"warn_at":\#(warning),"extendable":true}}"# + "\n"
      )
    }
    for (line, expected) in lines { #expect(line == expected) }
  }

  @Test(
    "A deadline that is none is not counted",
    arguments: [
      "{}", #"{"seconds_left":-1,"warn_at":1}"#, #"{"seconds_left":1e30,"warn_at":1}"#,
      #"{"seconds_left":1}"#,
    ])
  func noDeadline(_ object: String) {
    #expect(WindowCommand(line: Array(#"{"deadline":\#(object)}"#.utf8)) == nil)
  }

  @Test("A code for another device is said in the words of RFC 8628, and its picture in ones and zeros")
  func device() {
    let members =
      #""user_code":"WDJB-MJHT","verification_uri":"https://as.example/device","#
      + #""verification_uri_complete":"https://as.example/device?user_code=WDJB-MJHT","expires_in":898,"#
      + #""qr":["10","01"],"problem":"no_browser""#
    #expect(WindowCommand.device(Self.instruction).line == "{\"device\":{\(members)}}\n")
  }

  @Test(
    "Nobody has to count from a number that is no time",
    arguments: [("-1", 0), ("1e18", 86_400)] as [(String, Int64)])
  func time(number: String, seconds: Int64) {
    let line =
      #"{"device":{"user_code":"A","verification_uri":"https://as.example/d","expires_in":\#(number)}}"#
    guard case .device(let instruction)? = WindowCommand(line: Array(line.utf8)) else {
      Issue.record("no instruction")
      return
    }
    #expect(instruction.secondsLeft == seconds)
  }

  @Test("A parent, a session and staying out of sight are said in the contract's words")
  func presentation() {
    var opening = WindowOpening(url: "https://as.example/", redirectURIs: [])
    opening.parent = .wayland("8ce580")
    opening.session = "/s"
    opening.isHidden = true
    let members = #""parent":"wayland:8ce580","session":"/s","hidden":true}}"#
    #expect(WindowCommand.open(opening).line.hasSuffix(members + "\n"))
  }

  @Test(
    "What is not a command is nothing",
    arguments: [
      "", "open", "{}", "[]", "{\"cancel\":false}", "{\"cancel\":true,\"accept\":true}", "{\"dance\":true}",
      "{\"ask\":{}}", "{\"ask\":{\"dance\":{}}}", "{\"device\":{\"user_code\":\"A\"}}",
      "{\"open\":{}}", "{\"open\":{\"url\":\"https://as.example/\"}}",
      "{\"open\":{\"url\":\"https://as.example/\",\"redirect_uris\":[1]}}",
    ])
  func unknown(_ line: String) {
    #expect(WindowCommand(line: Array(line.utf8)) == nil)
  }

  @Test("A line may be as long as the limit, and not one byte longer")
  func longest() {
    let word = #"{"raise":true}"#
    let line = word + String(repeating: " ", count: WindowCommand.maximumLength - word.utf8.count)
    #expect(WindowCommand(line: Array(line.utf8)) == .raise)
    #expect(WindowCommand(line: Array((line + " ").utf8)) == nil)
  }

  @Test("Members that a later version adds are no obstacle")
  func additions() {
    let line = #"{"open":{"url":"https://as.example/","redirect_uris":["app:/done"],"colour":"blue"}}"#
    #expect(
      WindowCommand(line: Array(line.utf8))
        == .open(WindowOpening(url: "https://as.example/", redirectURIs: ["app:/done"])))
  }

  @Test("A rendering that only a later version knows is the usual one")
  func unknownRendering() throws {
    let line = #"{"open":{"url":"https://as.example/","redirect_uris":["app:/done"],"rendering":"ray"}}"#
    guard case .open(let opening)? = WindowCommand(line: Array(line.utf8)) else {
      Issue.record("no opening")
      return
    }
    #expect(opening.rendering == .standard)
  }

  @Test("A page can be reopened if it may be asked for twice and there is another way to paint it")
  func reopening() {
    var opening = WindowOpening(url: "https://as.example/", redirectURIs: ["app:/done"])
    #expect(opening.canBeReopened)
    opening.rendering = .software
    #expect(!opening.canBeReopened)
    opening.rendering = .gpu
    opening.opensOnce = true
    #expect(!opening.canBeReopened)
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
