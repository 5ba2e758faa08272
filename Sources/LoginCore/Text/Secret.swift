/// A text that must not be seen. It prints as `[redacted]` and is compared in constant time. The role is part of its type,
/// so that a nonce cannot be sent in place of a state.
public struct Secret<Role>: Sendable {
  private let value: String

  /// Wraps a secret as it was received or generated.
  public init(_ value: String) { self.value = value }

  /// Returns the secret itself. Search for this name to find every use.
  public func revealed() -> String { value }
}

extension Secret: Equatable {
  /// Compares in a time that depends only on the lengths.
  public static func == (left: Secret, right: Secret) -> Bool {
    let a = Array(left.value.utf8), b = Array(right.value.utf8)
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }
}

extension Secret: Redacted {}

/// A value that may hold secrets: printing and reflection show only its `description`, by default `[redacted]`.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  public var description: String { "[redacted]" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A random value that binds a callback to its request (RFC 6749 section 10.12).
public typealias OAuthState = Secret<StateRole>
/// A random value that binds an id_token to its request (OpenID Connect Core section 3.1.2.1).
package typealias Nonce = Secret<NonceRole>
/// The secret behind a code challenge (RFC 7636 section 4.1).
package typealias CodeVerifier = Secret<CodeVerifierRole>
/// A one-time code that is exchanged for a token (RFC 6749 section 4.1.2).
public typealias AuthorizationCode = Secret<AuthorizationCodeRole>
/// The token that gives access to an API (RFC 6749 section 1.4).
public typealias AccessToken = Secret<AccessTokenRole>
/// The token that renews an access token (RFC 6749 section 1.5).
public typealias RefreshToken = Secret<RefreshTokenRole>
/// The secret that a confidential client shares with the provider (RFC 6749 section 2.3.1).
public typealias ClientSecret = Secret<ClientSecretRole>
/// The private key with which a client signs its assertions, as PEM or as a JWK (RFC 7523 section 2.2).
public typealias ClientKey = Secret<ClientKeyRole>
/// The code that a device exchanges for a token after the user has signed in elsewhere (RFC 8628 section 3.2).
package typealias DeviceCode = Secret<DeviceCodeRole>
/// A user's password, which only the password grant uses (RFC 6749 section 4.3).
package typealias Password = Secret<PasswordRole>

/// The role of an ``OAuthState``.
public enum StateRole {}
/// The role of a ``Nonce``.
package enum NonceRole {}
/// The role of a ``CodeVerifier``.
package enum CodeVerifierRole {}
/// The role of an ``AuthorizationCode``.
public enum AuthorizationCodeRole {}
/// The role of an ``AccessToken``.
public enum AccessTokenRole {}
/// The role of a ``RefreshToken``.
public enum RefreshTokenRole {}
/// The role of a ``ClientSecret``.
public enum ClientSecretRole {}
/// The role of a ``ClientKey``.
public enum ClientKeyRole {}
/// The role of a ``DeviceCode``.
package enum DeviceCodeRole {}
/// The role of a ``Password``.
package enum PasswordRole {}

extension CodeVerifier {
  /// True if the text is a code verifier as RFC 7636 section 4.1 defines it.
  package var isWellFormed: Bool {
    let bytes = revealed().utf8
    return (43...128).contains(bytes.count) && bytes.allSatisfy(\.isUnreserved)
  }
}

extension Secret {
  /// True if every provider can send the text back unchanged: printable ASCII, and not empty.
  var isPrintableASCII: Bool {
    !value.isEmpty && value.utf8.allSatisfy { $0 == 0x20 || $0.isVisible }
  }
}
