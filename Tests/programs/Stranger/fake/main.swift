import Foundation
import LoginKit

// My application, tested with a provider in the process.
struct FakeProvider: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
    let json: ParameterList = ["Content-Type": "application/json"]
    switch request.endpoint.description {
    case "https://id.example/.well-known/openid-configuration":
      let document: JSONObject = [
        "issuer": "https://id.example", "authorization_endpoint": "https://id.example/authorize",
        "token_endpoint": "https://id.example/token",
        "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
        "subject_types_supported": ["public"],
        "jwks_uri": "https://id.example/jwks", "id_token_signing_alg_values_supported": ["ES256"],
      ]
      return HTTPResponse(status: 200, headers: json, body: Array(document.text.utf8))
    case "https://id.example/token":
      print("token request:", String(decoding: request.body, as: UTF8.self).prefix(40))
      return HTTPResponse(
        status: 200, headers: json,
        body: Array(#"{"access_token":"a","token_type":"Bearer","expires_in":3600,"refresh_token":"r"}"#.utf8)
      )
    default: return HTTPResponse(status: 404)
    }
  }
}
/// A user who agrees at once.
struct Agreeing: UserAgent {
  func visit(_ visit: Visit) async throws(Failure) -> Arrival {
    let items = URLComponents(string: visit.url)?.queryItems ?? []
    let redirect = items.first { $0.name == "redirect_uri" }?.value ?? ""
    guard
      let callback = visit.callback(brought: redirect + "?code=c&state=" + (visit.state?.revealed() ?? ""))
    else {
      throw Failure(.badResponse, "no callback")
    }
    return .callback(callback)
  }
  func dismiss() async {}
}
var client = try OAuthClient(issuer: "https://id.example", clientID: "app")
client.dependencies = Dependencies.standard
client.dependencies?.transport = FakeProvider()
client.way = .own(Agreeing())
client.store = MemoryStore()
client.allowedOrigins = ["https://api.example"]
do {
  let token = try await client.signIn(scope: "notes")
  print(token, token.accessToken?.revealed() ?? "-")
  print(try await client.freshToken().accessToken == token.accessToken)
  print(try await client.request("https://api.example/notes").status)
} catch { print("failed", error.code, error) }
