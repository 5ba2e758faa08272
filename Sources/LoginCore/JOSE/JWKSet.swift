/// The keys that a provider publishes (RFC 7517 section 5).
public struct JWKSet: Sendable {
  /// The keys that signatures can be verified with; a set may hold others, which are left out.
  public let keys: [JWK]

  /// A set of these keys.
  public init(_ keys: [JWK] = []) { self.keys = keys }

  /// The body of an answer from a `jwks_uri`.
  public init(body: [UInt8]) throws(Failure) {
    do throws(JSONFault) {
      guard let members = try JSONReader.read(body).object?["keys"]?.array else {
        throw JSONFault(reason: .notAnObject, line: 1)
      }
      keys = members.compactMap { $0.object.flatMap(JWK.init) }
    } catch {
      throw .network(.badResponse(.notJSON(error.reason, status: 200, from: .keySet)))
    }
  }

  /// The one key that the signature must have been made with: the one that is named, else the only one that
  /// fits (OpenID Connect Core section 10.1). Where several fit, trying them all would let a provider's
  /// weakest key speak for every other.
  func key(for jws: JWS) throws(JOSEFault) -> JWK {
    let candidates = keys.filter { candidate in
      guard candidate.fits(jws.algorithm) else { return false }
      guard let wanted = jws.keyID else { return true }
      return candidate.keyID?.isIdentical(to: wanted) ?? false
    }
    guard let first = candidates.first else { throw .unknownKey }
    guard candidates.count == 1 else { throw .ambiguousKey }
    return first
  }
}
