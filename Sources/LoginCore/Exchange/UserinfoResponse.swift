/// What a provider says of whoever signed in (OpenID Connect Core section 5.3.2), which is about the user that the
/// id_token is about, where there was one.
public struct UserinfoResponse: Sendable {
  /// The claims, in the provider's own order and JSON types.
  public let claims: JSONObject
  /// Whether they were found to be about the user of the id_token.
  public let isAboutKnownUser: Bool

  /// `subject` is the user of the id_token. Claims about somebody else are not passed on: they may be a stolen
  /// token's. A signed or encrypted answer is refused, since a client has to register to get one (section 5.3.2).
  public init(_ response: HTTPResponse, subject: String?) throws(Failure) {
    guard !(300..<400).contains(response.status) else {
      throw .network(.badResponse(.redirect(from: .userinfo)))
    }
    if response.mediaType == "application/jwt" {
      throw .network(.badResponse(.signedUserinfo))
    }
    let answer = Result { () throws(Failure) in
      try JSONReader.members(of: response.body) { fault -> Failure in
        .network(.badResponse(.notJSON(fault.reason, in: response, from: .userinfo)))
      }
    }
    if let error = (try? answer.get()).flatMap({ ProviderError($0, status: response.status) })
      ?? ProviderError(response.challenges)
    {
      throw .provider(error)
    }
    guard response.status == 200 else {
      throw .network(.badResponse(.status(response.status, from: .userinfo)))
    }
    claims = try answer.get()
    if let subject, claims["sub"]?.string?.isIdentical(to: subject) != true {
      throw .untrusted(.subjectMismatch)
    }
    isAboutKnownUser = subject != nil
  }

  /// The object for standard output: the claims, and what was verified.
  package var json: JSONObject {
    var object = claims
    object["checks"] = isAboutKnownUser ? ["sub": "verified"] : nil
    return object
  }
}

/// Claims are about a person, and nobody's business.
extension UserinfoResponse: Redacted {}
