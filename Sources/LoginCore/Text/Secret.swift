/// A text that must not be seen: it prints as `[redacted]`, is compared in constant time, and belongs to one
/// role, so that a nonce cannot be sent where a state belongs.
public struct Secret<Role>: Sendable {
  private let value: String

  /// Takes the secret as it was received or made.
  public init(_ value: String) { self.value = value }

  /// The secret itself: every use can be found by this name.
  public func revealed() -> String { value }
}

extension Secret: Equatable {
  /// The time this takes depends on the lengths alone.
  public static func == (left: Secret, right: Secret) -> Bool {
    let a = Array(left.value.utf8), b = Array(right.value.utf8)
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }
}

extension Secret: Redacted {}

/// A value that is not fit to be seen, or only as far as its `description` says: it shows nothing of what it is made of.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  public var description: String { "[redacted]" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The value that binds a callback to the request it answers (RFC 6749 section 10.12).
public typealias State = Secret<StateRole>
/// The value that binds an id_token to the request it answers (OpenID Connect Core section 3.1.2.1).
public typealias Nonce = Secret<NonceRole>
/// The secret behind a code challenge (RFC 7636 section 4.1).
public typealias CodeVerifier = Secret<CodeVerifierRole>
/// A code to be exchanged for a token, once (RFC 6749 section 4.1.2).
public typealias AuthorizationCode = Secret<AuthorizationCodeRole>
/// What the application wanted (RFC 6749 section 1.4).
public typealias AccessToken = Secret<AccessTokenRole>
/// What renews an access token (RFC 6749 section 1.5).
public typealias RefreshToken = Secret<RefreshTokenRole>
/// What a confidential client shares with the provider.
public typealias ClientSecret = Secret<ClientSecretRole>
/// What a device exchanges for a token once the user has signed in elsewhere (RFC 8628 section 3.2).
public typealias DeviceCode = Secret<DeviceCodeRole>
/// A user's password, which only the password grant ever holds (RFC 6749 section 4.3).
public typealias Password = Secret<PasswordRole>

/// The role of a ``State``.
public enum StateRole {}
/// The role of a ``Nonce``.
public enum NonceRole {}
/// The role of a ``CodeVerifier``.
public enum CodeVerifierRole {}
/// The role of an ``AuthorizationCode``.
public enum AuthorizationCodeRole {}
/// The role of an ``AccessToken``.
public enum AccessTokenRole {}
/// The role of a ``RefreshToken``.
public enum RefreshTokenRole {}
/// The role of a ``ClientSecret``.
public enum ClientSecretRole {}
/// The role of a ``DeviceCode``.
public enum DeviceCodeRole {}
/// The role of a ``Password``.
public enum PasswordRole {}

extension CodeVerifier {
  /// Whether the text is a code verifier as RFC 7636 section 4.1 defines it.
  package var isWellFormed: Bool {
    let bytes = revealed().utf8
    return (43...128).contains(bytes.count) && bytes.allSatisfy(\.isUnreserved)
  }
}

extension Secret {
  /// Whether the text is a state or nonce that every provider can repeat: printable ASCII.
  package var isPrintableASCII: Bool {
    !value.isEmpty && value.utf8.allSatisfy { $0 == 0x20 || $0.isVisible }
  }
}
