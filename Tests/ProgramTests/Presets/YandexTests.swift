import Foundation
import Synchronization
import TestSupport
import Testing

/// https://yandex.ru/dev/id/doc/en/codes/screen-code, .../codes/screen-code-oauth, .../tokens/refresh-client,
/// .../tokens/token-invalidate and .../user-information
@Suite("Yandex ID", .blocking)
struct YandexTests {
  private static let secret = ["TOKENTRY_CLIENT_SECRET": "f25beb"]

  private func standIn(hasDevice: Bool = true) throws -> PresetStandIn {
    let polls = Mutex(0)
    return try PresetStandIn(
      "yandex", callback: { "https://oauth.yandex.ru/verification_code?state=\($0)&code=9702455" },
      answer: { request in
        switch request.path {
        case "/info": Self.info(request)
        case "/device/code":
          .json(
            #"{"device_code":"D","user_code":"k4zr9pmt","verification_url":"https://ya.ru/device","#
              + #""expires_in":600,"interval":1}"#)
        case "/revoke_token": Self.revocation(request, hasDevice: hasDevice)
        default:
          if request.form["grant_type"] == "device_code",
            polls.withLock({
              $0 += 1; return $0
            }) == 1
          {
            .json(#"{"error":"authorization_pending","error_description":"not yet"}"#, status: 400)
          } else {
            Self.token(request)
          }
        }
      })
  }

  private static func token(_ request: StandInServer.Request) -> StandInServer.Answer {
    let form = request.form
    let isGood =
      switch form["grant_type"] {
      case "authorization_code": form["code"] == "9702455"
      case "device_code": form["code"] == "D"
      case "refresh_token": form["refresh_token"]?.hasPrefix("R") == true
      default: false
      }
    guard isGood, form["client_secret"] == "f25beb" else {
      return .json(#"{"error":"bad_verification_code","error_description":"Invalid code"}"#, status: 400)
    }
    let number = form["grant_type"] == "refresh_token" ? 2 : 1
    return .json(
      #"{"access_token":"y0_A\#(number)","expires_in":31536000,"refresh_token":"R\#(number)","#
        + #""token_type":"bearer","scope":"login:info"}"#)
  }

  private static func info(_ request: StandInServer.Request) -> StandInServer.Answer {
    request.headers["authorization"]?.hasPrefix("OAuth y0_") == true
      ? .json(#"{"id":"1000034426","login":"ivan","client_id":"53"}"#) : StandInServer.Answer(401)
  }

  /// Knows only access tokens, and revokes only those of a device.
  private static func revocation(_ request: StandInServer.Request, hasDevice: Bool) -> StandInServer.Answer {
    guard request.form["access_token"]?.hasPrefix("y0_") == true, request.form["client_secret"] == "f25beb"
    else {
      return .json(
        #"{"error":"invalid_request","error_description":"access_token not in POST"}"#, status: 400)
    }
    return hasDevice ? .json(#"{"status":"ok"}"#) : .json(#"{"error":"unsupported_token_type"}"#, status: 400)
  }

  @Test("Requests with the token use Yandex's own scheme")
  func scheme() throws {
    let standIn = try standIn()
    let login = try standIn.keep(environment: Self.secret)
    #expect(try standIn.use("userinfo")["login"] as? String == "ivan")
    #expect(standIn.server.requests.last?.target == "/info?format=json")
    let answer = try standIn.use("request", standIn.server.base + "/info")
    #expect(answer.status == 0, "\(answer.messages)")
    #expect(try standIn.use("token", "--output", "header").output == "Authorization: OAuth y0_A1\n")
    let printed = try standIn.run(["userinfo", "--token-file", "-"], input: login.output)
    #expect(printed["login"] as? String == "ivan", "\(printed.messages)")
  }

  @Test(
    "Only access tokens of a device are revoked, under their own parameter name", arguments: [true, false])
  func revocation(hasDevice: Bool) throws {
    let standIn = try standIn(hasDevice: hasDevice)
    #expect(try standIn.keep(environment: Self.secret).status == 0)
    let logout = try standIn.use("logout")
    #expect(logout.status == 0, "\(logout.messages)")
    #expect(logout["revoked"] as? [String] == (hasDevice ? ["access_token"] : []))
    #expect(logout["forgotten"] as? Bool == true)
    let revocations = standIn.server.requests.filter { $0.path == "/revoke_token" }
    #expect(
      revocations.map(\.form) == [["access_token": "y0_A1", "client_id": "53", "client_secret": "f25beb"]])
  }

  @Test("A device uses Yandex's older grant and parameter")
  func device() throws {
    let standIn = try standIn()
    let outcome = try standIn.run(
      ["login", "--way", "device", "--param", "device_id=0123456789abcdef"], environment: Self.secret)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(
      outcome.messages
        == "tokentry: info: to sign in, open https://ya.ru/device and enter the code k4zr9pmt\n")
    #expect(standIn.server.requests.first?.form["device_id"] == "0123456789abcdef")
    #expect(
      standIn.server.requests.last?.form == [
        "grant_type": "device_code", "code": "D", "client_id": "53", "client_secret": "f25beb",
      ])
  }
}
