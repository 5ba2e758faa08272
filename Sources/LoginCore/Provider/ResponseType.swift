/// What an authorization request asks for (RFC 6749 section 3.1.1, OAuth 2.0 Multiple Response Types).
public struct ResponseType: Sendable, Equatable, CustomStringConvertible {
  /// The `response_type` parameter.
  public let description: String

  /// Nothing for a word that no standard defines.
  public init?(_ text: String) {
    var words: [Substring] = []
    for word in text.split(separator: " ") {
      if !["code", "token", "id_token"].contains(word) || words.contains(word) { return nil }
      words.append(word)
    }
    guard let first = words.first else { return nil }
    description = words.dropFirst().reduce(into: String(first)) { $0 += " " + $1 }
  }

  private init(known text: String) { description = text }

  /// The authorization code grant.
  public static let code = ResponseType(known: "code")
  /// The implicit grant.
  public static let token = ResponseType(known: "token")

  /// Whether there will be a code to exchange.
  public var includesCode: Bool { includes("code") }
  /// Whether there will be an access token in the callback.
  public var includesToken: Bool { includes("token") }
  /// Whether there will be an id_token in the callback.
  public var includesIDToken: Bool { includes("id_token") }

  func includes(_ word: String) -> Bool { description.split(separator: " ").contains { $0 == word } }

  /// Where the answer comes unless the request names a mode (Multiple Response Types section 2.1 and 5).
  package var defaultMode: ResponseMode { self == .code ? .query : .fragment }
}

/// Where in the callback the answer is (OAuth 2.0 Multiple Response Types section 2.1).
public enum ResponseMode: String, Sendable, CaseIterable {
  /// In the part of that name.
  case query, fragment
  /// In the body of a POST, which a web view cannot see.
  case formPost = "form_post"
}
