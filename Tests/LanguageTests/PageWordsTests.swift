import LoginCore
import Testing
import WindowProtocol

@testable import Language

/// The texts of our own pages and of the window, which are in the folder Pages.
@Suite("Texts of pages")
struct PageWordsTests {
  @Test("A page that cannot be shown is explained in whole sentences, with facts for experts apart")
  func failures() {
    let offline = FailureText(.offline, for: nil)
    #expect(offline.title == "You're offline")
    #expect(offline.details.isEmpty)
    #expect(
      FailureText(.unknownHost("as.test"), for: nil).sentence.description.hasPrefix(
        "Couldn't find the server as.test."))
    #expect(
      FailureText(.connection(host: "as.test", reason: "refused"), for: nil).details.isEmpty,
      "the reason is for the report")
    #expect(
      FailureText(.viewEnded(.memory), for: nil).sentence
        == "The page used too much memory. You haven't been signed in.")
  }

  @Test(
    "The page and the error message give a certificate's flaw the same name",
    arguments: CertificateFlaw.allCases)
  func flaws(_ flaw: CertificateFlaw) {
    let fault = PageFault.tls(host: "as.test", [flaw], fingerprint: "AA:BB")
    let text = FailureText(fault, for: nil)
    #expect(text.sentence.description.contains("certificate can't be trusted: \(flaw.message). "))
    #expect(fault.failure.description.hasSuffix(": \(flaw.message)"))
    #expect(text.details.first == "SHA-256 fingerprint of the certificate:\nAA:BB")
    let more = text.details.dropFirst()
    #expect(more.map { $0.description.contains("SSL_CERT_FILE") } == (flaw == .unknownIssuer ? [true] : []))
    let other = FailureText(fault, for: nil, trusts: ["as.test"]).details.dropFirst()
    #expect(other.map { $0.description.hasPrefix("Another certificate is trusted") } == [true])
  }

  @Test(
    "If only the date of a certificate is wrong, the page names it and asks to check the clock",
    arguments: [
      ([.expired], "expired on 2026-01-01."), ([.notYetValid], "is not valid before 2025-01-01."),
      ([.expired, .otherHost], nil),
    ] as [([CertificateFlaw], String?)])
  func date(_ flaws: [CertificateFlaw], _ date: String?) throws {
    let (start, end) = (UTCDate("2025-01-01T00:00:00Z"), UTCDate("2026-01-01T12:00:00Z"))
    let validity = try #require(start)...(try #require(end))
    let now = UTCDate("2026-11-27T10:00:00Z")
    let text = FailureText(
      .tls(host: "as.test", flaws, fingerprint: nil, validity: validity), for: nil, at: now)
    #expect(text.details == ["Valid from 2025-01-01 to 2026-01-01"])
    let sentence = text.sentence.description
    #expect(sentence.contains("This computer's clock says that today is 2026-11-27.") == (date != nil))
    #expect(
      sentence.hasPrefix(
        date.map { "The certificate of as.test \($0)" }
          ?? "as.test's certificate can't be trusted: it has expired, it belongs"))
  }

  @Test("A provider's error is shown in its own words, marked as such")
  func oauthError() {
    let error = {
      FailureText(
        .refused(.error(host: "as.test", code: "invalid_client", description: $0, uri: nil)), for: nil)
    }
    #expect(error("No such\nclient.").sentence == "as.test says: No such client.")
    #expect(error(nil).sentence == "as.test reports an error and does not explain it.")
    #expect(error(nil).details == ["invalid_client"])
  }

  @Test("The report of a failure has the words of the page, the error in English, and the time")
  func report() {
    let text = FailureText(
      .connection(host: "as.test", reason: "refused"), for: nil, at: UTCDate("2026-11-27T10:00:00Z"))
    #expect(
      text.report == """
        Couldn't connect
        as.test isn't responding. The server or your connection may be down.
        network_error: as.test cannot be reached: refused
        2026-11-27T10:00:00Z

        """)
  }

  @Test("A server that redirects without end is not called silent")
  func redirects() {
    let reason = "Load cannot follow more than 20 redirections"  // WebKit's words
    let text = FailureText(.connection(host: "as.test", reason: reason), for: nil)
    #expect(text.title == "Too many redirects" && text.sentence == "as.test keeps redirecting this page.")
  }

  @Test("A page that only works in a browser leads there, if the sign-in can move", arguments: [true, false])
  func browserOnly(offersBrowser: Bool) {
    let text = FailureText(.refused(.password(host: "as.test")), for: nil, offersBrowser: offersBrowser)
    #expect(text.title == (offersBrowser ? "Open this page in a browser" : "This page needs a browser"))
    #expect(
      text.sentence.description.contains("report this to the application's developers") != offersBrowser)
  }

  @Test("A sign-in whose failure may pass can be tried again in a few minutes, and its words can be copied")
  func passing() {
    let acme = Requester(application: "Acme Mail", caller: nil)
    let failure = Failure(.badResponse, "HTTP 503")
    let passing = Question(of: Failure(.badResponse, "HTTP 503", isRetryable: true), for: acme)
    #expect(passing.paragraphs[0].contains("Try again in a few minutes"))
    #expect(!Question(of: failure, for: acme).paragraphs[0].contains("minutes"))
    #expect(passing.buttons.map(\.id) == ["close", "details"])
    #expect(passing.report.hasSuffix("HTTP 503.\n"))
  }

  @Test("A refused address is shown next to the redirect URI, with the parts that differ")
  func wrongAddress() {
    let refusal = PageRefusal.address("https://a.test/X", redirectURI: "https://a.test/x")
    let acme = Requester(application: "Acme Mail", caller: nil)
    let text = FailureText(.refused(refusal), for: acme)
    #expect(text.title == "Acme Mail is set up incorrectly")
    #expect(FailureText(.refused(refusal), for: nil).title == "The application is set up incorrectly")
    #expect(
      text.details == [
        "Returned to:\nhttps://a.test/X\nExpected:\nhttps://a.test/x", "What differs: capital letters",
      ])
  }

  @Test(
    "The names of options are found, so that a label does not break them",
    arguments: [
      ("--trust a.test=CERT.pem", ["--trust"]),
      ("use --client-id, or (--issuer)", ["--client-id", "--issuer"]),
      ("\u{2068}--trust a-b\u{2069}", ["--trust"]), ("a--b", ["--b"]), ("a - b -- c --- -d well-known", []),
    ])
  func optionNames(text: String, names: [String]) {
    let bytes = Array(text.utf8)
    #expect(text.optionNames.map { String(decoding: bytes[$0], as: UTF8.self) } == names)
  }

  @Test(
    "The labels of hosts are found, so that a line breaks between them",
    arguments: [
      ("at \u{2068}signing.secure.test\u{2069}'s", ["signing", "secure", "test"]),
      ("Ends here. See id-1.test.", ["id-1", "test"]), ("end.", []), ("https://as.b:1/x", ["as", "b"]),
      (String(repeating: "a", count: 30) + ".test", ["test"]),
    ])
  func hostLabels(text: String, labels: [String]) {
    let bytes = Array(text.utf8)
    #expect(text.hostLabels.map { String(decoding: bytes[$0], as: UTF8.self) } == labels)
  }

  @Test(
    "A day is written as in the user's country, with all digits of the year",
    arguments: [("%d.%m.%Y", "21.11.2026"), ("%m/%d/%y", "2026-11-21"), (nil, "2026-11-21")]
      as [(String?, String)])
  func day(format: String?, day: String) {
    #expect(UTCDate("2026-11-21T23:30:00Z")?.day(in: format) == day)
  }

  @Test(
    "The time for a code is rounded up to minutes or hours unless it is short",
    arguments: [
      (-1, "The code has expired."), (0, "The code has expired."),
      (1, "This code expires in 1 second."), (99, "This code expires in 99 seconds."),
      (100, "This code expires in 2 minutes."), (121, "This code expires in 3 minutes."),
      (7_200, "This code expires in 2 hours."),
    ])
  func timeForCode(seconds: Int64, text: String) {
    #expect(DeviceText.time(left: seconds).description == text)
  }

  @Test("The bar above a page says how much time is left, and asks for a sign of life if that helps")
  func timeForLogin() {
    let text: (Int64, Bool) -> Message = DeadlineText.time(left:isExtendable:)
    #expect(text(1, true) == "Still there? This sign-in ends in 1 second.")
    #expect(text(9, true) == "Still there? This sign-in ends in 9 seconds.")
    #expect(text(9, false) == "This sign-in ends in 9 seconds.")
    let byCode: (Int64) -> Message = DeadlineText.time(left:)
    #expect(byCode(60) == "This sign-in ends in 60 seconds.")
    #expect(byCode(121) == "This sign-in ends in 3 minutes.")
    #expect(byCode(7_200) == "This sign-in ends in 2 hours.")
  }

  @Test(
    "The window says who asks in one sentence, and apart from it which program the system sees",
    arguments: [
      ("Acme Mail", RequestingProgram(.executable, "/opt/x"), "Acme Mail", "/opt/x"),
      ("Acme Mail", nil, "Acme Mail", "an unknown program"),
      (nil, nil, "A program", "an unknown program"),
      (nil, RequestingProgram(.executable, "/opt/acme/mail"), "mail", "/opt/acme/mail"),
      (
        nil, RequestingProgram(.executable, "/usr/bin/python3", script: "/a/mail.py"), "mail.py",
        "/a/mail.py (/usr/bin/python3)"
      ),
      (nil, RequestingProgram(.application, "org.acme.Mail", name: "Acme Mail"), "Acme Mail", "Acme Mail"),
      (nil, RequestingProgram(.application, "org.acme.Mail"), "org.acme.Mail", "org.acme.Mail"),
      (
        nil, RequestingProgram(.flatpak, "org.acme.Mail", name: "Acme Mail"), "Acme Mail",
        "Acme Mail (Flatpak org.acme.Mail)"
      ),
      ("Bank", RequestingProgram(.snap, "acme"), "Bank", "snap acme"),
    ] as [(String?, RequestingProgram?, String, String)])
  func requester(application: String?, caller: RequestingProgram?, name: String, origin: String) {
    let requester = Requester(application: application, caller: caller)
    #expect(requester.sentence.description == "\(name) wants you to sign in")
    #expect(requester.origin.description == "Started by \(origin)")
  }

  @Test("A failed login is explained in the window, with the application to go back to")
  func explanation() {
    let requester = Requester(application: "Acme Mail", caller: nil)
    let late = Question(of: Failure(.timeout, "nobody signed in within 9 s"), for: requester)
    #expect(late.title == "Time's up" && late.details.isEmpty)
    #expect(late.paragraphs == ["You haven't been signed in. To try again, return to Acme Mail."])
    let failed = Question(of: .unknownHost("a"), for: Requester(application: nil, caller: nil))
    #expect(failed.title == "Sign-in failed")
    #expect(failed.paragraphs[0].hasSuffix("return to the application."))
    #expect(failed.details == ["Can't find the server a."])
    let unreachable = Question(of: .unreachable("a.test", "no route"), for: requester)
    #expect(unreachable.details == ["a.test cannot be reached: no route."])
  }

  @Test("The last page in the browser tells an answer from a denial and from another error")
  func endPageOfAnswer() {
    #expect(EndPageText(error: nil) == .answered)
    #expect(EndPageText(error: "access_denied") == .denied)
    #expect(EndPageText(error: "server_error") == .refused)
    #expect(EndPageText.answered.title(for: nil) == "Almost done")
    #expect(EndPageText.denied.title(for: nil) == "Access denied")
  }

  @Test("The last page in the browser names the application that goes on", arguments: EndPageText.allCases)
  func endPageNames(_ text: EndPageText) {
    let hidden = Requester(application: "\u{202E}", caller: nil)
    #expect(!text.title(for: hidden).description.isEmpty)
    #expect(text.sentence(for: hidden).description.last == ".")
    for requester in [
      Requester(application: "Acme Mail", caller: nil),
      Requester(application: nil, caller: RequestingProgram(.flatpak, "org.acme.Mail", name: "Acme Mail")),
    ] {
      let namesNone = [.notAwaited, .elsewhere, .otherUser].contains(text)
      #expect(text.sentence(for: requester).description.contains("Acme Mail") == !namesNone)
    }
    let namesApplication = ![.notAwaited, .otherUser].contains(text)
    #expect(text.sentence(for: nil).description.contains("the application") == namesApplication)
  }

  @Test(
    "The line above a page warns if others can read what the user enters, and if its server is not the one that an API has named"
  )
  func addressLine() {
    #expect(PageAddress("http://as.test/").text.note == "not encrypted")
    #expect(PageAddress("https://as.test/").text.note == "")
    var address = PageAddress("https://login.test/")
    for (server, note) in [("as.test", "for as.test"), ("login.test", ""), (nil, "")] {
      address.server = server
      #expect(address.text.note.description == note)
      #expect(address.text.explanation.description.hasSuffix("The connection is encrypted"))
    }
    #expect(PageAddress("https://as.test/").connectingText == "Connecting to as.test…")
    #expect(PageAddress("about:blank").connectingText == "")
  }
}
