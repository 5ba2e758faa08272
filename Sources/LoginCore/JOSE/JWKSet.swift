/// The keys that a provider publishes (RFC 7517 section 5).
public struct JWKSet: Sendable {
  /// The keys that signatures can be verified with; a set may hold others, which are left out.
  package let keys: [JWK]

  /// A set of these keys.
  package init(_ keys: [JWK] = []) { self.keys = keys }

  /// The body of an answer from a `jwks_uri`.
  public init(body: [UInt8]) throws(Failure) {
    func fault(_ reason: JSONFault.Reason) -> Failure {
      .network(.badResponse(.notJSON(reason, status: 200, from: .keySet)))
    }
    let members = try JSONReader.members(of: body) { fault($0.reason) }
    guard let keys = members["keys"]?.array else { throw fault(.notAnObject) }
    self.keys = keys.compactMap { $0.object.flatMap(JWK.init) }
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
