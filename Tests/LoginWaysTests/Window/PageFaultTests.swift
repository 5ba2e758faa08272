import LoginCore
import Testing

@testable import LoginWays

@Suite("PageFault")
struct PageFaultTests {
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
      (.refused(.download(host: "h", type: "t")), #"{"kind":"download","host":"h","type":"t"}"#),
      (.refused(.nothing(host: "h", status: 204)), #"{"kind":"nothing","host":"h","status":204}"#),
      (.refused(.failed(host: "h", status: 503)), #"{"kind":"server_failed","host":"h","status":503}"#),
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
    ] as [(PageRefusal, Failure.Code, String, JSONObject)])
  func refusal(_ refusal: PageRefusal, _ code: Failure.Code, _ message: String, _ details: JSONObject) {
    #expect(refusal.failure.code == code)
    #expect(refusal.failure.description == message)
    #expect(refusal.failure.details == details)
    #expect(refusal.failure.isRetryable == (details["status"] == 503))
    let closed = refusal.failureOnClosing
    #expect(closed.code == .cancelled && closed.description == "the window was closed: \(message)")
    let late = refusal.failureOnDeadline
    #expect(late.code == .timeout && late.description == "the user did not sign in in time: \(message)")
    #expect(closed.details == details && late.details == details)
  }
}
