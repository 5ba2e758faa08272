import Foundation
import GnuTLSCrypto
import LoginCore
import TestSupport
import Testing

@Suite("VPN gateways and their helpers", .blocking)
struct VPNHelperTests {
  private let identity: TestAuthority.Identity

  init() throws { identity = try TestAuthority().selfSigned("gateway") }

  private static let user = ["--headless-test", "--form", "user=ann"]

  private func run(_ helper: String, _ server: StandInServer, _ options: String...) throws -> Outcome {
    let address = String(server.base.dropFirst("https://".count))
    return try Tokentry.run(["helper", helper, address, "-vv"] + Self.user + options)
  }

  private var trust: [String] { ["--trust", "127.0.0.1=\(identity.certificate)"] }

  @Test("openfortivpn gets the session of a FortiGate whose certificate has the fingerprint")
  func fortinet() throws {
    let server = try VPNGateways.fortinet(identity)
    let fingerprint = try identity.fingerprint()
    let outcome = try run(
      "openfortivpn", server, "--realm", "staff & co", "--trust", "127.0.0.1=sha256:\(fingerprint)")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output == "SVPNCOOKIE=\(VPNGateways.session)\n")
    #expect(!outcome.messages.contains(VPNGateways.session), "\(outcome.messages)")

    let folder = TemporaryFolder()
    let link = folder.path + "/openfortivpn-webview"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Tokentry.path())
    let digits = fingerprint.replacing(":", with: "").lowercased()
    let linked = try Tokentry.run(
      ["--url=\(server.base)/remote/saml/start?realm=staff+%26+co", "--trusted-cert=\(digits)"] + Self.user,
      link: link)
    #expect(linked.output == outcome.output, "\(linked)")
  }

  @Test("A gateway with another certificate gets no request")
  func otherCertificate() throws {
    let server = try VPNGateways.fortinet(identity)
    let other = try TestAuthority().selfSigned("other")
    let outcome = try run("openfortivpn", server, "--trust", "127.0.0.1=sha256:\(other.fingerprint())")
    #expect(outcome.status == 5 && outcome.output.isEmpty, "\(outcome)")
    #expect(
      outcome.messages.contains("it is not the one that is trusted for this host"), "\(outcome.messages)")
    #expect(server.requests.isEmpty)
    let unknown = try run("openfortivpn", server)
    #expect(unknown.status == 5)
    #expect(
      unknown.messages.contains("--trust 127.0.0.1=sha256:\(try identity.fingerprint())"),
      "\(unknown.messages)")
    #expect(server.requests.isEmpty)
  }

  @Test("openconnect gets the session of an AnyConnect gateway, and what it needs to reach it")
  func anyConnect() throws {
    let server = try VPNGateways.anyConnect(identity)
    let outcome = try run("openconnect", server, trust[0], trust[1], "--authenticate")
    let output = try Command.run(
      ["/usr/bin/openssl", "x509", "-in", identity.certificate, "-noout", "-pubkey"])
    let key =
      Data(
        base64Encoded: output.output.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined())
      ?? Data()
    let digest = Data(try GnuTLSCryptography().digest(.sha256, of: Array(key))).base64EncodedString()
    #expect(
      outcome.output == """
        COOKIE='\(VPNGateways.session)'
        HOST='127.0.0.1'
        CONNECT_URL='\(server.base)/staff'
        FINGERPRINT='pin-sha256:\(digest)'
        RESOLVE=''

        """, "\(outcome)")
    #expect(!outcome.messages.contains(VPNGateways.session) && !outcome.messages.contains("TOKEN"))
    let plain = try run("openconnect", server, trust[0], trust[1])
    #expect(plain.output == VPNGateways.session + "\n", "\(plain)")
  }

  @Test("openconnect gets the session of a GlobalProtect gateway", arguments: [false, true])
  func globalProtect(byPost: Bool) throws {
    let server = try VPNGateways.globalProtect(identity, byPost: byPost)
    let outcome = try run("openconnect", server, trust[0], trust[1], "--protocol", "gp")
    let session =
      VPNGateways.session.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-"])) ?? ""
    let start =
      "authcookie=\(session)&portal=Gateway-N&user=ann&domain=%28empty_domain%29&preferred-ip=10.0.0.7&computer="
    #expect(outcome.status == 0 && outcome.output.hasPrefix(start), "\(outcome)")
    #expect(
      !outcome.messages.contains(VPNGateways.session) && !outcome.messages.contains("PRE+"),
      "\(outcome.messages)")
  }

  @Test("A refusal of the gateway, and a server that is no gateway, are told apart")
  func refused() throws {
    let identity = identity
    let server = try StandInServer(identity: identity) { request, _ in
      switch request.path {
      case "/ssl-vpn/prelogin.esp":
        .json("<prelogin-response><status>Error</status><msg>Bad portal</msg></prelogin-response>")
      case "/none": .html("<p>Not XML<br>")
      case "/password": .json("<config-auth type='auth-request'><auth id='main'/></config-auth>")
      default: .json("<config-auth><auth><error>No such group</error></auth></config-auth>")
      }
    }
    let host = String(server.base.dropFirst("https://".count))
    let rows: [(String, [String], Int32, String)] = [
      ("", ["--protocol", "gp"], 1, "127.0.0.1 has refused the login: Bad portal"),
      ("/group", [], 1, "127.0.0.1 has refused the login: No such group"),
      ("/none", [], 5, "127.0.0.1 does not answer as such a gateway does"),
      ("/password", [], 5, "127.0.0.1 does not ask for a login on a web page"),
      ("/a b", [], 2, "a URL with a character"),
      ("", ["--account", "a"], 2, "--account is not an option of helper"),
      ("", ["--trust", "vpn.example=sha256:12"], 2, "--trust vpn.example takes sha256: and 64"),
      ("", ["--way", "browser"], 2, "contradict each other"),
    ]
    for (path, options, status, words) in rows {
      let outcome = try Tokentry.run(["helper", "openconnect", host + path] + trust + Self.user + options)
      #expect(
        outcome.status == status && outcome.output.isEmpty && outcome.messages.contains(words),
        "\(path) \(options): \(outcome)")
    }
    let lonely = try Tokentry.run(["helper", "openfortivpn"] + Self.user)
    #expect(
      lonely.status == 2 && lonely.messages.contains("helper openfortivpn needs the address of a gateway"))
  }

  @Test("A gateway's addresses stay at https, and its session is one word", arguments: GatewayFault.allCases)
  func faults(_ fault: GatewayFault) throws {
    let other = try StandInServer { _, _ in .html("<p>Private") }
    let server = try VPNGateways.anyConnect(identity) { fault.changed($0, from: $1, to: other.base) }
    let outcome = try run("openconnect", server, trust[0], trust[1])
    #expect(outcome.status == (fault == .none ? 0 : 5), "\(outcome)")
    #expect(outcome.output == (fault == .none ? VPNGateways.session + "\n" : ""))
    #expect(fault.words.isEmpty || outcome.messages.contains(fault.words), "\(outcome)")
    #expect(other.requests.isEmpty)
  }

  enum GatewayFault: CaseIterable {
    case none, redirect, page, end, otherEnd, lines, blank, escape, accent

    var words: String {
      switch self {
      case .none: ""
      case .redirect, .page, .end: "which a server with https must not name"
      case .otherEnd: "is at another host"
      case .lines, .blank, .escape, .accent: "not allowed in a cookie"
      }
    }

    /// Returns the gateway's answer with the fault. `other` is a server with plain http.
    func changed(_ answer: String, from base: String, to other: String) -> String {
      let end = "</session-token>"
      return switch self {
      case .none: answer
      case .redirect: answer.replacingOccurrences(of: base + "/staff", with: other + "/staff")
      case .page: answer.replacingOccurrences(of: base + "/saml?", with: other + "/saml?")
      case .end: answer.replacingOccurrences(of: base + "/+CSCOE+", with: other + "/+CSCOE+")
      case .otherEnd: answer.replacingOccurrences(of: base + "/+CSCOE+", with: "https://idp.example/+CSCOE+")
      case .lines: answer.replacingOccurrences(of: end, with: "&#10;yes" + end)
      case .blank: answer.replacingOccurrences(of: end, with: " yes" + end)
      case .escape: answer.replacingOccurrences(of: end, with: "&#x9B;" + end)
      case .accent: answer.replacingOccurrences(of: end, with: "é" + end)
      }
    }
  }

  /// The window is the user's, and only the tunnel is root's.
  @Test("Under sudo the helper is the user who called it", .enabled(if: geteuid() == 0))
  func sudo() throws {
    let server = try VPNGateways.fortinet(identity)
    let folder = TemporaryFolder(forOthers: true)
    let certificate = try String(contentsOfFile: identity.certificate, encoding: .utf8)
    let open = try folder.write(certificate, to: "open.pem", mode: 0o644)
    let hidden = try folder.write(certificate, to: "hidden.pem")
    for (file, status) in [(open, Int32(0)), (hidden, 2)] {
      let outcome = try Tokentry.run(
        [
          "helper", "openfortivpn", String(server.base.dropFirst("https://".count)), "--realm", "staff & co",
          "--trust", "127.0.0.1=\(file)",
        ] + Self.user, environment: ["SUDO_UID": "65534", "SUDO_USER": "nobody"])
      #expect(outcome.status == status, "\(outcome)")
    }
  }
}
