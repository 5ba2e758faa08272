import Foundation
import LoginCore
import Testing

@testable import WindowProtocol

/// The manual page describes the lines for programmers who want to write a window of their own.
@Suite("tokentry-window(1)")
struct WindowManPageTests {
  private static func page() throws -> String {
    let root = (1...3).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }
    return try String(contentsOf: root.appending(path: "data/man/tokentry-window.1"), encoding: .utf8)
  }

  @Test("The page describes every member of every line")
  func members() throws {
    let page = try Self.page()
    for name in try (Self.commands + Self.events).flatMap(Self.names) {
      let mentions = ["Va \(name)\n", "Va \(name) ", "\"\(name)\":", "Cm \(name)\n"]
      #expect(mentions.contains(where: page.contains), "\(name)")
    }
  }

  @Test("The page lists every flaw of a certificate, and every end of a process that draws pages")
  func values() throws {
    let page = try Self.page()
    for name in CertificateFlaw.allCases.map(\.rawValue) + PageFault.ViewEnd.allCases.map(\.rawValue) {
      #expect(page.contains(".Ql \(name)\n") || page.contains(".Ql \(name) "), "\(name)")
    }
  }

  private static let commands = [
    WindowCommand.open(opening), .check, .go(to: "https://as.example/"), .raise, .show, .cancel, .accept,
    .unopened, .ask(.whole), .deadline(TimeLeft(1, of: 1, isExtendable: false)),
    .certificate(host: "as.example", .file(pem: "PEM")),
    .certificate(host: "as.example", .token(uri: "x", keyURI: "x")), .pin(host: "as.example", Secret("1")),
  ].map(\.line)

  private static let events = [
    WindowEvent.ready(protocolVersion: 1),
    .page(WindowEvent.Page(origin: "https://as.example", isSecure: true, isLoaded: true, fault: fault)),
    .callback(uri: "app:/done", mainFrame: nil), .errorPage(uri: "https://as.example/error", body: "x"),
    .finalPage(uri: "https://a.example/", values: PageValues()), .closed(by: .user, fault: fault),
    .closed(by: .user, fault: .viewEnded(.crash)),
    .closed(by: .user, fault: oauthError), .switched(to: .browser),
    .wantsCertificate(host: "as.example"), .wantsPIN(host: "as.example", wasWrong: true, tries: .few),
    .loginRequired(uri: "https://as.example/"), .warning("x"), .painted, .blank, .active,
    .answered(Question.Answer(button: "a", text: "b", choice: 1)),
    .waiting(host: "as.example"), .arranged(WindowLayout(size: WindowSize("640x480"), zoom: 110)),
    .failed(error: "no_display", description: "x"), .checked(engine: "x", sandboxFault: "x"),
  ].map(\.line)

  private static let fault = PageFault.tls(
    host: "as.example", [.expired], fingerprint: "00", validity: UTCDate(secondsSince1970: 0).map { $0...$0 })
  private static let oauthError = PageFault.refused(
    .error(host: "as.example", code: "invalid_client", description: "x", uri: "https://as.example/error"))

  private static let opening: WindowOpening = {
    var opening = WindowOpening(
      url: "https://as.example/", redirectURIs: ["app:/done"], errorPages: ["https://as.example/error"])
    opening.options.title = "Mail"
    opening.options.requester = Requester(
      application: "Mail",
      caller: RequestingProgram(.executable, "/usr/bin/python3", name: "Mail", script: "/mail.py"))
    opening.options.languages = ["de"]
    opening.options.hasNoClose = true
    opening.options.rendering = .software
    opening.options.layout = WindowLayout(size: WindowSize("640x480"), zoom: 110)
    opening.options.hasFixedSize = true
    opening.options.keepsSessionCookies = true
    opening.options.isHidden = true
    opening.options.isQuiet = true
    opening.options.parent = ParentWindow("x11:1")
    opening.options.session = "/folder"
    opening.options.trust = ["as.example": "PEM"]
    opening.finalPage = try? FinalPage(uri: RedirectURI("https://a.example/"), cookies: ["a"], headers: ["b"])
    opening.form = [Parameter("a", "b")]
    opening.options.hasCertificates = true
    opening.options.negotiate = ["https://as.example"]
    opening.options.server = "as.example"
    opening.opensOnce = true
    opening.ways = [.browser]
    opening.explanation = Question("x")
    return opening
  }()

  /// The names of all members of a line, except for the hosts in `trust`.
  private static func names(in line: String) throws -> [String] {
    let object = try JSONReader.read(Array(line.utf8.dropLast())).object
    return (object ?? [:]).flatMap(names)
  }

  private static func names(of member: JSONObject.Member) -> [String] {
    [member.name] + (member.name == "trust" ? [] : (member.value.object ?? [:]).flatMap(names))
  }
}
