import Testing

@testable import TestSupport

/// Logins at authorization servers that others have written: one after the other, since one of them fails at two at once.
@Suite("Logging in at real servers", .serialized, .blocking, .withServers, .limited(toMinutes: 5))
struct InteropTests {
  /// What is verified of every login with OpenID Connect and a code.
  static let checks = [
    "redirect": "exact", "state": "verified", "pkce": "S256", "id_token": "verified", "nonce": "verified",
  ]
  /// The same at a server that names itself in the callback (RFC 9207).
  static let checksWithIssuer = checks.merging(["iss": "verified"]) { $1 }
}
