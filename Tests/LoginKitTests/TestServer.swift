import GLibSupport
import LoginCore
import LoginKit
import SoupNetwork
import TestSupport

/// An authorization server and an API on this machine. It signs in without a page, counts its requests, and accepts its
/// tokens until the test ends them.
@GLibActor
final class TestServer {
  /// The number of requests by path, and of token requests by grant.
  private(set) var counts: [String: Int] = [:]
  /// The parameters of the last request by path.
  private(set) var parameters: [String: ParameterList] = [:]
  /// The `Authorization` field of the last token request.
  private(set) var proof: String?
  /// The metadata of the last client that was registered, and the `Authorization` field of that request.
  private(set) var registration: JSONObject = [:]
  private(set) var registrationToken: String?
  /// The number of times that a device is told that its user has not signed in yet.
  var pendingAnswers = 0
  /// The number of times that the page for ending the session fails.
  var refusedLogouts = 0
  /// The scope that the API demands.
  var demandedScope: String?
  /// The errors that the token endpoint returns, by grant.
  var refusals: [String: String] = [:]
  /// The path whose requests get no answer until this changes.
  var silentPath: String?
  /// The life of each token in seconds.
  var tokenLife = 3_600
  /// True if the token endpoint does not say what kind of token it returns.
  var omitsTokenType = false
  private var good: [String: String] = [:]
  private var server: HTTPServer?

  var origin: String { server?.origin ?? "" }

  init() throws(GLibError) {
    server = try HTTPServer { [weak self] request in
      let response = self?.respond(to: request)
      while self?.silentPath == request.path { try? await pause(for: .milliseconds(10)) }
      return response ?? .bare(status: 503)
    }
  }

  func close() async { await server?.close() }

  /// Makes the API refuse all tokens issued so far.
  func endTokens() { good = [:] }

  func count(_ name: String) -> Int { counts[name] ?? 0 }

  private func respond(to request: HTTPServerRequest) -> HTTPServerResponse {
    counts[request.path, default: 0] += 1
    let sent = request.method == "POST" ? request.body : Array((request.query ?? "").utf8)
    let list = ParameterList(form: sent, upTo: 50)
    parameters[request.path] = list
    switch request.path {
    case "/.well-known/openid-configuration":
      return .json([
        "issuer": .string(origin), "authorization_endpoint": .string(origin + "/authorize"),
        "token_endpoint": .string(origin + "/token"), "registration_endpoint": .string(origin + "/register"),
        "revocation_endpoint": .string(origin + "/revoke"),
        "end_session_endpoint": .string(origin + "/logout"),
        "device_authorization_endpoint": .string(origin + "/device"),
        "code_challenge_methods_supported": ["S256"],
      ])
    case "/authorize": return authorize(list)
    case "/token":
      proof = request[header: "Authorization"]
      return token(list)
    case "/register":
      registration = (try? JSONReader.read(request.body))?.object ?? [:]
      registrationToken = request[header: "Authorization"]
      return .json(["client_id": "registered", "redirect_uris": registration["redirect_uris"]], status: 201)
    case "/device":
      return .json([
        "device_code": "D", "user_code": "ABCD", "verification_uri": .string(origin + "/here"),
        "expires_in": 600, "interval": 1,
      ])
    case "/revoke": return HTTPServerResponse(status: 200)
    case "/logout" where refusedLogouts > 0: return .bare(status: 500)
    case "/logout":
      let place = list?["post_logout_redirect_uri"] ?? ""
      return .redirect(to: "\(place)?state=\(list?["state"] ?? "")")
    case "/api": return api(request)
    default: return .bare(status: 404)
    }
  }

  private func authorize(_ list: ParameterList?) -> HTTPServerResponse {
    let place = "\(list?["redirect_uri"] ?? "")"
    let state = "state=\(list?["state"] ?? "")"
    guard list?["response_type"] == "token" else { return .redirect(to: "\(place)?code=C&\(state)") }
    return .redirect(to: "\(place)#access_token=\(issue(list?["scope"]))&token_type=bearer&\(state)")
  }

  private func token(_ list: ParameterList?) -> HTTPServerResponse {
    let grant = list?["grant_type"] ?? ""
    counts[grant, default: 0] += 1
    if let error = refusals[grant] { return .json(["error": .string(error)], status: 400) }
    if pendingAnswers > 0 {
      pendingAnswers -= 1
      return .json(["error": "authorization_pending"], status: 400)
    }
    let scope = parameters["/authorize"]?["scope"] ?? list?["scope"]
    var answer: JSONObject = [
      "access_token": .string(issue(scope)), "token_type": "Bearer",
      "expires_in": .number(JSONNumber(Int64(tokenLife))),
    ]
    if omitsTokenType { answer["token_type"] = nil }
    if grant != "client_credentials" { answer["refresh_token"] = "R" }
    return .json(answer)
  }

  private func issue(_ scope: String?) -> String {
    let token = "T\(good.count)-\(count("/token"))-\(count("/authorize"))"
    good[token] = scope ?? ""
    return token
  }

  private func api(_ request: HTTPServerRequest) -> HTTPServerResponse {
    let field = request[header: "Authorization"] ?? ""
    guard field.hasPrefix("Bearer "), let scope = good[String(field.dropFirst(7))] else {
      return .bare(status: 401).adding("WWW-Authenticate", #"Bearer error="invalid_token""#)
    }
    if let demandedScope, !scope.contains(demandedScope) {
      return .bare(status: 403).adding(
        "WWW-Authenticate", #"Bearer error="insufficient_scope", scope="\#(demandedScope)""#)
    }
    return .json(["method": .string(request.method), "scope": .string(scope)])
  }
}

/// Runs `body` with a server and a client, which signs in without a user and keeps its accounts in memory.
///
/// A test that makes a client elsewhere could be the first one, and start the library's own thread beside this main loop.
func withClient(
  _ body: @escaping @GLibActor @Sendable (TestServer, OAuthClient) async throws -> Void
) async throws {
  try await onMainLoop { () async -> Result<Void, any Error> in
    do {
      let server = try TestServer()
      var client = try OAuthClient(issuer: server.origin, clientID: "app")
      client.allowedOrigins = [server.origin]
      client.store = MemoryStore()
      client.way = .headless(form: [:])
      try await body(server, client)
      await server.close()
      return .success(())
    } catch {
      return .failure(error)
    }
  }.get()
}
