/// Why there is no token: a code for programs, a sentence for people, and who can do something about it.
///
/// Print a failure to show it. Compare ``code`` to react to one. Make one where the reason is found:
///
///     throw Failure(.invalidConfiguration, "only the code flow with PKCE may leave out the state")
///
/// A failure that is thrown in several places has a factory in the file that throws it. A failure that code has to
/// recognise has a `kind`, which does not depend on the values in its message.
public struct Failure: Error, Sendable {
  /// One reference: typed throws copy a failure through every caller.
  private let facts: Facts

  private final class Facts: Sendable {
    let code: Code
    let kind: Kind?
    let origin: Origin
    let message: Message
    let hint: Hint?
    let details: JSONObject
    let isRetryable: Bool
    let providerDescription: String?
    let providerURI: String?

    init(
      _ code: Code, _ kind: Kind?, _ origin: Origin, _ message: Message, _ hint: Hint?,
      _ details: JSONObject, _ isRetryable: Bool, _ providerDescription: String?, _ providerURI: String?
    ) {
      (self.code, self.kind, self.origin, self.message, self.hint) = (code, kind, origin, message, hint)
      (self.details, self.isRetryable) = (details, isRetryable)
      (self.providerDescription, self.providerURI) = (providerDescription, providerURI)
    }
  }

  /// The side on which a failure lies.
  @nonexhaustive
  public enum Origin: String, Sendable {
    /// The authorization server or the API.
    case provider
    /// The person who signs in.
    case user
    /// The program that asks for a token.
    case caller
    /// The network between this machine and the provider.
    case network
    /// This machine, or a defect in this package.
    case tokentry
  }

  /// The word for programs, such as `state_mismatch`, or the provider's own error code.
  public var code: Code { facts.code }
  /// The name of a failure that code recognises, where its code is too coarse.
  package var kind: Kind? { facts.kind }
  /// Who can do something about it.
  public var origin: Origin { facts.origin }
  /// The event in a sentence: lower case, without a full stop.
  package var message: Message { facts.message }
  /// The next step.
  package var hint: Hint? { facts.hint }
  /// Facts for programs, such as `{"missing":["access_token"]}`.
  public var details: JSONObject { facts.details }
  /// True if the same request may succeed later.
  public var isRetryable: Bool { facts.isRetryable }
  /// The provider's own explanation, as it came: it may contain anything.
  public var providerDescription: String? { facts.providerDescription }
  /// The provider's page about the error, as it came.
  public var providerURI: String? { facts.providerURI }

  package init(_ code: Code, _ message: Message) { self.init(code, message, kind: nil) }

  /// A failure of an application's store, transport or user agent.
  @_disfavoredOverload  // In this package, a literal is a `Message`, which can be translated.
  public init(_ code: Code, _ text: String) { self.init(code, Message(verbatim: text)) }

  /// A failure. Origin and retryability are those of the code unless they are given.
  @inline(never)
  package init(
    _ code: Code, _ message: Message, kind: Kind? = nil, hint: Hint? = nil, origin: Origin? = nil,
    details: JSONObject = [:], isRetryable: Bool? = nil, providerDescription: String? = nil,
    providerURI: String? = nil
  ) {
    facts = Facts(
      code, kind, origin ?? code.origin, message, hint, details, isRetryable ?? code.isRetryable,
      providerDescription, providerURI)
  }

  /// The failure with another hint, or with none.
  package func with(hint: Hint?) -> Failure { with(kind, hint, details) }

  /// The failure with a name for code that recognises it.
  func with(kind: Kind) -> Failure { with(kind, hint, details) }

  /// The failure with more facts for programs.
  package func with(details more: JSONObject) -> Failure {
    with(kind, hint, more.reduce(into: details) { $0[$1.name] = $1.value })
  }

  private func with(_ kind: Kind?, _ hint: Hint?, _ details: JSONObject) -> Failure {
    Failure(
      code, message, kind: kind, hint: hint, origin: origin, details: details, isRetryable: isRetryable,
      providerDescription: providerDescription, providerURI: providerURI)
  }
}

extension Failure: CustomStringConvertible {
  /// The sentence in English, with a hint that is true for everybody in parentheses: what `print` shows, and Swift for an
  /// error that a program does not catch.
  public var description: String {
    (hint?.text).map { "\(message.description) (\($0.description))" } ?? message.description
  }
}

extension Failure: Equatable {
  public static func == (left: Failure, right: Failure) -> Bool {
    left.code == right.code && left.kind == right.kind && left.origin == right.origin
      && left.message == right.message && left.hint == right.hint && left.details == right.details
      && left.isRetryable == right.isRetryable
      && left.providerDescription == right.providerDescription && left.providerURI == right.providerURI
  }
}

extension Failure {
  /// The name of a failure that code recognises, such as ``signInForbidden``. It stands beside the failure's sentence.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name in a word, for the protocols between programs.
    package let rawValue: String

    /// A name for a failure of your own.
    package init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension Failure {
  /// A defect in this package or in what the application passed to it. `detail` is what a library said.
  package static func defect(
    _ detail: String? = nil, _ file: StaticString = #fileID, _ line: UInt = #line
  ) -> Failure {
    let place = "\(file):\(line)" + (detail.map { ": " + $0 } ?? "")
    return Failure(.internalError, "a defect in tokentry: \(place.forDisplay(limit: 300))")
  }
}

extension Failure {
  /// A stable word for programs. ``Failure/origin`` and ``Failure/isRetryable`` follow from it unless a failure says
  /// otherwise. The man page tokentry-token(5) lists the words; words that programs seldom tell apart have no name here:
  /// compare them by ``description``.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The word.
    public let description: String
    /// True for the own code of a provider or an API, which passes through unchanged.
    package let isProvidersOwn: Bool
    fileprivate let origin: Origin
    fileprivate let isRetryable: Bool

    init(_ word: String, _ origin: Origin, isRetryable: Bool = false, isProvidersOwn: Bool = false) {
      (description, self.origin, self.isRetryable) = (word, origin, isRetryable)
      self.isProvidersOwn = isProvidersOwn
    }

    /// The code that a provider or an API sent.
    public static func provider(_ word: String) -> Code {
      Code(
        word, .provider, isRetryable: ["server_error", "temporarily_unavailable"].contains(word),
        isProvidersOwn: true)
    }

    public static func == (left: Code, right: Code) -> Bool {
      left.isProvidersOwn == right.isProvidersOwn && left.description.isIdentical(to: right.description)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }
}

/// The request or the configuration is wrong. No page was opened.
extension Failure.Code {
  /// One value that the caller gave cannot be used.
  package static let invalidOption = Self("invalid_option", .caller)
  /// The caller's values do not fit together, or the provider lacks what they need.
  public static let invalidConfiguration = Self("invalid_configuration", .caller)
  /// No preset has this name.
  public static let unknownProvider = Self("unknown_provider", .caller)
  /// The token may not be sent to this address.
  public static let originNotAllowed = Self("origin_not_allowed", .caller)
}

/// The user did not sign in.
extension Failure.Code {
  /// The user, the caller or a signal ended the login.
  public static let cancelled = Self("cancelled", .user)
  /// The deadline passed first.
  public static let timeout = Self("timeout", .user, isRetryable: true)
  /// The user has to sign in, and may not be asked now.
  public static let loginRequired = Self("login_required", .user)
  /// Another program is refreshing this account or signing in to it.
  public static let alreadyInProgress = Self("already_in_progress", .user, isRetryable: true)
}

/// The provider's own codes to which programs react most (RFC 6749 sections 4.1.2.1 and 5.2, RFC 8628 section 3.5).
extension Failure.Code {
  /// The user or the provider has denied access.
  public static let accessDenied = provider("access_denied")
  /// The code, refresh token or password is wrong, or has expired.
  public static let invalidGrant = provider("invalid_grant")
  /// The provider does not know the client, or the client's secret or key is wrong.
  public static let invalidClient = provider("invalid_client")
  /// The provider does not know the scope, or does not grant it.
  public static let invalidScope = provider("invalid_scope")
  /// The code for another device has expired.
  public static let expiredToken = provider("expired_token")
}

/// The provider could not be reached, or its answer is not OAuth.
extension Failure.Code {
  /// No connection, or one that broke.
  public static let network = Self("network_error", .network, isRetryable: true)
  /// The server could not prove its identity, or its encryption is too old.
  public static let tls = Self("tls_error", .network)
  /// The server's answer is not one of OAuth.
  public static let badResponse = Self("bad_provider_response", .provider)
  /// The provider led to an address that is almost the redirect URI.
  package static let redirectMismatch = Self("redirect_mismatch", .caller)
}

/// The answer must not be trusted.
extension Failure.Code {
  /// The answer belongs to another request (RFC 6749 section 10.12).
  public static let stateMismatch = Self("state_mismatch", .provider)
  /// The answer lacks the state of the request.
  public static let stateMissing = Self("state_missing", .provider)
  /// The answer names another authorization server, or none although it must (RFC 9207).
  public static let issuerMismatch = Self("issuer_mismatch", .provider)
  /// The description of an API or of its server is about another one, or offers too little protection.
  package static let untrustedMetadata = Self("untrusted_metadata", .provider)
  /// The callback has a parameter twice (RFC 6749 section 3.1).
  package static let duplicateParameter = Self("duplicate_parameter", .provider)
  /// No provider would send such a callback.
  public static let malformedCallback = Self("malformed_callback", .provider)
  /// The answer lacks part of a token.
  public static let missingToken = Self("missing_token", .provider)
  /// The token has a type that could be misused (RFC 6749 section 7.1).
  package static let unsupportedTokenType = Self("unsupported_token_type", .provider)
  /// The id_token does not prove who signed in (OpenID Connect Core section 3.1.3.7).
  public static let invalidIDToken = Self("invalid_id_token", .provider)
  /// The access token that another program has shown is not good for this API.
  public static let invalidAccessToken = Self("invalid_access_token", .caller)
  /// The id_token belongs to another request.
  public static let nonceMismatch = Self("nonce_mismatch", .provider)
  /// The userinfo is about another user than the id_token (OpenID Connect Core section 5.3.2).
  package static let subjectMismatch = Self("subject_mismatch", .provider)
  /// Another user than that of the kept account has signed in.
  public static let otherUser = Self("other_user", .user)
}

/// The login cannot be shown.
extension Failure.Code {
  /// No display can show a window.
  public static let noDisplay = Self("no_display", .tokentry)
  /// No way leads to the user: no browser, window or terminal.
  public static let noUserAgent = Self("no_user_agent", .tokentry)
  /// The window's program did not start, or ended.
  public static let windowFailed = Self("window_failed", .tokentry)
}

/// The result or an account could not be written or read.
extension Failure.Code {
  /// The result could not be written.
  package static let outputFailed = Self("output_failed", .caller)
  /// The store of accounts cannot be read or written.
  public static let storeUnavailable = Self("store_unavailable", .tokentry)
  /// The keyring is locked, and stayed locked.
  public static let storeLocked = Self("store_locked", .user)
  /// No account is kept under this name.
  public static let unknownAccount = Self("unknown_account", .caller)
  /// No client is kept for this provider and redirect URI.
  public static let unknownClient = Self("unknown_client", .caller)
  /// A defect in this package.
  public static let internalError = Self("internal_error", .tokentry)
}

extension Failure.Kind {
  /// The user or the program has given up the login.
  package static let givenUp = Self(rawValue: "given_up")
}

/// The user did not sign in.
extension Failure {
  /// The user closed the window of the login.
  package static let windowClosed = Failure(.cancelled, "the window was closed", kind: .givenUp)
  /// The terminal went away while the login waited for an answer from it.
  package static let terminalClosed = Failure(.cancelled, "the terminal was closed", kind: .givenUp)
  /// End of file came before an answer.
  package static let inputEnded = Failure(
    .cancelled, "standard input ended without an answer", kind: .givenUp)
  /// The task in which the login ran was cancelled.
  public static let cancelled = Failure(.cancelled, "the login was cancelled", kind: .givenUp)

  /// The provider shows this page, where the user has to sign in. `details` has its address without `id_token_hint`,
  /// which says who the user is.
  package static func loginRequired(page: String) -> Failure {
    let (rest, fragment) = page.splitOnce(at: "#")
    let (address, query) = rest.splitOnce(at: "?")
    let parameters = query?.parts(at: "&").filter { !$0.hasPrefix("id_token_hint=") } ?? []
    let uri =
      address + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
      + (fragment.map { "#" + $0 } ?? "")
    return Failure(
      .loginRequired, "the provider shows a page where the user has to sign in",
      details: ["uri": .string(uri)])
  }
}

/// The value of an expression whose own error says why this failed.
package func failing<Value: ~Copyable, Reason: Error>(
  _ value: @autoclosure () throws(Reason) -> Value, as failure: (Reason) -> Failure
) throws(Failure) -> Value {
  do throws(Reason) { return try value() } catch { throw failure(error) }
}
