import Foundation
import Synchronization
@testable import TestSupport
import Testing

extension WindowTests {
  @Suite("Logins that end in a cookie")
  struct FinalPageTests {
    @Test("The final page ends the login with a cookie and a header field, which only standard output shows")
    func values() async throws {
      let desk = try await Desk()
      let gateway = try Gateway()
      let log = desk.folder + "/log"
      let form = desk.folder + "/form"
      try "SAMLRequest=\("a+/=\"<".percentEncoded)".write(toFile: form, atomically: true, encoding: .utf8)
      chmod(form, 0o600)
      let visit = try desk.tokentry(
        [
          "navigate", "--url", gateway.base + "/start", "--post", form, "--redirect-uri",
          gateway.base + "/done",
          "--cookie", "token", "--cookie", "other", "--response-header", "saml-username", "--trust",
          "127.0.0.1=\(gateway.certificate)", "-vv", "--timeout", "170",
        ], variables: ["TOKENTRY_LOG": log])
      gateway.begin(visit.identifier)
      try #require(await desk.showsPage(visit), "\(visit.errors)")
      try #require(await eventually { gateway.hits("/done?frame") > 0 && gateway.hits("/held") > 1 })
      gateway.note("title", try desk.screen.run("xwininfo", "-root", "-tree"))
      #expect(visit.status == nil && gateway.form == "a+/=\"<", "\(visit.text)\(visit.errors)")
      gateway.letGo()
      #expect(await visit.end() == 0, "\(visit.errors)")
      let (token, user) = (gateway.secrets["token"] ?? "", gateway.secrets["user"] ?? "")
      #expect(
        visit.text
          == #"{"callback":"\#(gateway.base)/done?last","cookies":{"token":"\#(token)","other":"1"},"#
          + #""headers":{"saml-username":"\#(user)"}}"# + "\n")
      gateway.note("standard error", visit.errors)
      for path in FileManager.default.enumerator(atPath: desk.folder)?.compactMap({ $0 as? String }) ?? [] {
        let data = FileManager.default.contents(atPath: "\(desk.folder)/\(path)") ?? Data()
        gateway.note(path, String(decoding: data, as: UTF8.self))
      }
      #expect(try !String(contentsOfFile: log, encoding: .utf8).isEmpty)
      #expect(gateway.found == [])
    }

    @Test(
      "Without a final page the login ends with the cookie, and the window trusts the fingerprint (openfortivpn)"
    )
    func cookieAlone() async throws {
      let desk = try await Desk()
      let identity = try TestAuthority().selfSigned("gateway")
      let server = try VPNGateways.fortinet(identity)
      let helper = try desk.tokentry([
        "helper", "openfortivpn", String(server.base.dropFirst("https://".count)), "--realm", "staff & co",
        "--trust", "127.0.0.1=sha256:\(identity.fingerprint())", "-vv", "--timeout", "170",
      ])
      #expect(await helper.end() == 0, "\(helper.errors)")
      #expect(helper.text == "SVPNCOOKIE=\(VPNGateways.session)\n")
      #expect(!helper.errors.contains(VPNGateways.session), "\(helper.errors)")
    }

    @Test(
      "An error page is not the final page; one without the cookie is, and is reported when it is complete")
    func missing() async throws {
      let desk = try await Desk()
      let final = desk.provider + "/status"
      let last = "/status?status=200&body=x"
      let failed =
        "/status?status=503&body="
        + "<script>setTimeout(() => { location = '\(last)' }, 200)</script>".percentEncoded
      let window = try desk.window(
        at: String(failed.dropFirst()),
        ["redirect_uris": [] as [String], "final_page": ["uri": final, "cookies": ["token"]]])
      let callback =
        #"{"callback":{"uri":"\#(desk.provider)\#(last)","main_frame":true,"cookies":{},"headers":{}}}"#
      try #require(await eventually { window.text.contains(callback) }, "\(window.text)")
      #expect(window.callbacks.count == 1 && window.text.contains("page_error"), "\(window.text)")
    }
  }
}

/// A gateway with https that ends a login as SAML does. It searches all processes of the login for its secrets at every
/// request.
private final class Gateway: Sendable {
  let certificate: String
  let secrets = ["token": "c4n-" + UUID().uuidString, "user": "c4n-" + UUID().uuidString]
  private let authority: TestAuthority
  private let server = Mutex<StandInServer?>(nil)
  private let state = Mutex(State())

  private struct State {
    var login: pid_t?
    var isLetGo = false
    var form: String?
    var found: Set<String> = []
  }

  init() throws {
    authority = try TestAuthority()
    let identity = try authority.selfSigned("gateway")
    certificate = identity.certificate
    let server = try StandInServer(identity: identity) { [weak self] request, _ in
      self?.answer(request) ?? .hangUp
    }
    self.server.withLock { $0 = server }
  }

  var base: String { server.withLock { $0?.base } ?? "" }
  var form: String? { state.withLock(\.form) }
  var found: Set<String> { state.withLock(\.found) }
  func begin(_ login: pid_t) { state.withLock { $0.login = login } }
  func letGo() { state.withLock { $0.isLetGo = true } }
  func hits(_ target: String) -> Int { server.withLock { $0?.requests.count { $0.target == target } } ?? 0 }

  /// Records the secrets that are in a text.
  func note(_ place: String, _ text: String) {
    for secret in Exposure.secrets(secrets, in: Data(text.utf8)) {
      _ = state.withLock { $0.found.insert("\(place): \(secret)") }
    }
  }

  private func answer(_ request: StandInServer.Request) -> StandInServer.Answer {
    for process in state.withLock(\.login).map({ Descendants(of: $0).identifiers }) ?? [] {
      state.withLock { state in
        state.found.formUnion(Exposure.of(process, secrets, withMemory: false).map(\.description))
      }
    }
    let page = ["Content-Type: text/html"]
    switch request.target {
    // The cookie exists from now on. Neither a script nor a frame reaches the final page.
    case "/start" where request.method == "POST":
      state.withLock { $0.form = request.form["SAMLRequest"] }
      return StandInServer.Answer(
        200,
        page + [
          "Set-Cookie: token=\(secrets["token"] ?? ""); Path=/; Secure; HttpOnly; SameSite=None; Partitioned",
          "saml-username: early",
        ],
        """
        <title>Gateway</title><p>Sign in<iframe src="/done?frame"></iframe><script>history.pushState(0, '', '/done');
        setInterval(async () => { if ((await fetch('/held')).ok) location.href = '/done?first' }, 200)</script>
        """)
    case "/held": return StandInServer.Answer(state.withLock(\.isLetGo) ? 200 : 503)
    case "/done?first": return .redirect("/done?last")
    case "/done?last":
      return StandInServer.Answer(
        200, page + ["Set-Cookie: other=1; Path=/done", "saml-username: \(secrets["user"] ?? "")"], "<p>Done")
    default: return .html("<p>Frame")
    }
  }
}
