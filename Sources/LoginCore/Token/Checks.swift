/// What was really verified on the way to a token; a check that did not apply is absent.
public struct Checks: Sendable, Equatable {
  /// How exactly the callback was the redirect URI.
  public var redirect: RedirectCheck?
  /// Whether the state was repeated.
  public var state = false
  /// Whether the callback named the issuer.
  public var issuer = false

  init() {}

  var json: JSONObject {
    var object = JSONObject()
    object["redirect"] = redirect.map { .string($0.rawValue) }
    if state { object["state"] = "verified" }
    if issuer { object["iss"] = "verified" }
    return object
  }

  init(json: JSONObject) {
    redirect = json["redirect"]?.string.flatMap(RedirectCheck.init)
    state = json["state"]?.string == "verified"
    issuer = json["iss"]?.string == "verified"
  }
}
