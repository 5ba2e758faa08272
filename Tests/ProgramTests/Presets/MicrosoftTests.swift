import Foundation
import LoginCore
import Synchronization
import TestSupport
import Testing

/// https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow
@Suite("Microsoft", .blocking)
struct MicrosoftTests {
  private static let home = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
  private static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

  private static func issuer(_ tenant: String) -> String {
    "https://login.microsoftonline.com/\(tenant)/v2.0"
  }

  /// `tenant` issues the id_token, which contains `tid`, with a key that belongs to `owner`.
  private func standIn(
    _ preset: String, variables: [String: String], tenant: String = home, tid: String? = nil,
    keyOf owner: String? = nil, refusal: String? = nil, callback: String = ""
  ) throws -> PresetStandIn {
    let authority = try IDTokenAuthority(.rs256)
    let count = Mutex(0)
    return try PresetStandIn(
      preset, variables: variables,
      page: { PresetStandIn.redirect($0, with: "code=0.AXEA&session_state=00b5" + callback) },
      answer: { request in
        if request.path.hasSuffix("/discovery/v2.0/keys") {
          return authority.keys(["issuer": .string(owner ?? Self.issuer("{tenantid}"))])
        }
        if request.form["grant_type"] == "refresh_token", let refusal {
          return .json(
            #"{"error":"\#(refusal)","error_description":"AADSTS50076","error_codes":[50076],"suberror":"basic"}"#,
            status: 400)
        }
        let number = count.withLock { count in
          count += 1
          return count
        }
        let claims: JSONObject = [
          "aud": "53", "tid": .string(tid ?? tenant), "ver": "2.0", "nonce": number == 1 ? "N" : .null,
        ]
        let idToken = (try? authority.token(of: Self.issuer(tenant), claims)) ?? ""
        return .json(
          #"{"token_type":"Bearer","scope":"openid https://graph.microsoft.com/User.Read","expires_in":4736,"#
            + #""ext_expires_in":4736,"access_token":"A\#(number)","refresh_token":"R\#(number)","id_token":"\#(idToken)"}"#
        )
      })
  }

  private func directory(refusal: String? = nil, tenant: String = home) throws -> PresetStandIn {
    try standIn("microsoft", variables: ["tenant": Self.home], tenant: tenant, refusal: refusal)
  }

  @Test("A refresh that demands the user needs a login")
  func needsUser() throws {
    let standIn = try directory(refusal: "interaction_required")
    #expect(try standIn.keep(optionsFile(["nonce": "N"])).status == 0)
    let token = try standIn.refresh()
    #expect(token.status == 8, "\(token.output)")
    #expect(token.error == "login_required")
  }

  @Test("A token of another directory is refused, and the variable tenant is required")
  func otherDirectory() throws {
    let other = try directory(tenant: Self.consumers).login(optionsFile(["nonce": "N"]))
    #expect(other.status == 6)
    #expect(other.error == "invalid_id_token")
    let missing = try Tokentry.run(["explain", "--provider", "microsoft", "--client-id", "53"])
    #expect(missing.status == 2)
    #expect(missing.messages.contains("--var tenant=VALUE"))
  }

  @Test("For users of any directory the token names its issuer, and the key belongs to that issuer")
  func common() throws {
    let named = "&iss=" + FormEncoding.encode(Self.issuer(Self.consumers))
    for (owner, callback) in [(nil, ""), (Self.issuer(Self.consumers), named)] {
      let standIn = try standIn(
        "microsoft-common", variables: [:], tenant: Self.consumers, keyOf: owner, callback: callback)
      let outcome = try standIn.keep(optionsFile(["nonce": "N"]))
      #expect(outcome.status == 0, "\(outcome.output)")
      #expect((outcome["claims"] as? [String: Any])?["tid"] as? String == Self.consumers)
      #expect(standIn.server.requests.first?.path == "/common/oauth2/v2.0/authorize")
      #expect(standIn.server.requests.first?.query["scope"] == "openid offline_access")
      let token = try standIn.refresh()
      #expect(token.accessToken == "A2", "\(token.messages)")
    }
  }

  @Test(
    "A directory cannot issue tokens for another one",
    arguments: [
      (consumers, home, nil), (consumers, "", nil), ("../\(consumers)", "../\(consumers)", nil),
      (consumers, consumers, home),
    ] as [(String, String, String?)])
  func mixedUp(tenant: String, tid: String, owner: String?) throws {
    let outcome = try standIn(
      "microsoft-common", variables: ["accounts": "organizations"], tenant: tenant, tid: tid,
      keyOf: owner.map(Self.issuer)
    ).login(optionsFile(["nonce": "N"]))
    #expect(outcome.status == 6, "\(outcome.output)")
    #expect(outcome.error == "invalid_id_token")
  }
}
