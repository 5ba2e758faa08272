/// The one place that turns a failure into what the contract promises: a code, an exit status, an origin, the
/// text for a person and the JSON for a program.
extension Failure {
  /// The exit status.
  public var exitStatus: Int32 {
    switch self {
    case .provider: 1
    case .caller: 2
    case .user(.cancelled): 3
    case .user(.timeout): 4
    case .user(.loginRequired), .user(.signInForbidden), .user(.signInPaused), .user(.alreadyInProgress): 8
    case .resource(let fault): fault.isRefusal ? 1 : 5
    case .network: 5
    case .untrusted: 6
    case .display: 7
    case .output, .store: 9
    case .repeated(let record): record.exitStatus
    case .installation, .defect: 70
    }
  }

  /// The `error` of the JSON object.
  public var code: String {
    switch self {
    case .caller(.invalidOption): "invalid_option"
    case .caller(.invalidConfiguration): "invalid_configuration"
    case .caller(.unknownProvider): "unknown_provider"
    case .caller(.originNotAllowed): "origin_not_allowed"
    case .user(.cancelled): "cancelled"
    case .user(.timeout): "timeout"
    case .user(.loginRequired), .user(.signInForbidden), .user(.signInPaused): "login_required"
    case .user(.alreadyInProgress): "already_in_progress"
    case .provider(let error): error.code
    case .resource(let fault): fault.code
    case .network(.tls): "tls_error"
    case .network(.badResponse), .network(.refusedWithoutReason), .network(.tooLarge):
      "bad_provider_response"
    case .network: "network_error"
    case .untrusted(.stateMismatch): "state_mismatch"
    case .untrusted(.stateMissing): "state_missing"
    case .untrusted(.issuerMismatch), .untrusted(.issuerMissing), .untrusted(.metadataIssuerMismatch):
      "issuer_mismatch"
    case .untrusted(.duplicateParameter): "duplicate_parameter"
    case .untrusted(.malformedCallback): "malformed_callback"
    case .untrusted(.missingToken): "missing_token"
    case .untrusted(.unsupportedTokenType), .untrusted(.unboundToken): "unsupported_token_type"
    case .untrusted(.invalidIDToken): "invalid_id_token"
    case .untrusted(.nonceMismatch): "nonce_mismatch"
    case .untrusted(.subjectMismatch): "subject_mismatch"
    case .display(.noUserAgent), .display(.unfit): "no_user_agent"
    case .display(.noDisplay): "no_display"
    case .display(.windowFailed), .display(.noSandbox): "window_failed"
    case .output(.outputFailed): "output_failed"
    case .store(.unavailable), .store(.unreadable), .store(.unreadableClient): "store_unavailable"
    case .store(.locked): "store_locked"
    case .store(.unknownAccount): "unknown_account"
    case .store(.unknownClient): "unknown_client"
    case .repeated(let record): record.json["error"]?.string ?? "internal_error"
    case .installation, .defect: "internal_error"
    }
  }

  /// On whose side the failure lies.
  public var origin: String {
    switch self {
    case .caller, .output, .store(.unknownAccount), .store(.unknownClient): "caller"
    case .user, .store(.locked): "user"
    case .network(.badResponse), .network(.refusedWithoutReason), .network(.tooLarge): "provider"
    case .network: "network"
    case .provider, .resource, .untrusted: "provider"
    case .repeated(let record): record.json["origin"]?.string ?? "tokentry"
    case .display, .store, .installation, .defect: "tokentry"
    }
  }

  /// Whether the same request may succeed if it is simply made again.
  public var isRetryable: Bool {
    switch self {
    case .user(.timeout), .user(.alreadyInProgress): true
    case .network(let fault): fault.isPassing
    case .repeated(let record): record.json["retryable"]?.bool ?? false
    case .provider(let error): ["server_error", "temporarily_unavailable"].contains(error.code)
    case .resource(let fault): fault.isPassing
    default: false
    }
  }

  /// What happened, for a person: lower case, in one line, without a full stop.
  public var message: String {
    switch self {
    case .caller(let fault): fault.message
    case .user(.cancelled(let how)): how
    case .user(.loginRequired): "the provider shows a page on which somebody has to sign in"
    case .user(.alreadyInProgress(let what)): what
    case .user(.signInForbidden(let account)):
      "somebody has to sign in to the account \(account), and nobody may be asked"
    case .user(.signInPaused(let account, let seconds)):
      "the last login to the account \(account) was turned away, and nobody is asked again for \(seconds) s"
    case .user(.timeout(let seconds)): "nobody signed in within \(seconds) s"
    case .provider(let error): error.message
    case .resource(let fault): fault.message
    case .network(let fault): fault.message
    case .untrusted(let answer): answer.message
    case .display(let fault): fault.message
    case .output(.outputFailed(let reason)): "the result could not be written: \(reason)"
    case .store(let fault): fault.message
    case .installation(.missingLibrary(let reason)): "a library that tokentry needs cannot be used: \(reason)"
    case .repeated(let record): record.message
    case .defect(let what): "a defect in tokentry: \(what)"
    }
  }

  /// What the person who reads the message can do.
  public var hint: String? {
    switch self {
    case .caller(.invalidOption(_, let hint)), .caller(.invalidConfiguration(_, let hint)): hint
    case .caller(.unknownProvider(_, let nearest)):
      nearest.map { "did you mean \($0)?" } ?? "`tokentry providers` lists the presets"
    case .caller(.originNotAllowed(let origin)):
      "if the token is meant for that server, add --allow-origin \(origin)"
    case .display(.noUserAgent(_, let hint)): hint
    case .display(.noSandbox):
      "install bubblewrap, and allow it to make user namespaces; `bwrap --ro-bind / / true` tells more"
    case .store(let fault): fault.hint
    case .user(.signInPaused(let account, _)): "`tokentry login --account \(account)` asks at once"
    case .repeated(let record): record.hint
    case .display(.noDisplay): "a window needs DISPLAY or WAYLAND_DISPLAY; for tests there is --headless-test"
    case .network(.tls(let host, _, _?)): "--trust \(host)=CERT.pem trusts one certificate for this host"
    default: nil
    }
  }

  /// The object for standard output.
  public var json: JSONObject {
    if case .repeated(let record) = self { return record.json }
    var object: JSONObject = ["error": .string(code), "error_description": .string(jsonDescription)]
    if case .provider(let error) = self, let uri = error.uri { object["error_uri"] = .string(uri) }
    object["origin"] = .string(origin)
    object["retryable"] = .bool(isRetryable)
    object["details"] = details
    if case .display(.unfit(_, let findings)) = self { object["checks"] = findings.json }
    return object
  }

  /// The provider's own words where it has some, else ours.
  private var jsonDescription: String {
    if case .provider(let error) = self, let description = error.description { return description }
    return message
  }

  private var details: JSONValue? {
    switch self {
    case .untrusted(.missingToken(let missing)), .untrusted(.malformedCallback(_, let missing)),
      .untrusted(.invalidIDToken(.missing(let missing))):
      missing.isEmpty ? nil : ["missing": .array(missing.map(JSONValue.string))]
    case .untrusted(.duplicateParameter(let name)): ["parameter": .string(name.forDisplay(limit: 60))]
    case .user(.loginRequired(let page)): ["uri": .string(page)]
    case .user(.signInPaused(_, let seconds)): ["retry_after": .number(JSONNumber(seconds))]
    case .provider(let error): error.page.map { ["uri": .string($0)] }
    case .network(.tls(let host, _, let fingerprint?)):
      ["host": .string(host), "fingerprint": .string(fingerprint)]
    default: nil
    }
  }
}

extension CallerFault {
  fileprivate var message: String {
    switch self {
    case .invalidOption(let what, _), .invalidConfiguration(let what, _): what
    case .unknownProvider(let name, _): "there is no provider \"\(name.forDisplay(limit: 60))\""
    case .originNotAllowed(let origin): "the provider has not named \(origin) as a place for its tokens"
    }
  }
}

extension NetworkFault {
  fileprivate var message: String {
    switch self {
    case .offline(let reason): "there is no network: \(reason)"
    case .unknownHost(let host): "the host \(host) is unknown"
    case .connection(let host, let reason): "\(host) cannot be reached: \(reason)"
    case .timeout(let host, let seconds): "\(host) did not answer within \(seconds) s"
    case .tls(let host, let reason, _): "the certificate of \(host) is not to be trusted: \(reason)"
    case .tooLarge(let host, let limit): "\(host) answered with more than \(limit) bytes"
    case .refusedWithoutReason(let status):
      "the token endpoint answered with HTTP \(status) and no OAuth error"
    case .badResponse(let reason): "the provider answered with something that is not OAuth: \(reason)"
    }
  }

  /// Whether it may be better the next time.
  fileprivate var isPassing: Bool {
    switch self {
    case .offline, .unknownHost, .connection, .timeout: true
    case .tls, .tooLarge, .refusedWithoutReason, .badResponse: false
    }
  }
}

extension DisplayFault {
  fileprivate var message: String {
    switch self {
    case .noUserAgent(let reason, _), .unfit(let reason, _): reason
    case .noDisplay: "there is no display"
    case .windowFailed(let reason): "the window failed: \(reason)"
    case .noSandbox(let reason): "the sandbox around the pages cannot be made: \(reason)"
    }
  }
}

extension ProviderError {
  fileprivate var message: String {
    var text = "the provider refused: \(code.forDisplay(limit: 100))"
    if let description = description?.forDisplay(), !description.isEmpty {
      text += ": " + (description.hasSuffix(".") ? String(description.dropLast()) : description)
    }
    return text
  }
}

extension UntrustedAnswer {
  fileprivate var message: String {
    switch self {
    case .stateMismatch: "the callback carries the state of another request"
    case .stateMissing: "the callback carries no state"
    case .issuerMismatch: "the callback comes from another authorization server than the one that was asked"
    case .issuerMissing: "the callback does not name the authorization server although this one always does"
    case .metadataIssuerMismatch: "the metadata belongs to another issuer than the one that was asked"
    case .duplicateParameter(let name):
      "the callback has the parameter \"\(name.forDisplay(limit: 60))\" twice"
    case .malformedCallback(let reason, _): "the callback is malformed: \(reason)"
    case .missingToken(let missing): "the answer lacks \(missing.joined(separator: ", "))"
    case .unsupportedTokenType(let type):
      "tokens of the type \"\(type.forDisplay(limit: 60))\" are not supported"
    case .unboundToken: "the token is not bound to the key of this login"
    case .invalidIDToken(let fault): "the id_token is not to be trusted: \(fault)"
    case .nonceMismatch: "the id_token does not carry the nonce of this login"
    case .subjectMismatch: "the userinfo is not about the user of the id_token"
    }
  }
}

extension StoreFault {
  fileprivate var message: String {
    switch self {
    case .unavailable(let reason, _): reason
    case .locked: "the keyring is locked"
    case .unknownAccount(let name, _): "there is no account \"\(name)\""
    case .unreadable(let account, let fault): "the account \"\(account)\" cannot be read: \(fault)"
    case .unknownClient(let place): "no client is kept for \(place) and this redirect URI"
    case .unreadableClient(let place, let fault): "the client kept for \(place) cannot be read: \(fault)"
    }
  }

  fileprivate var hint: String? {
    switch self {
    case .unavailable(_, let hint): hint
    case .locked: "unlock it, or keep accounts elsewhere with --store file:PATH"
    case .unknownAccount(_, let nearest):
      nearest.map { "did you mean \($0)?" } ?? "`tokentry accounts` lists those that are kept"
    case .unknownClient: "`tokentry register` makes one"
    case .unreadableClient: "`tokentry register --forget --force` removes it"
    case .unreadable: nil
    }
  }
}
