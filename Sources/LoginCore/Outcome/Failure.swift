/// Why there is no token; the cases are grouped by who can do something about it.
public enum Failure: Error, Sendable, Equatable {
  /// The program that started the login asked for something that cannot be.
  case caller(CallerFault)
  /// The user did not sign in.
  case user(UserFault)
  /// The provider refused.
  case provider(ProviderError)
  /// An API did not do what it was asked to do.
  case resource(ResourceFault)
  /// The provider could not be reached, or what was reached is no provider.
  case network(NetworkFault)
  /// An answer came that must not be trusted.
  case untrusted(UntrustedAnswer)
  /// The login cannot be shown.
  case display(DisplayFault)
  /// The result could not be handed over.
  case output(OutputFault)
  /// An account could not be kept, or is not there.
  case store(StoreFault)
  /// Something of what was to be installed with the program is not there.
  case installation(InstallationFault)
  /// What another program of this user ended with, for which this one has waited.
  case repeated(FailureRecord)
  /// A defect in this package.
  case defect(String)
}

/// A request or configuration that is wrong; nothing was opened.
public enum CallerFault: Sendable, Equatable {
  /// An option, or a member of a request document.
  case invalidOption(String, hint: String? = nil)
  /// Options that do not fit each other or the provider, or a preset file that is wrong.
  case invalidConfiguration(String, hint: String? = nil)
  /// A provider for which there is no preset.
  case unknownProvider(String, nearest: String?)
  /// A token that would be sent where it does not belong.
  case originNotAllowed(String)
}

/// The user did not sign in.
public enum UserFault: Sendable, Equatable {
  /// Somebody or something ended the login.
  case cancelled(String)
  /// Somebody would have to sign in at this page, and nobody may be asked.
  case loginRequired(page: String)
  /// Another login is under way that this one would have to wait for.
  case alreadyInProgress(String)
  /// An account needs somebody to sign in, and nobody may be asked.
  case signInForbidden(account: String)
  /// An account needs somebody to sign in, who has turned that away and is not asked for so many seconds more.
  case signInPaused(account: String, seconds: Int64)
  /// The deadline passed.
  case timeout(seconds: Int)
}

/// The provider could not be reached, or what was reached is no provider.
public enum NetworkFault: Sendable, Equatable {
  /// There is no network.
  case offline(String)
  /// The name of the host is unknown.
  case unknownHost(String)
  /// No connection, or one that broke.
  case connection(host: String, reason: String)
  /// The exchange took longer than its deadline.
  case timeout(host: String, seconds: Int)
  /// The certificate is not to be trusted; its SHA-256 fingerprint if there was one.
  case tls(host: String, reason: String, fingerprint: String?)
  /// An answer that is larger than any answer of OAuth.
  case tooLarge(host: String, limit: Int)
  /// The token endpoint refuses with this status, 400 or 401, and does not say why.
  case refusedWithoutReason(status: Int)
  /// An answer that is none of OAuth.
  case badResponse(String)
}

/// An answer that must not be trusted.
public enum UntrustedAnswer: Sendable, Equatable {
  /// The callback belongs to another request (RFC 6749 section 10.12).
  case stateMismatch
  /// The callback belongs to no request.
  case stateMissing
  /// The callback comes from another authorization server (RFC 9207 section 2.4).
  case issuerMismatch
  /// The callback does not say from which authorization server it comes although it had to.
  case issuerMissing
  /// What an authorization server says of itself is about another one (RFC 8414 section 3.3).
  case metadataIssuerMismatch
  /// A parameter is there twice (RFC 6749 section 3.1).
  case duplicateParameter(String)
  /// A callback that no provider would send.
  case malformedCallback(reason: String, missing: [String] = [])
  /// What makes a token a token is not there: all of it at once.
  case missingToken([String])
  /// A token of a type that would be misused (RFC 6749 section 7.1).
  case unsupportedTokenType(String)
  /// The token is not bound to the key of the login, so that whoever steals it could use it (RFC 9449 section 5).
  case unboundToken
  /// An id_token that does not prove who signed in (OpenID Connect Core section 3.1.3.7).
  case invalidIDToken(IDTokenFault)
  /// An id_token that belongs to another request (OpenID Connect Core section 3.1.3.7, step 11).
  case nonceMismatch
  /// Claims about another user than the one who signed in (OpenID Connect Core section 5.3.2).
  case subjectMismatch
}

/// The login cannot be shown.
public enum DisplayFault: Sendable, Equatable {
  /// No way to the user fits the request.
  case noUserAgent(String, hint: String? = nil)
  /// There is no display to show a window on.
  case noDisplay
  /// The window cannot be started, or does not stay.
  case windowFailed(String)
  /// The sandbox around the pages cannot be made, and none is shown without it.
  case noSandbox(String)
  /// No login can work on this machine, for what was found of it.
  case unfit(String, [Finding])
}

/// The result could not be handed over.
public enum OutputFault: Sendable, Equatable {
  /// Standard output could not be written.
  case outputFailed(String)
}

/// An account could not be kept, or is not there.
public enum StoreFault: Sendable, Equatable {
  /// There is no keyring, or the file cannot be used.
  case unavailable(String, hint: String? = nil)
  /// The keyring is locked, and stayed so.
  case locked
  /// Nothing is kept under this name.
  case unknownAccount(String, nearest: String? = nil)
  /// What is kept under this name cannot be read.
  case unreadable(account: String, AccountFault)
  /// No client is kept for this provider and redirect URI.
  case unknownClient(at: String)
  /// The client that is kept for this provider cannot be read.
  case unreadableClient(at: String, AccountFault)
}

/// Something of what was to be installed with the program is not there.
public enum InstallationFault: Sendable, Equatable {
  /// A library, or a function of one; the reason is the loader's, and names it.
  case missingLibrary(reason: String)
}
