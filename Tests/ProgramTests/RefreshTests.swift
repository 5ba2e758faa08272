import Foundation
import LoginCore
import TestSupport
import Testing

@Suite("A token that is renewed, against a server", .blocking)
struct RefreshTests {
  @Test(
    "An id_token that comes along is about the login that is renewed",
    arguments: [("ann", 0), ("eve", 6)] as [(String, Int32)])
  func refresh(subject: String, status: Int32) throws {
    let authority = try IDTokenAuthority()
    let server = try StandInServer { request, base in
      switch request.path {
      case "/.well-known/openid-configuration":
        return .json(#"{"issuer":"\#(base)","token_endpoint":"\#(base)/token","jwks_uri":"\#(base)/keys"}"#)
      case "/keys": return authority.keys
      default:
        let idToken = (try? authority.token(of: base, ["sub": .string(subject), "nonce": .null])) ?? ""
        return .json(#"{"access_token":"T2","token_type":"Bearer","id_token":"\#(idToken)"}"#)
      }
    }
    let token =
      #"{"access_token":"T","token_type":"Bearer","refresh_token":"R","claims":{"iss":"\#(server.base)","#
      + #""sub":"ann","aud":"client"}}"#
    let outcome = try Program.run(
      [
        "login", "--issuer", server.base, "--client-id", "client", "--redirect-uri",
        "https://app.example/done",
        "--token-file", "-",
      ], input: token)
    #expect(outcome.status == status, "\(outcome.output)\(outcome.messages)")
    #expect(
      server.requests.last { $0.path == "/token" }?.body
        == "grant_type=refresh_token&refresh_token=R&client_id=client")
    if status == 0 {
      #expect(outcome["refresh_token"] as? String == "R")
      #expect((outcome["checks"] as? [String: String]) == ["id_token": "verified"])
    } else {
      #expect(outcome["error"] as? String == "invalid_id_token")
    }
  }
}
