import LoginCore
import LoginWays
import Testing

@testable import Wording

/// What the window says.
@Suite("Words of the window")
struct PageWordsTests {
  /// Why a window is one of its own, and what the caller is told.
  static let parents: [(ParentFault, String)] = [
    (.noSurface, "the window has no surface"),
    (.displayNotX11, "the parent window is one of X11, and the display is not"),
    (.displayNotWayland, "the parent window is one of Wayland, and the display is not"),
    (.unknown(0x1A0_0007), "there is no parent window with the number 0x1a00007"),
    (.gone, "the parent window has gone"),
    (.unsupported, "the compositor knows no parent windows of other programs"),
  ]

  @Test("A parent that cannot be one is named", arguments: parents)
  func parent(_ fault: ParentFault, _ words: String) { #expect(fault.words.source == words) }

  @Test("A page that is not there is explained in whole sentences, and what few need stands apart")
  func failures() {
    let offline = FailureText(.offline)
    #expect(offline.title == "You are offline")
    #expect(offline.details.isEmpty)
    #expect(
      FailureText(.unknownHost("as.test")).sentence.source.hasPrefix(
        "No server with the name as.test was found."))
    #expect(FailureText(.connection(host: "as.test", reason: "refused")).details == ["refused"])
    #expect(
      FailureText(.viewEnded(.memory)).sentence
        == "The page cannot be shown any more: it took too much memory. Nobody was signed in.")
  }

  @Test(
    "A flaw of a certificate is called the same on a page and on a terminal",
    arguments: CertificateFlaw.allCases)
  func flaws(_ flaw: CertificateFlaw) {
    let fault = PageFault.tls(host: "as.test", [flaw], fingerprint: "AA:BB")
    let said = Report(fault.failure).message.source.split(separator: ": ").last ?? "?"
    #expect(FailureText(fault).sentence.source.contains("cannot be trusted: \(said). "))
    #expect(
      FailureText(fault).details == [
        "SHA-256 fingerprint of the certificate:\nAA:BB",
        "If those who run the server confirm it, this option trusts it: --trust as.test=CERT.pem",
      ])
  }

  @Test(
    "How long a code is good for is said exactly only when it matters",
    arguments: [
      (-1, "has expired"), (0, "has expired"), (1, "1 more second"),
      (99, "99 more seconds"), (100, "2 more minutes"), (121, "3 more minutes"), (7_200, "2 more hours"),
    ])
  func time(seconds: Int64, words: String) {
    #expect(DeviceText.time(left: seconds).source.hasPrefix("The code "))
    #expect(DeviceText.time(left: seconds).source.contains(words))
  }

  @Test("A page asks for a code only where a code alone is an answer")
  func handover() {
    for acceptsCode in [true, false] {
      let text = HandoverText(PasteQuestion(acceptsCode: acceptsCode, comesBack: false))
      #expect(text.sentence.source.contains("the code, or the address") == acceptsCode)
      #expect(text.placeholder.source.contains("Code") == acceptsCode)
    }
    let lost = HandoverText(PasteQuestion(acceptsCode: false, comesBack: true, problem: .noBrowser))
    let refused = HandoverText(PasteQuestion(acceptsCode: false, comesBack: true, problem: .anotherLogin))
    #expect(refused.problem == "That is the answer to another sign-in.")
    #expect(refused.sentence.source.hasPrefix("Try again: paste the address"))
    #expect(lost.problem == nil)
    #expect(lost.help == "No browser could be opened: copy the link.")
  }

  @Test(
    "A name that is only claimed never stands alone, and never on the line of what is known",
    arguments: [
      ("Acme Mail", Caller(.executable, "/opt/x"), ["for Acme Mail", "started by /opt/x"]),
      ("Acme Mail", nil, ["for Acme Mail", "started by an unknown program"]),
      (nil, nil, ["started by an unknown program"]),
      (nil, Caller(.application, "org.acme.Mail", name: "Acme Mail"), ["started by Acme Mail"]),
      ("acme mail", Caller(.application, "org.acme.Mail", name: "Acme Mail"), ["for Acme Mail"]),
      (
        "Acme Mail", Caller(.flatpak, "org.acme.Mail", name: "Acme Mail"),
        ["for Acme Mail (Flatpak org.acme.Mail)"]
      ),
      ("Bank", Caller(.snap, "acme"), ["for Bank", "started by snap acme"]),
      ("X, started by Bank", Caller(.executable, "/x"), ["for X, started by Bank", "started by /x"]),
    ] as [(String?, Caller?, [String])])
  func requester(application: String?, caller: Caller?, lines: [String]) {
    #expect(Requester(application: application, caller: caller).lines.map(\.source) == lines)
  }

  @Test(
    "The page at the end of a login in a browser promises no token before there is one, and says who said no")
  func endPages() {
    #expect(EndPageText(error: nil) == .answered)
    #expect(EndPageText(error: "access_denied") == .denied)
    #expect(EndPageText(error: "server_error") == .refused)
    #expect(
      EndPageText.answered.sentence(for: Requester(application: "Acme Mail", caller: nil)).source.contains(
        "Acme Mail goes on"))
    #expect(EndPageText.answered.sentence(for: nil).source.contains("the application goes on"))
    #expect(EndPageText.denied.title == "You said no")
    for text in EndPageText.allCases {
      #expect(
        !text.title.source.isEmpty
          && text.sentence(for: Requester(application: "\u{202E}", caller: nil)).source.last == "."
      )
    }
  }

  @Test("The line above a page warns where others can read what is entered, and nowhere else")
  func address() {
    #expect(PageAddress("http://as.test/").connection.text.note == "not encrypted")
    #expect(PageAddress("https://as.test/").connection.text.note == "")
    #expect(PageAddress("https://as.test/").connectingText == "Connecting to as.test …")
    #expect(PageAddress("about:blank").connectingText == "")
  }

  @Test("A redirect URI that is none is told with what is wrong with it")
  func redirectURI() {
    #expect(WindowRefusal.redirectURI(.fragment) == "a redirect URI is a URL with a fragment")
  }
}
