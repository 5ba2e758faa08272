/// The ways in which a client authenticates at the token endpoint. Each request uses one (RFC 6749 section 2.3).
@nonexhaustive
public enum ClientAuthentication: String, Sendable, CaseIterable {
  /// With HTTP Basic (RFC 6749 section 2.3.1).
  case basic
  /// With the secret in the body.
  case post
  /// With an assertion that the client has signed with its private key (RFC 7523 section 2.2).
  case privateKeyJWT = "private_key_jwt"
  /// Not at all: a public client only names itself.
  case none
}

/// The ways in which a code is bound to the program that asked for it (RFC 7636 section 4.2).
@nonexhaustive
public enum CodeChallengeMethod: String, Sendable, CaseIterable {
  /// By a digest of the verifier.
  case s256 = "S256"
  /// By the verifier itself: only if a preset says that the provider supports no digest.
  case plain
  /// Not at all: only if a preset says that the provider refuses the parameters.
  case none

  func challenge(for verifier: CodeVerifier, with cryptography: any Cryptography) throws(Failure) -> String? {
    switch self {
    case .s256: Base64.encodeURLSafe(try cryptography.digest(.sha256, of: Array(verifier.revealed().utf8)))
    case .plain: verifier.revealed()
    case .none: nil
    }
  }
}

/// The ways in which a login gets its token (RFC 6749 sections 1.3 and 4, RFC 8628).
@nonexhaustive
public enum GrantType: String, Sendable, CaseIterable {
  /// By a code that the user agent brings back.
  case code
  /// The user agent brings back the token, in an address. RFC 9700 section 2.1.2 advises against it: use ``code`` if the
  /// provider has it.
  case implicit
  /// By a code that the user enters on another device.
  case device
  /// By the credentials of the client, without a user.
  case clientCredentials = "client-credentials"
  /// By the user's name and password.
  case password
  /// By another token (RFC 8693).
  case tokenExchange = "token-exchange"

  /// True if the user agent is sent to the authorization endpoint.
  package var usesAuthorizationEndpoint: Bool { self == .code || self == .implicit }

  /// True if the user is asked to sign in.
  package var asksUser: Bool { usesAuthorizationEndpoint || self == .device }
}

/// The parts of an answer that an authorization request asks for (RFC 6749 section 3.1.1, OAuth 2.0 Multiple Response
/// Types).
public struct ResponseType: Sendable, Equatable, CustomStringConvertible {
  /// The `response_type` parameter.
  public let description: String

  /// Returns nil unless the text consists of the standard's words, each at most once.
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

  /// True if the callback brings a code.
  package var includesCode: Bool { includes("code") }
  /// True if the callback brings an access token.
  package var includesToken: Bool { includes("token") }
  /// True if the callback brings an id_token.
  package var includesIDToken: Bool { includes("id_token") }

  func includes(_ word: String) -> Bool { description.split(separator: " ").contains { $0 == word } }

  /// The mode of the answer unless the request names one (Multiple Response Types sections 2.1 and 5).
  package var defaultMode: ResponseMode { self == .code ? .query : .fragment }
}

/// The part of a callback that carries the answer (OAuth 2.0 Multiple Response Types section 2.1).
@nonexhaustive
public enum ResponseMode: String, Sendable, CaseIterable {
  /// The part of the URL with that name.
  case query, fragment
  /// The body of a POST, which a web view cannot see.
  case formPost = "form_post"
}

/// The parts of a token request that carry its parameters.
enum TokenRequestForm: String, Sendable, CaseIterable {
  /// All parameters are in the body (RFC 6749 section 4.1.3).
  case form
  /// The code, the refresh token and secrets are in the body as a form, the rest in the query (VK ID).
  case codeInBody = "code-in-body"
  /// Like ``codeInBody``, with a JSON object as the body.
  case codeInJSONBody = "code-in-json-body"
  /// All parameters are members of a JSON object in the body (Notion).
  case json
}

extension Provider {
  /// A request to an endpoint that does not follow a standard.
  struct RequestForm: Sendable, Equatable, MemberCoded {
    /// The method.
    var method = HTTPRequest.Method.get
    /// The names of the parameters that a form carries.
    var members: [String] = []
    /// The names of those parameters that are in the query all the same.
    var query: [String] = []

    package mutating func code(_ coder: inout MemberCoder) {
      coder.value("method", &method, else: .get, .choice(of: [.get, .post, .delete]))
      coder.texts("members", &members)
      coder.texts("query", &query)
    }
  }

  /// The device grant at a provider that does not follow RFC 8628. An older one has another name for the grant, and the
  /// code in another parameter.
  struct DeviceGrant: Sendable, Equatable, MemberCoded {
    /// The `grant_type`.
    var type = "urn:ietf:params:oauth:grant-type:device_code"
    /// The name of the parameter with the code.
    var parameter = "device_code"
    /// True if the provider has Nextcloud's Login Flow v2 instead.
    var isLoginFlow = false

    package mutating func code(_ coder: inout MemberCoder) {
      coder.value("grant_type", &type, else: Self().type, .text)
      coder.value("parameter", &parameter, else: Self().parameter, .text)
      coder.value("protocol", &isLoginFlow, else: false, .word("login-flow-v2", of: ["login-flow-v2"]))
    }
  }
}
