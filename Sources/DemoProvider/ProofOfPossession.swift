import LoginCore
import SoupNetwork

/// Tokens that are bound to a key of the client (RFC 9449).
extension DemoServer {
  /// A proof may be this old, or this far ahead of the clock, in seconds.
  private static let proofLife: Int64 = 300

  /// Returns the thumbprint of the key that a request proves to possess (section 4.3), or nil if it has no proof.
  /// `accessToken` is the token that the request carries.
  mutating func provenKey(
    of request: HTTPServerRequest, at route: Route, accessToken: String? = nil
  ) throws(OAuthError) -> String? {
    let fields = request.headers.filter { $0.name.lowercased() == "dpop" }
    guard let field = fields.first else { return nil }
    guard fields.count == 1, let proof = try signedProof(field.value) else { throw .badProof }
    let (claims, thumbprint, now) = (proof.claims, proof.thumbprint, clock.now())
    guard let issued = claims["iat"]?.truncated, abs(now.secondsSince1970 - issued) <= Self.proofLife,
      let identifier = claims["jti"]?.string, claims["htm"]?.string == request.method,
      claims["htu"]?.string == issuer + route.rawValue
    else { throw .badProof }
    if let accessToken {
      guard claims["ath"]?.string == Base64.encodeURLSafe(try mint.digest(accessToken)) else {
        throw .badProof
      }
    }
    guard proofs.value(for: identifier, at: now) == nil else { throw .badProof }
    proofs.insert((), for: identifier, until: now.later(2 * Self.proofLife), now: now)
    return thumbprint
  }

  /// Returns the claims of a proof that is signed with the key in its header, and the thumbprint of that key.
  private func signedProof(_ text: String) throws(OAuthError) -> (claims: JSONObject, thumbprint: String)? {
    guard let jws = try? JWS(text), jws.type == "dpop+jwt", jws.algorithm == .es256,
      let header = Base64.decodeURLSafe(text.parts(at: ".")[0]),
      let members = try? JSONReader.read(header).object, let jwk = members["jwk"]?.object,
      jwk["d"] == nil, let key = JWK(jwk)
    else { return nil }
    do throws(Failure) {
      guard let payload = try jws.payload(verifiedWith: key.key, mint.cryptography),
        let thumbprint = try Thumbprint.text(of: jwk, mint.cryptography)
      else { return nil }
      return (try? JSONReader.read(payload).object).map { ($0, thumbprint) }
    } catch {
      throw OAuthError(.serverError, "The proof could not be checked.")
    }
  }
}

extension OAuthError {
  static let badProof = OAuthError(
    .invalidProof, "The DPoP proof is malformed, too old, used before, or made for another request.")
}
