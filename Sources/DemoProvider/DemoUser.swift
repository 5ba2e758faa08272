import LoginCore

/// Whoever signs in at the demo provider: anybody, under any name.
struct DemoUser: Sendable, Equatable {
  /// The one password there is, which the page tells.
  static let password = "demo"
  /// The longest name; it is printed on pages.
  private static let longestName = 64

  let name: String
  /// An identifier that is the same at every login of this name, and that is ASCII whatever the name is
  /// (OpenID Connect Core section 2).
  let subject: String

  /// Nothing for a name that is empty, too long, or no line of text.
  init?(name: String, mint: Mint) throws(OAuthError) {
    guard !name.isEmpty, name.unicodeScalars.count <= Self.longestName,
      name.forDisplay().isIdentical(to: name)
    else { return nil }
    self.name = name
    subject = "user-" + Base64.encodeURLSafe(try mint.digest("demo user \(name)").prefix(12))
  }

  /// What the scopes let an application know (OpenID Connect Core section 5.4).
  func claims(for scope: [DemoScope]) -> JSONObject {
    var claims: JSONObject = ["sub": .string(subject)]
    if scope.contains(.profile) {
      claims["name"] = .string(name)
      claims["preferred_username"] = .string(name)
    }
    return claims
  }
}

/// What the demo provider can grant.
enum DemoScope: String, CaseIterable, Sendable {
  case openid, profile

  /// What it means, for the person who is asked.
  var explanation: String {
    switch self {
    case .openid: "Recognise you when you come back"
    case .profile: "Read your name"
    }
  }

  /// The scopes that were asked for and are known; others are left out, and the answer says so
  /// (RFC 6749 section 3.3).
  static func list(_ text: String?) throws(OAuthError) -> [DemoScope] {
    guard let text else { return [.profile] }
    let words = text.parts(at: " ")
    let known = allCases.filter { scope in words.contains { $0.isIdentical(to: scope.rawValue) } }
    if known.isEmpty { throw OAuthError(.invalidScope, "None of these scopes is known here.") }
    return known
  }
}

extension [DemoScope] {
  /// The list as a `scope` parameter.
  var text: String { map(\.rawValue).joined(separator: " ") }
}
