import Foundation
import Synchronization
import TestSupport

/// An API, and the server that issues its tokens: `T1`, `T2` and so on. A client is registered for a redirect URI
/// with its port and for a scope, may use no other, and is named in the body.
final class ResourceFixture: Sendable {
  struct State {
    /// The redirect URI and the scope of each client.
    var clients: [String: (redirectURI: String, scope: String)] = [:]
    var codes: [String: String] = [:]
    var tokens = 0
    var good: Set<String> = []
    /// Answers that replace the usual ones, by path.
    var other: [String: StandInServer.Answer] = [:]
    /// The scope or the authentication context that the API demands of a token.
    var scope: String?
    var context: String?
    var refusesEveryToken = false
    var server: String?
    var takesDocuments = false
    var deadRefresh = false
    /// True if the refusal of a refresh repeats the token.
    var repeatsRefresh = false
    /// The issuer in the callback, if it is wrong.
    var issuer: String?
    /// Metadata that replace the usual ones, by name. An empty value removes a member.
    var metadata: [String: String] = [:]
  }

  let state = Mutex(State())
  let folder = TemporaryFolder()
  var store: String { folder.path + "/store" }

  /// A sign-in in a process of its own may still write down how it ended.
  deinit { removeFolder(folder.path, afterPrograms: true) }

  func answer(_ request: StandInServer.Request, _ base: String) -> StandInServer.Answer {
    state.withLock { state in
      if let other = state.other[request.path] { return other }
      let issuer = state.server ?? base
      switch request.path {
      case "/mcp", "/mcp/tools": return Self.api(request, base, state)
      case "/.well-known/oauth-protected-resource/mcp":
        return .json(
          #"{"resource":"\#(base)/mcp","authorization_servers":["\#(issuer)"],"scopes_supported":["read"]}"#
        )
      case "/.well-known/oauth-authorization-server": return Self.metadata(base, state)
      case "/register": return Self.register(request, &state)
      case "/authorize": return Self.authorize(request, base, &state)
      case "/token": return Self.token(request, &state)
      case "/userinfo": return .json(#"{"sub":"ann"}"#)
      default: return StandInServer.Answer(404)
      }
    }
  }

  private static func api(
    _ request: StandInServer.Request, _ base: String, _ state: State
  ) -> StandInServer.Answer {
    let token = request.headers["authorization"]?.components(separatedBy: " ").last ?? ""
    func refusal(_ status: Int, _ challenge: String) -> StandInServer.Answer {
      StandInServer.Answer(status, ["WWW-Authenticate: Bearer \(challenge)"])
    }
    guard state.good.contains(token) else {
      return refusal(401, #"resource_metadata="\#(base)/.well-known/oauth-protected-resource/mcp""#)
    }
    if let scope = state.scope, state.refusesEveryToken || !token.contains(scope) {
      return refusal(403, #"error="insufficient_scope", scope="\#(scope)""#)
    }
    if let context = state.context, state.refusesEveryToken || !token.contains(context) {
      return refusal(401, #"error="insufficient_user_authentication", acr_values="\#(context)", max_age="5""#)
    }
    return .json(#"{"ok":true}"#)
  }

  private static func metadata(_ base: String, _ state: State) -> StandInServer.Answer {
    let members = [
      "issuer": "\"\(base)\"", "authorization_endpoint": "\"\(base)/authorize\"",
      "token_endpoint": "\"\(base)/token\"", "registration_endpoint": "\"\(base)/register\"",
      "code_challenge_methods_supported": #"["S256"]"#,
      "token_endpoint_auth_methods_supported": #"["client_secret_basic"]"#,
      "authorization_response_iss_parameter_supported": "true",
      "client_id_metadata_document_supported": "\(state.takesDocuments)",
      "scopes_supported": #"["read","offline_access"]"#, "userinfo_endpoint": "\"\(base)/userinfo\"",
    ].merging(state.metadata.mapValues { $0.replacingOccurrences(of: "BASE", with: base) }) { $1 }
    let pairs = members.filter { !$0.value.isEmpty }.map { "\"\($0.key)\":\($0.value)" }
    return .json("{\(pairs.joined(separator: ","))}")
  }

  private static func register(_ request: StandInServer.Request, _ state: inout State) -> StandInServer.Answer
  {
    let members = (try? JSONSerialization.jsonObject(with: Data(request.body.utf8))) as? [String: Any]
    let redirectURI = (members?["redirect_uris"] as? [String])?.first ?? ""
    let name = "c\(state.clients.count + 1)"
    state.clients[name] = (redirectURI, members?["scope"] as? String ?? "")
    return .json(
      #"{"client_id":"\#(name)","client_secret":"s","redirect_uris":["\#(redirectURI)"]}"#, status: 201)
  }

  private static func authorize(
    _ request: StandInServer.Request, _ base: String, _ state: inout State
  ) -> StandInServer.Answer {
    let query = request.query
    let redirectURI = query["redirect_uri"] ?? ""
    let client = state.clients[query["client_id"] ?? ""]
    guard client?.redirectURI == redirectURI || isKnown(query["client_id"]) else {
      return StandInServer.Answer(400)
    }
    let allowed = client.map { Set($0.scope.components(separatedBy: " ")) }
    guard allowed?.isSuperset(of: (query["scope"] ?? "").components(separatedBy: " ")) != false else {
      return .redirect(
        "\(redirectURI)?error=invalid_scope&state=\(query["state"] ?? "")\(issuer(base, state))")
    }
    let code = "code-\(state.codes.count)"
    state.codes[code] = "\(query["scope"] ?? "") \(query["acr_values"] ?? "")"
    return .redirect("\(redirectURI)?code=\(code)&state=\(query["state"] ?? "")\(issuer(base, state))")
  }

  /// True for a client whose identifier is an address, or that was made by hand.
  private static func isKnown(_ client: String?) -> Bool {
    client?.hasPrefix("https") == true || client?.hasPrefix("hand") == true
  }

  private static func issuer(_ base: String, _ state: State) -> String {
    let name = (state.issuer ?? base).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return name.isEmpty ? "" : "&iss=\(name)"
  }

  private static func token(_ request: StandInServer.Request, _ state: inout State) -> StandInServer.Answer {
    guard let client = request.form["client_id"], state.clients[client] != nil || isKnown(client) else {
      return .json(#"{"error":"invalid_client"}"#, status: 401)
    }
    if let refresh = request.form["refresh_token"], state.repeatsRefresh {
      return .json(#"{"error":"invalid_request","error_description":"not \#(refresh)"}"#, status: 400)
    }
    if request.form["refresh_token"] != nil, state.deadRefresh {
      return .json(#"{"error":"invalid_grant"}"#, status: 400)
    }
    state.tokens += 1
    let scope = state.codes[request.form["code"] ?? ""] ?? ""
    let token = "T\(state.tokens)" + scope.split(separator: " ").map { "-\($0)" }.joined()
    state.good.insert(token)
    return .json(
      #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":3600,"refresh_token":"R3fresh-me"}"#)
  }

  /// Runs the program with the store of this fixture.
  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    try Tokentry.run(arguments, environment: ["TOKENTRY_STORE": "file:\(store)"].merging(environment) { $1 })
  }

  /// The API and its server.
  func server() throws -> StandInServer { try StandInServer { self.answer($0, $1) } }

  /// Runs a body with a new fixture, its server, and the address of the API.
  static func with(_ body: (ResourceFixture, StandInServer, String) throws -> Void) throws {
    let fixture = ResourceFixture()
    // The server's threads may keep the fixture longer than the test lasts.
    defer { try? FileManager.default.removeItem(atPath: fixture.folder.path) }
    let server = try fixture.server()
    try body(fixture, server, server.base + "/mcp")
  }
}
