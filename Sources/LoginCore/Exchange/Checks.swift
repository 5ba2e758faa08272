/// What was really verified on the way to a token; a check that did not apply is absent.
public struct Checks: Sendable, Equatable {
  /// How exactly the callback was the redirect URI.
  public var redirect: RedirectCheck?
  /// Whether the state was repeated.
  public var state = false
  /// How the code was bound to the request, and accepted.
  public var pkce: CodeChallengeMethod?
  /// Whether the callback named the issuer.
  public var issuer = false

  /// Whether the id_token was verified.
  public var idToken = false
  /// Whether the id_token repeated the nonce.
  public var nonce = false

  /// Nothing yet.
  public init() {}

  var json: JSONObject {
    func word(_ isVerified: Bool) -> JSONValue? { isVerified ? "verified" : nil }
    return [
      "redirect": redirect.map { .string($0.rawValue) }, "state": word(state),
      "pkce": pkce.map { .string($0.rawValue) }, "iss": word(issuer), "id_token": word(idToken),
      "nonce": word(nonce),
    ]
  }

  init(json: JSONObject) {
    redirect = json["redirect"]?.string.flatMap(RedirectCheck.init)
    state = json["state"]?.string == "verified"
    pkce = json["pkce"]?.string.flatMap(CodeChallengeMethod.init)
    issuer = json["iss"]?.string == "verified"
    idToken = json["id_token"]?.string == "verified"
    nonce = json["nonce"]?.string == "verified"
  }
}
