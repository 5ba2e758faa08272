import Foundation
import LoginCore
import Synchronization
import TestSupport
import Testing

/// A login with each preset, and what follows it, against a stand-in that behaves as the preset's sources say.
@Suite("Presets", .blocking)
struct PresetTests {
  private static let secret = ["TOKENTRY_CLIENT_SECRET": "s+/ é"]
  private static let basic = "Basic " + Data("53:s%2B%2F%20%C3%A9".utf8).base64EncodedString()

  private static func environment(of row: PresetRow) -> [String: String] {
    row.client == .open ? [:] : secret
  }

  private static func options(of row: PresetRow) -> [String] {
    optionsFile(["nonce": "N"]) + row.options + (row.redirect.map { ["--redirect-uri", $0] } ?? [])
  }

  private static func standIn(_ row: PresetRow, _ provider: Provider? = nil) throws -> PresetStandIn {
    let provider = try provider ?? Provider(row: row)
    return try PresetStandIn(
      row.preset, variables: row.variables,
      page: { PresetStandIn.redirect($0, with: "code=C" + row.callback) }, answer: provider.answer)
  }

  /// Issues A1, R1 and so on, and refuses requests that the provider would refuse.
  private final class Provider: Sendable {
    let row: PresetRow
    private let authority: IDTokenAuthority
    private let endpoints: [String: String]
    private let scheme: String
    private let state = Mutex((number: 0, isDead: false))

    init(row: PresetRow) throws {
      (self.row, authority) = (row, try IDTokenAuthority(.rs256))
      endpoints = try PresetStandIn.endpoints(of: row.preset, variables: row.variables)
      scheme = try PresetStandIn.members(of: row.preset)["authorization_scheme"] as? String ?? "Bearer"
    }

    func endRefreshTokens() { state.withLock { $0.isDead = true } }

    func answer(_ request: StandInServer.Request) -> StandInServer.Answer {
      state.withLock { state in
        switch endpoints[request.path] {
        case "jwks_uri": return authority.keys
        case "token_endpoint":
          guard isProven(request), let refusal = refusal(of: request, state) else {
            return .json(#"{"error":"invalid_request"}"#, status: 400)
          }
          if !refusal.isEmpty { return .json("{\"error\":\"\(refusal)\"}", status: 400) }
          state.number += 1
          return token(state.number)
        case "revocation_endpoint": return .json("{}", status: isProven(request) ? 200 : 400)
        default:
          let isKnown = request.headers["authorization"] == "\(scheme) A\(state.number)"
          return .json(#"{"sub":"ann"}"#, status: isKnown ? 200 : 401)
        }
      }
    }

    /// Returns an empty text for a request that gets a token, and nil for one that is malformed.
    private func refusal(of request: StandInServer.Request, _ state: (number: Int, isDead: Bool)) -> String? {
      let form = form(of: request)
      if form["grant_type"] == "refresh_token" {
        let newest = row.refresh == .kept ? "R1" : "R\(state.number)"
        return !state.isDead && form["refresh_token"] == newest ? "" : row.deadToken
      }
      let isRight =
        form["grant_type"] == "authorization_code" && form["code"] == "C" && form["redirect_uri"] != nil
        && (form["code_verifier"] != nil) == row.pkce
      return isRight ? "" : nil
    }

    private func form(of request: StandInServer.Request) -> [String: String] {
      let json = try? JSONSerialization.jsonObject(with: Data(request.body.utf8))
      return row.client == .basicAndJSON ? json as? [String: String] ?? [:] : request.form
    }

    private func isProven(_ request: StandInServer.Request) -> Bool {
      let (form, header) = (form(of: request), request.headers["authorization"])
      return switch row.client {
      case .open: form["client_id"] == "53" && form["client_secret"] == nil && header == nil
      case .post: form["client_id"] == "53" && form["client_secret"] == "s+/ é" && header == nil
      case .basic, .basicAndJSON: form["client_secret"] == nil && header == PresetTests.basic
      }
    }

    private func token(_ number: Int) -> StandInServer.Answer {
      let idToken = row.issuer.flatMap {
        try? authority.token(of: $0, ["aud": "53", "nonce": number == 1 ? "N" : .null])
      }
      let isNew = row.refresh == .rotating || row.refresh == .kept && number == 1
      return .json(
        #"{"access_token":"A\#(number)",\#(row.answer)"# + (isNew ? #","refresh_token":"R\#(number)""# : "")
          + (idToken.map { #","id_token":"\#($0)""# } ?? "") + "}")
    }
  }

  @Test("A login works as the provider's documents say", arguments: PresetRow.all)
  func login(_ row: PresetRow) throws {
    let standIn = try Self.standIn(row)
    let outcome = try standIn.login(Self.options(of: row), environment: Self.environment(of: row))
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(outcome.accessToken == "A1")
    #expect((outcome["token_type"] as? String)?.lowercased() == "bearer")
    #expect(outcome.checks["id_token"] == (row.issuer == nil ? nil : "verified"))
    for part in row.prints { #expect(outcome.output.contains(part), "\(part)") }
    let page = try #require(standIn.server.requests.first)
    for (name, value) in row.asks { #expect(page.query[name] == value) }
    #expect((page.query["code_challenge_method"] == "S256") == row.pkce)
    let exchange = try #require(standIn.server.requests.first { $0.method == "POST" })
    #expect(exchange.headers["accept"] == "application/json")
  }

  @Test(
    "A kept account is used, refreshed and signed out as the provider's documents say",
    arguments: PresetRow.all)
  func account(_ row: PresetRow) throws {
    let provider = try Provider(row: row)
    let standIn = try Self.standIn(row, provider)
    let login = try standIn.keep(Self.options(of: row), environment: Self.environment(of: row))
    #expect(login.status == 0, "\(login.messages)")
    let members = try PresetStandIn.members(of: row.preset)
    if members["userinfo_endpoint"] != nil {
      let user = try standIn.use("userinfo")
      #expect(user["sub"] as? String == "ann", "\(user.messages)")
    }
    if members["api_origins"] != nil {
      #expect(try standIn.use("request", standIn.server.base + "/any/address").status == 0)
    }
    for number in row.refresh == .never ? [] : [2, 3] {
      let token = try standIn.refresh()
      #expect(token.accessToken == "A\(number)", "\(token.messages)")
      #expect(token["refresh_token"] as? String == (row.refresh == .kept ? "R1" : "R\(number)"))
    }
    // Without the endpoint, a logout looks for it in the metadata of the real issuer.
    if members["issuer"] != nil, members["revocation_endpoint"] == nil { return }
    let logout = try standIn.use("logout")
    #expect(logout.status == 0 && logout["forgotten"] as? Bool == true, "\(logout.messages)")
    let tokens = row.refresh == .never ? ["access_token"] : ["refresh_token", "access_token"]
    let revoked =
      members["revocation_endpoint"] == nil ? [] : members["revocation_parameters"] as? [String] ?? tokens
    #expect(logout["revoked"] as? [String] == revoked)
  }

  @Test(
    "A refresh token that is no longer good needs a login",
    arguments: PresetRow.all.filter { ["gitlab", "nextcloud", "google"].contains($0.preset) })
  func deadToken(_ row: PresetRow) throws {
    let provider = try Provider(row: row)
    let standIn = try Self.standIn(row, provider)
    #expect(
      try standIn.keep(Self.options(of: row), environment: Self.environment(of: row)).status == 0)
    provider.endRefreshTokens()
    let dead = try standIn.refresh()
    #expect(dead.status == 8 && dead.error == "login_required", "\(dead.output)")
  }

  @Test(
    "A client comes back to this machine at a port that it did not register",
    arguments: [
      ("google", "http://127.0.0.1:", "/"), ("microsoft", "http://localhost:", "/"),
      ("spotify", "http://127.0.0.1:", "/callback"),
    ])
  func port(preset: String, start: String, end: String) throws {
    var row = try #require(PresetRow.all.first { $0.preset == preset })
    row.redirect = nil
    let standIn = try Self.standIn(row)
    let outcome = try standIn.keep(
      Self.options(of: row), in: Browser(), environment: Self.environment(of: row))
    #expect(outcome.status == 0, "\(outcome.messages)")
    let sent = try #require(standIn.server.requests.first?.query["redirect_uri"])
    let port = sent.dropFirst(start.count).dropLast(end.count)
    #expect(sent.hasPrefix(start) && sent.hasSuffix(end) && UInt16(port) != nil, "\(sent)")
    #expect(standIn.server.requests.first { $0.method == "POST" }?.form["redirect_uri"] == sent)
  }
}

extension PresetRow: CustomTestStringConvertible {
  var testDescription: String { preset }
}
