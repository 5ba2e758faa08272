import GLibSupport
import Glibc
import HTMLForms
import Language
import LoginCore
import Platform
import SignIn

struct OpenConnectWishes: WishGroup {
  var speaks: OpenConnectHelper.GatewayProtocol?
  /// True to print all that `openconnect --authenticate` prints.
  var printsAll = false

  static let rows = [
    choice(\.speaks, "protocol", called: "PROTOCOL", "anyconnect (if not given) or gp"),
    flag(\.printsAll, "authenticate", "print all that openconnect --authenticate prints"),
  ]
}

/// A login at a gateway of Cisco's AnyConnect or of Palo Alto's GlobalProtect, with SAML in the window. Prints the session's
/// cookie as `openconnect --cookie-on-stdin` reads it, or all that `openconnect --authenticate` prints.
struct OpenConnectHelper: HelperProtocol {
  static let name = "openconnect"
  static let callers = "openconnect"
  static let setUp = [
    "tokentry helper openconnect vpn.example | sudo openconnect --cookie-on-stdin vpn.example",
    "tokentry helper openconnect --protocol gp vpn.example | sudo openconnect --protocol=gp --cookie-on-stdin vpn.example",
  ]
  static let leavesRoot = true
  static var arguments: [Option] { OpenConnectWishes.options }

  static func mayAsk(_ environment: Environment) -> Bool { true }

  /// The protocols of gateways, by openconnect's names.
  enum GatewayProtocol: String, CaseIterable, Sendable {
    case anyconnect
    /// GlobalProtect.
    case gp
  }

  private let gateway: VPNGateway
  private let wishes: OpenConnectWishes

  init(_ broker: TokenBroker) throws(Failure) {
    (gateway, wishes) = (try VPNGateway(broker), broker.wishes[OpenConnectWishes.self])
  }

  func text() async throws(Failure) -> String {
    let visitor = try await gateway.visitor()
    let session: GatewaySession
    switch wishes.speaks ?? .anyconnect {
    case .anyconnect: session = try await AnyConnectLogin(visitor, gateway.endpoint).session()
    case .gp: session = try await GlobalProtectLogin(visitor, gateway.endpoint.origin).session()
    }
    if !wishes.printsAll { return session.cookie + "\n" }
    let lines = [
      ("COOKIE", session.cookie), ("HOST", session.endpoint.host),
      ("CONNECT_URL", session.endpoint.description),
      ("FINGERPRINT", try visitor.fingerprint()), ("RESOLVE", ""),
    ]
    return lines.map { "\($0)=\($1.shellWord)\n" }.joined()
  }
}

extension Failure {
  /// The gateway's login is not one that needs a web page.
  fileprivate static func noWebLogin(at host: String) -> Failure {
    Failure(
      .badResponse, "\(host, upTo: 100) does not ask for a login on a web page",
      hint:
        "openconnect itself asks for a name and a password; a group can follow the address, as in vpn.example/staff"
    )
  }

  /// The server does not speak the gateway's protocol.
  static func noGateway(_ host: String) -> Failure {
    Failure(
      .badResponse, "\(host, upTo: 100) does not answer as such a gateway does", hint: "is --protocol right?")
  }

  /// The gateway refuses the login in its own words.
  fileprivate static func gatewayRefused(_ host: String, _ words: String?) -> Failure {
    Failure(
      .accessDenied,
      "\(host, upTo: 100) has refused the login: \(words ?? "access_denied", upTo: 200)",
      providerDescription: words)
  }
}

/// Cisco's protocol, as openconnect speaks it (`auth.c`): XML documents, and SAML in a window in between.
private struct AnyConnectLogin: Sendable {
  private let visitor: GatewayVisitor
  private let start: Endpoint

  private static let maximumRedirects = 5

  init(_ visitor: GatewayVisitor, _ start: Endpoint) { (self.visitor, self.start) = (visitor, start) }

  @GLibActor
  func session() async throws(Failure) -> GatewaySession {
    let (endpoint, request) = try await begin()
    guard let page = request.text(of: "sso-v2-login"), let final = request.text(of: "sso-v2-login-final"),
      let name = request.text(of: "sso-v2-token-cookie-name")
    else {
      throw request.text(of: "error").map { Failure.gatewayRefused(endpoint.host, $0) }
        ?? .noWebLogin(at: endpoint.host)
    }
    let values = try await visitor.values(at: page, namedBy: endpoint, endingAt: final, cookie: name)
    let token = values.cookie(name) ?? ""
    let reply =
      [request.first("opaque")].compactMap(\.self) + [
        XMLElement("auth", [], [XMLElement("sso-token", text: token)])
      ]
    let (_, answer) = try await visitor.send(try message("auth-reply", reply, to: endpoint))
    guard let answer else { throw .noGateway(endpoint.host) }
    guard let cookie = answer.text(of: "session-token") ?? visitor.cookie("webvpn", for: endpoint) else {
      throw .gatewayRefused(endpoint.host, answer.text(of: "error"))
    }
    return GatewaySession(
      cookie: try GatewayVisitor.sessionCookie(cookie, of: endpoint), endpoint: endpoint)
  }

  /// Returns the gateway's first document. A gateway may hand over to another one.
  @GLibActor
  private func begin() async throws(Failure) -> (Endpoint, XMLElement) {
    var endpoint = start
    for _ in 0...Self.maximumRedirects {
      let access = XMLElement("group-access", text: endpoint.description)
      let (response, document) = try await visitor.send(try message("init", [access], to: endpoint))
      if (300..<400).contains(response.status), let location = response[header: "Location"],
        let target = resolve(location, against: endpoint.description)
      {
        endpoint = try failing(Endpoint(target, namedBy: endpoint.description)) { (reason: Message) in
          .badAddress(target, reason)
        }
        continue
      }
      guard let document, document.name == "config-auth" else { throw .noGateway(endpoint.host) }
      return (endpoint, document)
    }
    throw .noGateway(endpoint.host)
  }

  private func message(
    _ type: String, _ contents: [XMLElement], to endpoint: Endpoint
  ) throws(Failure) -> HTTPRequest {
    let root = XMLElement(
      "config-auth",
      [Parameter("client", "vpn"), Parameter("type", type), Parameter("aggregate-auth-version", "2")],
      [
        XMLElement("version", [Parameter("who", "vpn")], text: "v\(Version.program)"),
        XMLElement("device-id", text: GatewayVisitor.system),
        XMLElement("capabilities", [], [XMLElement("auth-method", text: "single-sign-on-v2")]),
      ] + contents)
    return HTTPRequest(
      post: Array(#"<?xml version="1.0" encoding="UTF-8"?>"#.utf8) + Array(root.xml.utf8),
      as: "application/xml; charset=utf-8", to: endpoint,
      headers: [
        // Gateways answer others with a page for people.
        Parameter("User-Agent", "AnyConnect-compatible tokentry/\(Version.program)"),
        Parameter("X-Transcend-Version", "1"), Parameter("X-Aggregate-Auth", "1"), Parameter("Accept", "*/*"),
      ])
  }
}

/// Palo Alto's protocol at a gateway, as openconnect speaks it (`auth-globalprotect.c`).
private struct GlobalProtectLogin: Sendable {
  private let visitor: GatewayVisitor
  private let origin: String

  private static let fields = ["saml-username", "prelogin-cookie"]
  /// The arguments of the answer that make up the cookie, by their places.
  private static let parts = [
    (1, "authcookie"), (3, "portal"), (4, "user"), (7, "domain"), (15, "preferred-ip"),
    (18, "preferred-ipv6"),
  ]

  init(_ visitor: GatewayVisitor, _ origin: String) { (self.visitor, self.origin) = (visitor, origin) }

  @GLibActor
  func session() async throws(Failure) -> GatewaySession {
    let gateway = try endpoint("/")
    let prelogin = try await send([], to: "/ssl-vpn/prelogin.esp?tmp=tmp&clientVer=4100&clientos=Linux")
    guard prelogin.name == "prelogin-response" else { throw .noGateway(gateway.host) }
    guard let method = prelogin.text(of: "saml-auth-method"),
      let request = prelogin.text(of: "saml-request").flatMap({ Base64.decodeURLSafe($0.urlSafe) })
    else {
      let isRefused = prelogin.text(of: "status").map { $0.lowercased() == "error" } ?? false
      throw isRefused
        ? Failure.gatewayRefused(gateway.host, prelogin.text(of: "msg")) : .noWebLogin(at: gateway.host)
    }
    let values = try await signIn(method, request)
    let (user, cookie) = (values.header(Self.fields[0]) ?? "", values.header(Self.fields[1]) ?? "")
    let answer = try await send(credentials(user, cookie, at: gateway), to: "/ssl-vpn/login.esp")
    guard answer.name == "jnlp" else { throw .gatewayRefused(gateway.host, answer.text(of: "error")) }
    return GatewaySession(cookie: try self.cookie(in: answer, from: gateway), endpoint: gateway)
  }

  /// Takes the user to the identity provider, which sends them back to the gateway's assertion consumer.
  @GLibActor
  private func signIn(_ method: String, _ request: [UInt8]) async throws(Failure) -> PageValues {
    let (gateway, final) = (try endpoint("/"), origin + "/SAML20/SP/ACS")
    if method.lowercased() == "redirect" {
      let url = String(decoding: request, as: UTF8.self)
      return try await visitor.values(at: url, namedBy: gateway, endingAt: final, headers: Self.fields)
    }
    let form = PostedForm(request)
    guard method.lowercased() == "post", let form else { throw .noGateway(gateway.host) }
    return try await visitor.values(
      at: origin + "/", namedBy: gateway, endingAt: final, headers: Self.fields, posting: form)
  }

  private func credentials(_ user: String, _ cookie: String, at gateway: Endpoint) -> [Parameter] {
    [
      ("jnlpReady", "jnlpReady"), ("ok", "Login"), ("direct", "yes"), ("clientVer", "4100"),
      ("prot", "https:"),
      ("internal", "no"), ("ipv6-support", "yes"), ("clientos", "Linux"),
      ("os-version", GatewayVisitor.system),
      ("server", gateway.host), ("computer", Self.computer), ("user", user), ("prelogin-cookie", cookie),
    ].map { Parameter($0, $1) }
  }

  /// Returns the parameters that the tunnel's requests repeat.
  private func cookie(in answer: XMLElement, from gateway: Endpoint) throws(Failure) -> String {
    let arguments = answer.first("application-desc")?.children.map(\.text) ?? []
    var found: [Parameter] = []
    for (place, name) in Self.parts where arguments.indices.contains(place) {
      let value = arguments[place]
      if ["", "(null)", "-1"].contains(value) { continue }
      let decoded = PercentEncoding.decode(value, brokenEscapes: .kept).map {
        String(decoding: $0, as: UTF8.self)
      }
      found.append(Parameter(name, decoded ?? value))
    }
    guard let secret = found.first, secret.name == "authcookie", found.contains(where: { $0.name == "user" })
    else {
      throw .noGateway(gateway.host)
    }
    Messages.hide(secret.value)
    return try GatewayVisitor.sessionCookie(
      FormEncoding.encode(found + [Parameter("computer", Self.computer)]), of: gateway)
  }

  @GLibActor
  private func send(_ form: [Parameter], to path: String) async throws(Failure) -> XMLElement {
    let target = try endpoint(path)
    let request = HTTPRequest(
      post: form, to: target, accepting: "*/*", headers: [Parameter("User-Agent", "PAN GlobalProtect")])
    let (response, document) = try await visitor.send(request)
    guard let document else {
      throw response.status == 200 ? Failure.gatewayRefused(target.host, nil) : .noGateway(target.host)
    }
    return document
  }

  private func endpoint(_ path: String) throws(Failure) -> Endpoint {
    try failing(Endpoint(parsing: origin + path)) { (reason: Message) in .defect(reason.description) }
  }

  private static let computer: String = {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()
}
