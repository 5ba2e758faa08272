import LoginCore
import Testing

@testable import WindowProtocol

@Suite("PageFault")
struct PageFaultTests {
  private static let year: ClosedRange<UTCDate>? =
    if let start = UTCDate("2025-01-01T00:00:00Z"), let end = UTCDate("2026-01-01T00:00:00Z") {
      start...end
    } else {
      nil
    }

  @Test(
    "A page with a form, a script or a link leads on, and the words beside a demand for a password do not",
    arguments: [
      ("auth", false), ("<h1>401</h1><p>Unauthorized", false), ("<FORM action=/x>", true),
      ("<a href=/x>", true), ("<abbr>", false), ("<script>", true), ("<meta http-equiv=refresh>", true),
    ])
  func leadsOn(page: String, leadsOn: Bool) { #expect(PageRefusal.leadsOn(page) == leadsOn) }

  @Test(
    "A fault has a fixed name in the window's line, and is read from it",
    arguments: [
      (.offline, #"{"kind":"offline"}"#),
      (.unknownHost("as.example"), #"{"kind":"unknown_host","host":"as.example"}"#),
      (
        .connection(host: "as.example:8443", reason: "refused"),
        #"{"kind":"connection","host":"as.example:8443","reason":"refused"}"#
      ),
      (
        .tls(host: "as.example", CertificateFlaw.allCases, fingerprint: "AB:CD"),
        #"{"kind":"tls","host":"as.example","flaws":["revoked","other_host","expired","not_yet_valid","#
          + #""insecure","unknown_issuer","damaged"],"fingerprint":"AB:CD"}"#
      ),
      (
        .tls(host: "as.example", [.damaged], fingerprint: nil),
        #"{"kind":"tls","host":"as.example","flaws":["damaged"]}"#
      ),
      (.viewEnded(.memory), #"{"kind":"view_ended","reason":"memory"}"#),
      (.viewEnded(.crash), #"{"kind":"view_ended","reason":"crash"}"#),
      (.viewEnded(.silence), #"{"kind":"view_ended","reason":"silence"}"#),
      (
        .refused(.address("a:/x", redirectURI: "a:/y")),
        #"{"kind":"address","address":"a:/x","redirect_uri":"a:/y"}"#
      ),
      (.refused(.password(host: "h")), #"{"kind":"password","host":"h"}"#),
      (.refused(.certificate(host: "h")), #"{"kind":"certificate","host":"h"}"#),
      (.refused(.download(host: "h", type: "t")), #"{"kind":"download","host":"h","type":"t"}"#),
      (.refused(.nothing(host: "h", status: 204)), #"{"kind":"nothing","host":"h","status":204}"#),
      (.refused(.failed(host: "h", status: 503)), #"{"kind":"server_failed","host":"h","status":503}"#),
      (.refused(.rejected(host: "h", status: 400)), #"{"kind":"rejected","host":"h","status":400}"#),
      (
        .refused(.error(host: "h", code: "invalid_client", description: "unknown", uri: "https://h/e")),
        #"{"kind":"oauth_error","host":"h","error":"invalid_client","error_description":"unknown","#
          + #""error_uri":"https://h/e"}"#
      ),
      (
        .tls(host: "h", [.expired], fingerprint: nil, validity: year),
        #"{"kind":"tls","host":"h","flaws":["expired"],"valid_from":"2025-01-01T00:00:00Z","#
          + #""valid_until":"2026-01-01T00:00:00Z"}"#
      ),
    ] as [(PageFault, String)])
  func line(_ fault: PageFault, _ json: String) {
    let closed = WindowEvent.closed(by: .user, fault: fault)
    #expect(closed.line == #"{"closed":{"by":"user","page_error":\#(json)}}"# + "\n")
    #expect(WindowEvent(line: Array(closed.line.utf8.dropLast())) == closed)
    let page = WindowEvent.page(.init(origin: "", isSecure: false, isLoaded: false, fault: fault))
    #expect(WindowEvent(line: Array(page.line.utf8.dropLast())) == page)
  }

  @Test(
    "Words of a later version are left out, and the rest of a fault is understood",
    arguments: [
      (
        #"{"kind":"tls","host":"a","flaws":["expired","haunted",1],"fingerprint":null}"#,
        .tls(host: "a", [], fingerprint: nil)
      ),
      (
        #"{"kind":"tls","host":"a","flaws":["haunted","expired"]}"#,
        .tls(host: "a", [.expired], fingerprint: nil)
      ),
      (#"{"kind":"tls","host":"a"}"#, .tls(host: "a", [], fingerprint: nil)),
      (
        #"{"kind":"tls","host":"a","valid_from":"2026-01-01T00:00:00Z","valid_until":"2025-01-01T00:00:00Z"}"#,
        .tls(host: "a", [], fingerprint: nil)
      ),
      (#"{"kind":"view_ended","reason":"boredom"}"#, .viewEnded(.crash)), (#"{"kind":"haunted"}"#, nil),
    ] as [(String, PageFault?)])
  func laterVersion(_ json: String, _ fault: PageFault?) {
    let line = #"{"closed":{"by":"user","page_error":\#(json)}}"#
    #expect(WindowEvent(line: Array(line.utf8)) == .closed(by: .user, fault: fault))
  }

  @Test(
    "A login that ends on a failure page fails for the reason on that page",
    arguments: [
      (.offline, .offline), (.unknownHost("a"), .unknownHost("a")),
      (.connection(host: "a", reason: "b"), .unreachable("a", "b")),
      (
        .tls(host: "a", [.expired, .otherHost], fingerprint: "AB"),
        .untrustedCertificate("a", "it has expired, it belongs to another host", fingerprint: "AB")
      ),
      (.viewEnded(.memory), .windowFailed("it used too much memory")),
    ] as [(PageFault, Failure)])
  func failure(_ fault: PageFault, _ failure: Failure) { #expect(fault.failure == failure) }

  @Test(
    "A refused page ends the login with facts for programs",
    arguments: [
      (
        .address("https://a.test/x/", redirectURI: "https://a.test/x"), .redirectMismatch,
        "the provider redirected to https://a.test/x/, which is not the redirect URI https://a.test/x",
        ["received": "https://a.test/x/", "redirect_uri": "https://a.test/x", "differs": ["slash"]]
      ),
      (
        .password(host: "a.test"), .badResponse,
        "a.test asks for a password with HTTP authentication, which the window does not support",
        ["host": "a.test"]
      ),
      (
        .download(host: "a.test", type: "application/pdf"), .badResponse,
        "a.test sent a file (application/pdf) instead of a page",
        ["host": "a.test", "type": "application/pdf"]
      ),
      (
        .nothing(host: "a.test", status: 204), .badResponse, "a.test returned HTTP 204 and no page",
        ["host": "a.test", "status": 204]
      ),
      (
        .failed(host: "a.test", status: 503), .badResponse, "a.test returned HTTP 503",
        ["host": "a.test", "status": 503]
      ),
      (
        .rejected(host: "a.test", status: 400), .badResponse, "a.test returned HTTP 400",
        ["host": "a.test", "status": 400]
      ),
      (
        .error(host: "a.test", code: "invalid_client", description: "unknown", uri: nil),
        .invalidClient, "the provider refused: invalid_client: unknown", [:]
      ),
    ] as [(PageRefusal, Failure.Code, String, JSONObject)])
  func refusal(_ refusal: PageRefusal, _ code: Failure.Code, _ message: String, _ details: JSONObject) {
    #expect(refusal.failure.code == code)
    #expect(refusal.failure.message.description == message)
    #expect(refusal.failure.details == details)
    #expect(refusal.failure.isRetryable == (details["status"] == 503))
    let closed = refusal.failureOnClosing
    #expect(closed.code == .cancelled && closed.message.description == "the window was closed: \(message)")
    let late = refusal.failureOnDeadline
    #expect(
      late.code == .timeout && late.message.description == "the user did not sign in in time: \(message)")
    #expect(closed.details == details && late.details == details)
  }

  @Test(
    "The hint to compare the client comes only where the provider may have refused the client",
    arguments: [
      (.rejected(host: "a", status: 400), true), (.nothing(host: "a", status: 404), false),
      (.rejected(host: "a", status: 403), false), (.rejected(host: "a", status: 429), false),
      (.error(host: "a", code: "invalid_client", description: nil, uri: nil), true),
      (.error(host: "a", code: "access_denied", description: nil, uri: nil), false),
      (.nothing(host: "a", status: 204), false), (.failed(host: "a", status: 500), false),
    ] as [(PageRefusal, Bool)])
  func hint(_ refusal: PageRefusal, _ hasHint: Bool) {
    #expect(refusal.failure.hint == (hasHint ? .checkClient : nil))
  }

  @Test("A page with HTTP 429 may come later", arguments: [(429, true), (403, false)])
  func retryable(_ status: Int, _ isRetryable: Bool) {
    #expect(PageRefusal.rejected(host: "a", status: status).failure.isRetryable == isRetryable)
  }

  @Test(
    "An OAuth error in place of a page is read, and other JSON is not taken for one",
    arguments: [
      (#"{"error":"invalid_client"}"#, .error(host: "h", code: "invalid_client", description: nil, uri: nil)),
      (
        #"{"error":"invalid_scope","error_description":"no","error_uri":"u","x":1}"#,
        .error(host: "h", code: "invalid_scope", description: "no", uri: "u")
      ),
      (#"{"status":404,"error":"Not Found"}"#, nil), (#"{"error":""}"#, nil), (#"{"error":true}"#, nil),
      (#"{"error":"a","error":"b"}"#, nil), ("<h1>invalid_client</h1>", nil), ("", nil),
    ] as [(String, PageRefusal?)])
  func oauthError(_ body: String, _ refusal: PageRefusal?) {
    #expect(PageRefusal(body: Array(body.utf8), from: "h") == refusal)
  }

  @Test(
    "The first way on is the one that helps",
    arguments: [
      (.offline, [.tryAgain, .back, .browser, .close]),
      (.unknownHost("a"), [.tryAgain, .back, .browser, .close]),
      (.connection(host: "a", reason: "b"), [.tryAgain, .back, .browser, .close]),
      (.viewEnded(.crash), [.tryAgain, .back, .browser, .close]),
      (.refused(.failed(host: "a", status: 503)), [.tryAgain, .back, .browser, .close]),
      (
        .refused(.error(host: "a", code: "temporarily_unavailable", description: nil, uri: nil)),
        [.tryAgain, .back, .browser, .close]
      ),
      (
        .refused(.error(host: "a", code: "invalid_client", description: nil, uri: nil)),
        [.back, .close, .browser]
      ),
      (.refused(.address("a:/b", redirectURI: "a:/c")), [.back, .close, .browser]),
      (.refused(.nothing(host: "a", status: 204)), [.back, .close, .browser]),
      (.tls(host: "a", [.expired], fingerprint: nil), [.back, .close, .browser]),
      (.refused(.password(host: "a")), [.browser, .back, .close]),
      (.refused(.download(host: "a", type: "b")), [.back, .browser, .close]),
    ] as [(PageFault, [WayOn])])
  func waysOn(_ fault: PageFault, _ ways: [WayOn]) {
    #expect(fault.waysOn([.tryAgain, .back, .browser, .close]) == ways)
    #expect(fault.waysOn([.tryAgain, .close]).first == (ways[0] == .tryAgain ? .tryAgain : .close))
    // A kiosk without a browser has no other way.
    #expect(fault.waysOn([.tryAgain]) == [.tryAgain])
    #expect(fault.waysOn([]) == [])
  }
}
