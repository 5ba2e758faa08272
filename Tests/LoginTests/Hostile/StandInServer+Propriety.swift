import Foundation
import GnuTLSCrypto
import LoginCore
import TestSupport
import Testing

extension StandInServer.Request {
  /// The parameters of the query, decoded.
  var query: [(String, String)] {
    Self.parameters(target.components(separatedBy: "?").dropFirst().joined(separator: "?"))
  }

  /// The parameters of the body, decoded.
  var form: [(String, String)] { Self.parameters(body) }

  private static func parameters(_ text: String) -> [(String, String)] {
    text.split(separator: "&").map { pair in
      let halves = pair.replacingOccurrences(of: "+", with: " ").split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = halves.map { $0.removingPercentEncoding ?? "" }
      return (texts[0], texts.count > 1 ? texts[1] : "")
    }
  }

  /// Expects what holds for every request of a login, whatever the provider does.
  func expectPropriety(isConfidential: Bool) throws {
    let names = (query + form).map(\.0).filter { $0 != "resource" }
    #expect(Set(names).count == names.count, "no parameter twice (RFC 6749 section 3.1)")
    #expect(headers["accept-encoding"] == "identity", "what is not compressed is no bomb")
    let inURL = query.map(\.0)
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
    #expect(method == "POST" && query.isEmpty)
    #expect(headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(headers["cookie"] == nil, "cookies are for pages")
    let form = Dictionary(form, uniquingKeysWith: { $1 })
    #expect(form["grant_type"] == "authorization_code")
    #expect(form["redirect_uri"] == "https://app.example/done", "the one that the user was sent with")
    #expect(form["client_secret"] == nil)
    // One way to say who asks, and only one.
    #expect((headers["authorization"] != nil) == isConfidential)
    #expect(form["client_id"] == (isConfidential ? nil : "client"))
  }

  /// Whether the request proves that whoever asked for the code has it now (RFC 7636 section 4.6).
  func redeems(_ asked: [String: String]) throws -> Bool {
    let verifier = form.first { $0.0 == "code_verifier" }?.1 ?? ""
    let digest = try GnuTLSCryptography().digest(.sha256, of: Array(verifier.utf8))
    return (43...128).contains(verifier.utf8.count) && asked["code_challenge_method"] == "S256"
      && asked["code_challenge"] == Base64.encodeURLSafe(digest)
  }
}
