import Foundation
import Synchronization
import TestSupport
import Testing

/// https://github.com/recursecenter/wiki/wiki/Recurse-Center-API
@Suite("Recurse Center", .blocking)
struct RecurseCenterTests {
  private static let secret = ["TOKENTRY_CLIENT_SECRET": "s+/ é"]
  private static let redirect = ["--redirect-uri", "https://app.example/done"]

  /// Issues A1, R1 and so on with this lifetime. The API accepts the newest token, from number `first` on.
  private func standIn(life: Int, first: Int = 1) throws -> PresetStandIn {
    let count = Mutex(0)
    return try PresetStandIn(
      "recurse-center", callback: { "https://app.example/done?code=C&state=\($0)" },
      answer: { request in
        count.withLock { count in
          if request.path == "/api/v1/profiles/me" {
            return count >= first && request.headers["authorization"] == "Bearer A\(count)"
              ? .json(#"{"id":53,"name":"Ann"}"#) : .json(#"{"message":"unauthorized"}"#, status: 401)
          }
          if let old = request.form["refresh_token"], old != "R\(count)" {
            return .json(#"{"error":"invalid_grant"}"#, status: 401)
          }
          count += 1
          return .json(
            #"{"access_token":"A\#(count)","token_type":"bearer","expires_in":\#(life),"#
              + #""refresh_token":"R\#(count)"}"#)
        }
      })
  }

  private func request(_ standIn: PresetStandIn) throws -> Outcome {
    try standIn.use("request", standIn.server.base + "/api/v1/profiles/me")
  }

  @Test("A code becomes a kept token, which signs a request")
  func signedRequest() throws {
    let standIn = try standIn(life: 7_200)
    let login = try standIn.keep(Self.redirect, environment: Self.secret)
    #expect(login.status == 0, "\(login.messages)")
    let page = try #require(standIn.server.requests.first)
    #expect(page.path == "/oauth/authorize")
    #expect(Set(page.query.keys) == ["response_type", "client_id", "redirect_uri", "state"])
    #expect(
      standIn.server.requests.last?.form == [
        "grant_type": "authorization_code", "code": "C", "redirect_uri": "https://app.example/done",
        "client_id": "53", "client_secret": "s+/ é",
      ])
    let answer = try request(standIn)
    #expect(answer.status == 0, "\(answer.messages)")
    #expect(answer.output == #"{"id":53,"name":"Ann"}"#)
    #expect(standIn.server.requests.count == 3)
  }

  @Test("An expired token is refreshed before the request, with the secret in the body")
  func expired() throws {
    let standIn = try standIn(life: 30)  // less than a request needs
    _ = try standIn.keep(Self.redirect, environment: Self.secret)
    for number in 2...3 {
      let answer = try request(standIn)
      #expect(answer.output == #"{"id":53,"name":"Ann"}"#, "\(answer.messages)")
      #expect(standIn.server.requests.map(\.path).suffix(2) == ["/oauth/token", "/api/v1/profiles/me"])
      #expect(
        standIn.server.requests.dropLast().last?.form == [
          "grant_type": "refresh_token", "refresh_token": "R\(number - 1)", "client_id": "53",
          "client_secret": "s+/ é",
        ])
    }
  }

  @Test("A token that the API refuses before its time is refreshed, and the request is repeated")
  func unauthorized() throws {
    let standIn = try standIn(life: 7_200, first: 2)
    _ = try standIn.keep(Self.redirect, environment: Self.secret)
    let answer = try request(standIn)
    #expect(answer.status == 0, "\(answer.messages)")
    #expect(answer.output == #"{"id":53,"name":"Ann"}"#)
    #expect(
      standIn.server.requests.map(\.path).suffix(3) == [
        "/api/v1/profiles/me", "/oauth/token", "/api/v1/profiles/me",
      ])
    #expect(try standIn.use("token", "--output", "token").output == "A2\n")
  }
}
