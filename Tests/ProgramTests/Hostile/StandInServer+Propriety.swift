import Foundation
import GnuTLSCrypto
import LoginCore
import TestSupport
import Testing

extension StandInServer.Request {
  /// Expects what holds for every request of a login, whatever the provider does.
  func expectPropriety(isConfidential: Bool) throws {
    let names = (queryItems + formItems).map(\.name).filter { $0 != "resource" }
    #expect(Set(names).count == names.count, "no parameter twice (RFC 6749 section 3.1)")
    #expect(headers["accept-encoding"] == "identity", "what is not compressed is no bomb")
    let inURL = queryItems.map(\.name)
    for secret in ["client_secret", "code_verifier", "code"] {
      #expect(!inURL.contains(secret), "RFC 6749 section 2.3.1, RFC 7636 section 4.5")
    }
    if path == "/token" {
      expectExchange(isConfidential: isConfidential)
    } else {
      #expect(method == "GET" && body.isEmpty)
      #expect(headers["authorization"] == nil)
    }
  }

  /// RFC 6749 sections 2.3, 3.2 and 4.1.3.
  private func expectExchange(isConfidential: Bool) {
    #expect(method == "POST" && queryItems.isEmpty)
    #expect(headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(headers["cookie"] == nil, "cookies are for pages")
    #expect(form["grant_type"] == "authorization_code")
    #expect(form["redirect_uri"] == "https://app.example/done", "the one that the user was sent with")
    #expect(form["client_secret"] == nil)
    // One way to say who asks, and only one.
    #expect((headers["authorization"] != nil) == isConfidential)
    #expect(form["client_id"] == (isConfidential ? nil : "client"))
  }

  /// Whether the request proves that whoever asked for the code has it now (RFC 7636 section 4.6).
  func redeems(_ asked: [String: String]) throws -> Bool {
    let verifier = form["code_verifier"] ?? ""
    let digest = try GnuTLSCryptography().digest(.sha256, of: Array(verifier.utf8))
    return (43...128).contains(verifier.utf8.count) && asked["code_challenge_method"] == "S256"
      && asked["code_challenge"] == Base64.encodeURLSafe(digest)
  }
}
