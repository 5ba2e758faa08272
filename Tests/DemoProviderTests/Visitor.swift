import Foundation
import GnuTLSCrypto
import LoginCore
import SoupNetwork
import Synchronization
import Testing

@testable import DemoProvider

/// A browser and an application without a network: keeps cookies, fills in forms and reads callbacks.
final class Visitor {
  var server: DemoServer
  let clock = FakeClock()
  var cookies: [String: String] = [:]

  static let issuer = "http://127.0.0.1:34567"
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"  // RFC 7636 appendix B
  static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  static let redirect = "http://127.0.0.1:5000/callback"

  /// The seconds that answers were late.
  var waited: Int64 = 0

  init(signer: any SigningKey = FakeSigner(), settings: DemoSettings = DemoSettings()) throws {
    server = try DemoServer(
      issuer: Self.issuer, signer: signer, cryptography: GnuTLSCryptography(), clock: clock,
      settings: settings)
  }

  /// A valid authorization request with changes. An empty value removes the parameter.
  static func request(_ changes: [String: String] = [:]) -> [String: String] {
    var parameters = [
      "client_id": DemoClient.identifier, "redirect_uri": redirect, "response_type": "code",
      "scope": "openid profile", "state": "S", "nonce": "N", "code_challenge": challenge,
      "code_challenge_method": "S256",
    ]
    for (name, value) in changes { parameters[name] = value.isEmpty ? nil : value }
    return parameters
  }

  func get(_ path: String, _ parameters: [String: String] = [:], headers: ParameterList = []) -> Answer {
    send(HTTPServerRequest(path: path, query: Self.form(parameters), headers: headers + cookieHeader))
  }

  @discardableResult
  func post(_ path: String, _ parameters: [String: String], headers: ParameterList = []) -> Answer {
    post(path, form: Self.form(parameters), headers: headers)
  }

  func post(_ path: String, form: String, headers: ParameterList = []) -> Answer {
    let type = Parameter("Content-Type", "application/x-www-form-urlencoded")
    return send(
      HTTPServerRequest(
        method: "POST", path: path, headers: [type] + headers + cookieHeader, body: Array(form.utf8)))
  }

  private func send(_ request: HTTPServerRequest) -> Answer {
    let answer = Answer(server.respond(to: request))
    if let cookie = answer["Set-Cookie"]?.split(separator: ";").first?.split(separator: "=", maxSplits: 1) {
      cookies[String(cookie[0])] = String(cookie[1])
    }
    return answer
  }

  private var cookieHeader: ParameterList {
    cookies.isEmpty
      ? [] : [Parameter("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))]
  }

  private static func form(_ parameters: [String: String]) -> String {
    FormEncoding.encode(parameters.sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) })
  }

  /// Signs in on the login page and returns the consent page.
  func signIn(on page: Answer, name: String = "ada", password: String = "demo") throws -> Answer {
    let interaction = try #require(page.interaction)
    let answer = post(
      "/login", ["interaction": interaction, "username": name, "password": password])
    guard let location = answer["Location"] else { return answer }
    return get("/consent", ["interaction": String(try #require(location.split(separator: "=").last))])
  }

  /// Presses a button of the consent page.
  func decide(_ decision: String, on page: Answer) throws -> Answer {
    post("/consent", ["interaction": try #require(page.interaction), "decision": decision])
  }

  /// Runs a login and returns the parameters of the callback.
  func callback(_ changes: [String: String] = [:], decision: String = "allow") throws -> [String: String] {
    let page = try signIn(on: get("/authorize", Self.request(changes)))
    return try decide(decision, on: page).callback
  }

  /// Exchanges a code. `changes` work as in ``request(_:)``.
  func exchange(_ code: String, _ changes: [String: String] = [:]) -> Answer {
    var parameters = [
      "grant_type": "authorization_code", "client_id": DemoClient.identifier, "code": code,
      "redirect_uri": Self.redirect, "code_verifier": Self.verifier,
    ]
    for (name, value) in changes { parameters[name] = value.isEmpty ? nil : value }
    return post("/token", parameters)
  }

  /// Runs a login and returns the token response.
  func token(_ changes: [String: String] = [:]) throws -> JSONObject {
    exchange(try #require(callback(changes)["code"])).json
  }

  func refresh(
    _ token: JSONObject, _ changes: [String: String] = [:], headers: ParameterList = []
  ) throws -> Answer {
    let form = [
      "grant_type": "refresh_token", "client_id": DemoClient.identifier,
      "refresh_token": try #require(token["refresh_token"]?.string),
    ]
    return post("/token", form.merging(changes) { $1 }, headers: headers)
  }

  func deviceAnswer() throws -> Answer {
    let codes = post("/device_authorization", ["client_id": DemoClient.identifier]).json
    return post(
      "/token",
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": DemoClient.identifier,
        "device_code": try #require(codes["device_code"]?.string),
      ])
  }

  func userinfo(_ token: JSONValue?) throws -> Answer {
    get("/userinfo", headers: [Parameter("Authorization", "Bearer \(try #require(token?.string))")])
  }
}

/// An answer of the server.
struct Answer {
  let status: Int
  let headers: ParameterList
  let body: String
  let delay: Int64

  /// Without a response, the connection was reset.
  init(_ answer: DemoAnswer) {
    status = answer.response?.status ?? 0
    headers = answer.response?.headers ?? []
    body = String(decoding: answer.response?.body ?? [], as: UTF8.self)
    delay = answer.delay
  }

  subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The body without the spaces at its end, which may be more than our own reader takes.
  var json: JSONObject {
    let bytes = Array(body.utf8)
    let end = bytes.lastIndex { $0 != UInt8(ascii: " ") } ?? -1
    return (try? JSONReader.read(Array(bytes[...end])))?.object ?? [:]
  }

  var error: String? { json["error"]?.string }

  /// The hidden field of the page's form.
  var interaction: String? {
    body.firstMatch(of: /name="interaction" value="([^"]*)"/).map { String($0.1) }
  }

  /// The parameters of the callback to which the answer redirects, from the query or the fragment.
  var callback: [String: String] {
    guard let location = self["Location"], let mark = location.firstIndex(where: { "?#".contains($0) }) else {
      return [:]
    }
    let list = ParameterList(form: Array(location[location.index(after: mark)...].utf8), upTo: 100)
    return Dictionary((list?.parameters ?? []).map { ($0.name, $0.value) }) { first, _ in "\(first) twice" }
  }
}

/// A signer whose signature says how many bytes were signed.
struct FakeSigner: SigningKey {
  let algorithm = SignatureAlgorithm.es256
  let publicKey: JSONObject = ["kty": "EC", "crv": "P-256", "kid": "key-1", "x": "AA", "y": "AA"]

  func sign(_ bytes: [UInt8]) throws(Failure) -> [UInt8] { Array("signed \(bytes.count)".utf8) }
  func privateKey() throws(Failure) -> JSONObject { throw .defect() }
}

/// A clock that a test sets.
final class FakeClock: WallClock {
  private let seconds = Mutex<Int64>(1_800_000_000)

  func now() -> UTCDate {
    guard let date = UTCDate(secondsSince1970: seconds.withLock { $0 }) else { preconditionFailure("a date") }
    return date
  }

  func wait(seconds: Int64) async throws(Failure) { advance(by: seconds) }

  func advance(by count: Int64) { seconds.withLock { $0 += count } }
}

/// Decodes unpadded base64url.
func base64(_ text: String) -> [UInt8]? {
  let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
  return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    .map { Array($0) }
}
