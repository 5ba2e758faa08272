import LoginCore

/// Who has signed in, and when.
struct Session: Sendable {
  let user: DemoUser
  let signedInAt: UTCDate
}

/// What a person has granted to the application.
struct Grant: Sendable {
  let session: Session
  let scope: [DemoScope]
  /// Repeated in the id_token.
  var nonce: String?

  /// For how many seconds an access token is good.
  static let life: Int64 = 3_600
}

/// What a code was bound to (RFC 6749 section 4.1.2, RFC 7636 section 4.4).
struct IssuedCode: Sendable {
  let grant: Grant
  let redirectURI: String
  let challenge: String
}
