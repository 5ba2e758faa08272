import Foundation
import GnuTLSCrypto
@testable import LoginCore
import TestSupport
import Testing

extension Tokentry {
  /// Options of a login that reads ``callback`` from standard input.
  static let pasted = [
    "--redirect-uri", "https://app.example/done", "--state", "S", "--headless-test", "--navigations", "-",
  ]
  static let callback = "https://app.example/done?code=C&state=S\n"
}

extension StandInServer {
  /// The options that name two endpoints and a client.
  func endpoints(_ page: String = "/auth", _ token: String = "/token", client: String = "me") -> [String] {
    [
      "--endpoint", "authorization=\(base)\(page)", "--endpoint", "token=\(base)\(token)", "--client-id",
      client,
    ]
  }
}

extension StandInServer.Answer {
  /// The metadata of a provider with the endpoints `/auth` and `/token`, with further members that have these
  /// paths.
  static func metadata(_ base: String, _ paths: [String: String] = [:], more: String = "") -> Self {
    let all = ["authorization_endpoint": "/auth", "token_endpoint": "/token"].merging(paths) { $1 }
    let members = all.map { #","\#($0)":"\#(base)\#($1)""# }.joined()
    return .json(#"{"issuer":"\#(base)"\#(members)\#(more)}"#)
  }
}

/// A provider that sends the user back at once, and a login there.
struct CodeProvider: Sendable {
  private let server: StandInServer

  init(answer: String = "code=C") throws {
    server = try StandInServer { request, _ in
      request.path == "/auth"
        ? .redirect("\(Self.redirect(for: request))?\(answer)&state=\(request.query["state"] ?? "")")
        : .json(#"{"access_token":"T","token_type":"Bearer"}"#)
    }
  }

  /// A provider that shows a `page`, which is given the address of the answer. `/pages` shows the text of `pages`.
  init(page: @escaping @Sendable (String) -> String, pages: @escaping @Sendable () -> String) throws {
    server = try StandInServer { request, _ in
      switch request.path {
      case "/auth": .html(page("\(Self.redirect(for: request))?code=C&state=\(request.query["state"] ?? "")"))
      case "/pages": .html(pages())
      case "/token": .json(#"{"access_token":"T","token_type":"Bearer"}"#)
      default: .html("")
      }
    }
  }

  private static func redirect(for request: StandInServer.Request) -> String {
    request.query["redirect_uri"] ?? ""
  }

  var base: String { server.base }

  /// The redirect URIs in the authorization requests.
  var redirects: [String] { server.requests.filter { $0.path == "/auth" }.map(Self.redirect) }

  /// The body of the token request.
  var exchange: String? { server.requests.first { $0.path == "/token" }?.body }

  func login(_ options: [String], environment: [String: String] = [:]) throws -> Outcome {
    try Tokentry.run(words(options), environment: environment)
  }

  /// The command line of a login.
  func words(_ options: [String]) -> [String] { ["login"] + server.endpoints() + options }

  static func encoded(_ text: String) throws -> String {
    try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", ".", "_"])))
  }
}

/// Signs id_tokens, and publishes its key.
struct IDTokenAuthority {
  private let key: GnuTLSSigningKey
  /// The claims of every token besides the issuer and the times, unless a test changes them.
  private static let usual: JSONObject = ["sub": "ann", "aud": "client", "nonce": "N"]

  init(_ algorithm: SignatureAlgorithm = .es256) throws { key = try GnuTLSSigningKey(generating: algorithm) }

  /// The JWK set.
  var keys: StandInServer.Answer { keys([:]) }

  /// The JWK set, with further members of the key.
  func keys(_ more: JSONObject) -> StandInServer.Answer {
    var member = key.publicKey
    for further in more { member[further.name] = further.value }
    return .json((["keys": [.object(member)]] as JSONObject).text)
  }

  /// A token that is good for ten minutes, with changed claims. `null` removes a claim.
  func token(of issuer: String, _ changes: JSONObject = [:]) throws -> String {
    let now = Int64(Date().timeIntervalSince1970)
    var claims = Self.usual
    claims["iss"] = .string(issuer)
    claims["iat"] = .number(JSONNumber(now))
    claims["exp"] = .number(JSONNumber(now + 600))
    for change in changes { claims[change.name] = change.value == .null ? nil : change.value }
    let header = key.publicKey["kid"].map { ["kid": $0] as JSONObject } ?? [:]
    return try JWS.sign(Array(claims.text.utf8), header: header, with: key)
  }

  /// The value of `at_hash` or `c_hash` (OpenID Connect Core section 3.2.2.10).
  static func hash(_ text: String) throws -> JSONValue {
    let digest = try GnuTLSCryptography().digest(.sha256, of: Array(text.utf8))
    return .string(Base64.encodeURLSafe(digest.prefix(16)))
  }
}
