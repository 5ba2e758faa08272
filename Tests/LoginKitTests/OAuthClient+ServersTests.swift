import Foundation
import GLibSupport
import GnuTLSCrypto
import LoginKit
import TestSupport
import Testing

@testable import LoginCore

/// The requests of a client, which an application can take over, and of which it needs few.
@Suite("The servers of a client")
struct ServersTests {
  @Test(
    "An application that tests itself with a transport of its own needs no port, not even for pages and APIs")
  func withoutPort() async throws {
    try await withServers { servers, client in
      var client = client
      client.way = .headless(form: ["username": "ada"])
      let token = try await client.signIn(scope: "openid")
      #expect(token.claims?["sub"] == "ada")
      var headers: ParameterList = ["Accept": "text/plain"]
      headers.append("If-None-Match", "\"1\"")
      let answer = try await client.request(
        "https://api.example/notes", method: "PUT", headers: headers, body: "hello".utf8)
      #expect(String(decoding: answer.body, as: UTF8.self) == "PUT hello \"1\"")
      let pieces = Pieces()
      _ = try await client.request("https://api.example/notes", body: Data("more".utf8)) { pieces.add($0) }
      #expect(String(decoding: pieces.bytes, as: UTF8.self) == "POST more -")
      // The API refuses the old token, and gets a new one.
      await servers.endTokens()
      #expect(try await client.request("https://api.example/notes").status == 200)
      #expect(await servers.count("/token") == 2)
    }
  }

  @Test("A transport can change every request before it passes it on")
  func interceptor() async throws {
    try await withServers { servers, client in
      var client = client
      client.dependencies?.transport = Moving(inner: servers)
      client.way = .headless(form: ["username": "ada"])
      try await client.signIn(scope: "openid")
      let answer = try await client.request("https://api.example/old", body: "hello".utf8)
      #expect(String(decoding: answer.body, as: UTF8.self) == "POST HELLO moved")
    }
  }

  /// Sends the requests for one address to another one.
  private struct Moving: HTTPTransport {
    let inner: any HTTPTransport

    func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
      var request = request
      if let notes = try? Endpoint("https://api.example/notes"),
        request.endpoint.description.hasSuffix("/old")
      {
        request.endpoint = notes
        request[header: "if-none-match"] = "moved"
        request.body = Array(String(decoding: request.body, as: UTF8.self).uppercased().utf8)
      }
      return try await inner.send(request)
    }
  }

  @Test("Fifty users who sign in at once and come back in any order cost one discovery and one set of keys")
  func manyUsers() async throws {
    try await withServers { servers, client in
      let count = 50
      var web = client
      web.way = .own(Browsers(door: Door(count)))
      let server = web
      let tasks = (0..<count).map { user in
        Task { try await server.signIn(scope: "openid", account: "user \(user)").accessToken?.revealed() }
      }
      var tokens: Set<String?> = []
      for task in tasks { tokens.insert(try await task.value) }
      #expect(tokens.count == count)
      #expect(await servers.count("/token") == count)
      #expect(await servers.count("/.well-known/openid-configuration") == 1)
      #expect(await servers.count("/jwks") == 1)
    }
  }

  @Test(
    "A key that the provider has replaced is read at once, whether it has a name or not",
    arguments: [true, false])
  func newKey(isNamed: Bool) async throws {
    try await withServers { servers, client in
      var client = client
      client.way = .headless(form: ["username": "ada"])
      await servers.replaceKey(name: isNamed ? "1" : nil)
      try await client.signIn(scope: "openid")
      await servers.replaceKey(name: isNamed ? "2" : nil)
      for _ in 1...2 { try await client.signIn(scope: "openid") }
      #expect(await servers.count("/jwks") == 2)
      // A token that was signed with the withdrawn key is refused.
      await servers.signWithOldKey()
      let stale = client
      let failure = await #expect(throws: Failure.self) { try await stale.signIn(scope: "openid") }
      #expect(failure?.code == .invalidIDToken)
    }
  }

  @Test("A client certificate that a transport of one's own would not show is refused before the sign-in")
  func certificate() async throws {
    try await withServers { servers, client in
      var client = client
      client.clientCertificate = []
      client.way = .headless(form: ["username": "ada"])
      let refused = client
      let failure = await #expect(throws: Failure.self) { try await refused.signIn(scope: "openid") }
      #expect(failure?.code == .invalidConfiguration && failure?.text.contains("certificate") == true)
      #expect(await servers.count("/.well-known/openid-configuration") == 0)
      client.way = .own(Browsers(door: Door(1)))
      try await client.signIn(scope: "openid")
    }
  }

  @Test("A client with other dependencies shares no memory with the one that it was copied from")
  func otherDependencies() async throws {
    try await withServers { servers, client in
      var client = client
      client.way = .headless(form: ["username": "ada"])
      try await client.signIn()
      let others = try Servers()
      client.dependencies?.transport = others
      try await client.signIn()
      #expect(await others.count("/.well-known/openid-configuration") == 1)
    }
  }

  @Test("The nonces of a server are remembered from call to call, also for another HTTP library")
  func nonces() async throws {
    try await withServers { servers, client in
      var client = client
      client.way = .headless(form: ["username": "ada"])
      client.login.provider.bindsTokens = true
      try await client.signIn()
      await servers.demandNonce()
      for _ in 1...5 { #expect(try await client.request("https://api.example/notes").status == 200) }
      #expect(await servers.count("/notes") == 6)
      let fields = try await client.authorization(for: "https://api.example/notes")
      #expect(Servers.nonce(in: fields.first { $0.name == "DPoP" }?.value) == "N")
    }
  }

  @Test("A server begins a sign-in, and another one finishes it, keeps the token and checks tokens of others")
  func splitSignIn() async throws {
    try await withServers { servers, client in
      let begun = try await client.begin(scope: "openid")
      var other = try OAuthClient(issuer: "https://id.example", clientID: "app")
      (other.store, other.dependencies) = (MemoryStore(), client.dependencies)
      let pending = try JSONDecoder().decode(PendingLogin.self, from: JSONEncoder().encode(begun))
      let callback = Browsers.callback(to: begun.url)
      let token = try await other.finish(pending, callback: callback)
      #expect(token.subject == "ada")
      try await other.keep(token, account: "ada")
      #expect(try await other.freshToken(account: "ada") == token)

      let hint = try await other.validate(idTokenHint: token.idToken ?? "")
      #expect(hint.subject == "ada")
      let text = try await servers.accessToken(for: "https://api.example")
      let claims = try await other.validate(accessToken: text, audience: "https://api.example")
      #expect(claims.scopes == ["read"])
      let server = other
      let failure = await #expect(throws: Failure.self) {
        try await server.validate(accessToken: text, audience: "https://id.example")
      }
      #expect(failure?.code == .invalidAccessToken)
      #expect(try await server.introspect(accessToken: "good").subject == "ada")
      let refusal = await #expect(throws: Failure.self) {
        try await server.introspect(accessToken: "bad")
      }
      #expect(refusal?.code == .invalidAccessToken)
    }
  }

  @Test("The events of a client and its copies can be read in a loop", .timeLimit(.minutes(1)))
  func events() async throws {
    try await withServers { servers, client in
      var client = client
      client.way = .headless(form: ["username": "ada"])
      let events = client.events()
      let copy = client
      try await copy.signIn(scope: "openid")
      for await case .signedIn(let account) in events {
        #expect(account.token.subject == "ada")
        break
      }
    }
  }

  @Test("Foundation shows the sentence of a failure")
  func localizedDescription() {
    let failure = Failure(.network, "there is no connection")
    #expect(failure.localizedDescription == failure.text)
  }

  @Test("The library's own network takes a name, a time limit, a proxy and certificate authorities")
  func ownNetwork() async throws {
    let silent = ScriptedServer { wire in
      wire.readRequest()
      wire.waitForEnd()
    }
    defer { silent.stop() }
    let address = "http://127.0.0.1:\(silent.port)"
    try await withServers { _, _ in
      let page = try Endpoint(address + "/"), far = try Endpoint("https://id.example/")
      let patient = Dependencies.standard(timeout: 1, application: "My App").transport
      let failure = await #expect(throws: Failure.self) { try await patient.send(HTTPRequest(.get, page)) }
      #expect(failure?.message.description == "127.0.0.1 did not answer within 1 s")
      #expect(silent.heard.contains("User-Agent: My-App LoginKit\r\n"))
      let behindProxy = Dependencies.standard(timeout: 1, proxy: address).transport
      await #expect(throws: Failure.self) { try await behindProxy.send(HTTPRequest(.get, far)) }
      #expect(silent.heard.contains("CONNECT id.example:443"))
      let careful = Dependencies.standard(authorities: "/no/such/file").transport
      let refusal = await #expect(throws: Failure.self) { try await careful.send(HTTPRequest(.get, far)) }
      #expect(
        refusal?.code == .invalidConfiguration && refusal?.description.contains("/no/such/file") == true)
    }
  }
}

/// Runs `body` with servers in memory and a client of theirs.
private func withServers(
  _ body: @escaping @GLibActor @Sendable (Servers, OAuthClient) async throws -> Void
) async throws {
  try await withClient { _, _ in
    let servers = try Servers()
    var client = try OAuthClient(issuer: "https://id.example", clientID: "app")
    client.allowedOrigins = ["https://api.example"]
    client.store = MemoryStore()
    client.dependencies = .standard
    client.dependencies?.transport = servers
    try await body(servers, client)
  }
}

/// A provider and an API in memory. The code of a sign-in is its nonce.
private actor Servers: HTTPTransport {
  private var counts: [String: Int] = [:]
  private var good: Set<String> = []
  private var key: GnuTLSSigningKey
  private var keyName: String?
  private var signer: GnuTLSSigningKey
  private var wantsNonce = false

  init() throws {
    key = try GnuTLSSigningKey(generating: .es256)
    signer = key
  }

  func count(_ path: String) -> Int { counts[path] ?? 0 }

  func endTokens() { good = [] }

  func demandNonce() { wantsNonce = true }

  private var oldKey: GnuTLSSigningKey?

  func replaceKey(name: String?) {
    guard let new = try? GnuTLSSigningKey(generating: .es256) else { return }
    (oldKey, key, signer, keyName) = (key, new, new, name)
  }

  func signWithOldKey() { if let oldKey { signer = oldKey } }

  static func nonce(in proof: String?) -> String? {
    guard let parts = proof?.split(separator: "."), parts.count == 3,
      let claims = Base64.decodeURLSafe(String(parts[1]))
    else { return nil }
    return (try? JSONReader.read(claims))?.object?["nonce"]?.string
  }

  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let address = request.endpoint.description.split(separator: "?", maxSplits: 1)
    let path = "/" + address[0].split(separator: "/").dropFirst(2).joined(separator: "/")
    counts[path, default: 0] += 1
    let query = ParameterList(form: Array((address.count > 1 ? address[1] : "").utf8), upTo: 50)
    let form = ParameterList(form: request.body, upTo: 50)
    switch path {
    case "/.well-known/openid-configuration": return .json(Self.metadata)
    case "/jwks":
      var member = key.publicKey
      member["kid"] = keyName.map(JSONValue.string)
      return .json(["keys": [.object(member)]])
    case "/authorize":
      let names = ["redirect_uri", "state", "nonce"].map { (query?[$0] ?? "", $0) }
      let cookies = names.map {
        Parameter("Set-Cookie", "\($0.1)=\(Data($0.0.utf8).base64EncodedString()); Path=/")
      }
      let page = #"<form method="post" action="/in"><input name="username"></form>"#
      return HTTPResponse(
        status: 200, headers: [Parameter("Content-Type", "text/html")] + cookies, body: Array(page.utf8))
    case "/in":
      guard form?["username"] == "ada" else { return HTTPResponse(status: 403) }
      let kept = (request[header: "Cookie"] ?? "").split(separator: "; ").map {
        $0.split(separator: "=", maxSplits: 1)
      }
      func value(_ name: String) -> String {
        let text = kept.first { $0[0] == name }.map { $0.count > 1 ? String($0[1]) : "" } ?? ""
        return String(decoding: Data(base64Encoded: text) ?? Data(), as: UTF8.self)
      }
      let code = value("nonce").isEmpty ? "C" : value("nonce")
      return HTTPResponse(
        status: 302,
        headers: [Parameter("Location", "\(value("redirect_uri"))?code=\(code)&state=\(value("state"))")])
    case "/token": return token(form, isBound: request[header: "DPoP"] != nil)
    case "/introspect":
      return .json(form?["token"] == "good" ? ["active": true, "sub": "ada"] : ["active": false])
    case "/notes": return notes(request)
    default: return HTTPResponse(status: 404)
    }
  }

  private func token(_ form: ParameterList?, isBound: Bool) -> HTTPResponse {
    let token = "T\(count("/token"))"
    good.insert(token)
    var answer: JSONObject = [
      "access_token": .string(token), "token_type": .string(isBound ? "DPoP" : "Bearer"), "expires_in": 3_600,
      "refresh_token": "R",
    ]
    if let code = form?["code"], code != "C" {
      let now = Int64(Date().timeIntervalSince1970)
      let claims: JSONObject = [
        "iss": "https://id.example", "sub": "ada", "aud": "app", "nonce": .string(code),
        "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 600)),
      ]
      let header: JSONObject = keyName.map { ["kid": .string($0)] } ?? [:]
      answer["id_token"] = (try? JWS.sign(Array(claims.text.utf8), header: header, with: signer)).map {
        .string($0)
      }
    }
    return .json(answer)
  }

  private func notes(_ request: HTTPRequest) -> HTTPResponse {
    let words = (request[header: "Authorization"] ?? "").split(separator: " ")
    guard words.count == 2, good.contains(String(words[1])) else {
      return HTTPResponse(
        status: 401, headers: [Parameter("WWW-Authenticate", #"Bearer error="invalid_token""#)])
    }
    if wantsNonce, Self.nonce(in: request[header: "DPoP"]) != "N" {
      return HTTPResponse(
        status: 401,
        headers: [
          Parameter("WWW-Authenticate", #"DPoP error="use_dpop_nonce""#), Parameter("DPoP-Nonce", "N"),
        ])
    }
    let text = String(decoding: request.body, as: UTF8.self)
    let answer = "\(request.method) \(text) \(request[header: "If-None-Match"] ?? "-")"
    return HTTPResponse(status: 200, body: Array(answer.utf8))
  }

  /// Returns a JWT for an API (RFC 9068).
  func accessToken(for audience: String) throws(Failure) -> String {
    let now = Int64(Date().timeIntervalSince1970)
    let claims: JSONObject = [
      "iss": "https://id.example", "sub": "ada", "aud": .string(audience), "client_id": "app",
      "scope": "read", "jti": "1", "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 600)),
    ]
    return try JWS.sign(claims.text.utf8, header: ["typ": "at+jwt"], with: signer)
  }

  private static let metadata: JSONObject = [
    "introspection_endpoint": "https://id.example/introspect", "issuer": "https://id.example",
    "authorization_endpoint": "https://id.example/authorize",
    "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/jwks",
    "code_challenge_methods_supported": ["S256"], "id_token_signing_alg_values_supported": ["ES256"],
    "dpop_signing_alg_values_supported": ["ES256"],
  ]
}

extension HTTPResponse {
  fileprivate static func json(_ object: JSONObject) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: [Parameter("Content-Type", "application/json")], body: Array(object.text.utf8))
  }
}

/// Lets its visitors out in any order once all of them are there.
private actor Door {
  private let count: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { self.count = count }

  func pass() async {
    await withCheckedContinuation { continuation in
      waiting.append(continuation)
      if waiting.count == count { for visitor in waiting.shuffled() { visitor.resume() } }
    }
  }
}

/// The browsers of a web server's users.
private struct Browsers: UserAgent {
  let door: Door

  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    await door.pass()
    guard let callback = visit.callback(brought: Self.callback(to: visit.url)) else { throw .cancelled }
    return .callback(callback)
  }

  /// Returns the address to which the provider leads from its page.
  static func callback(to url: String) -> String {
    let query = url.split(separator: "?", maxSplits: 1).last ?? ""
    let sent = ParameterList(form: Array(query.utf8), upTo: 50)
    return "\(sent?["redirect_uri"] ?? "")?code=\(sent?["nonce"] ?? "")&state=\(sent?["state"] ?? "")"
  }

  func dismiss() async {}
}

/// The pieces of an answer.
private final class Pieces: Sendable {
  nonisolated(unsafe) private var all: [UInt8] = []
  private let lock = NSLock()

  var bytes: [UInt8] { lock.withLock { all } }

  func add(_ piece: [UInt8]) { lock.withLock { all += piece } }
}
