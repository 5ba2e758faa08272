/// Reads the JSON object in the answer of an endpoint whose errors follow RFC 6749 section 5.2.
enum EndpointAnswer {
  /// Returns the members. Refuses errors, redirects, and everything that is not JSON.
  static func members(
    of response: HTTPResponse, from endpoint: EndpointName, accepting statuses: Set<Int> = [200]
  ) throws(Failure) -> JSONObject {
    let members = try JSONReader.members(of: response.body) { error -> Failure in
      .notJSON(error, in: response, from: endpoint)
    }
    if let refusal = Failure.refusal(members, status: response.status) { throw refusal }
    guard statuses.contains(response.status) else { throw .status(response.status, from: endpoint) }
    return members
  }
}

/// Answers of an endpoint that are not OAuth.
extension Failure {
  /// The body is not one JSON object. For an error status, which often comes with a page, only the status is reported.
  static func notJSON(
    _ error: JSONError, in response: HTTPResponse, from endpoint: EndpointName
  ) -> Failure {
    switch response.status {
    case 200: .notOAuth("the \(endpoint.words): \(error.message)")
    case 201..<300:
      .notOAuth("the \(endpoint.words) returned HTTP \(response.status): \(error.message)")
    default: .status(response.status, from: endpoint)
    }
  }

  /// The status is an error, or not one that the endpoint may answer with, and the body does not explain it.
  package static func status(_ status: Int, from endpoint: EndpointName) -> Failure {
    let isAboutClient = endpoint == .pushedAuthorizationRequest && (400...403).contains(status)
    return Failure(
      .badResponse, "the \(endpoint.words) returned HTTP \(status) without an OAuth error",
      hint: status == 404 ? .checkEndpoint(endpoint) : isAboutClient ? .checkClient : nil,
      isRetryable: status.isPassingStatus)
  }

  /// The endpoint redirects a request that carries credentials.
  static func redirect(from endpoint: EndpointName) -> Failure {
    .notOAuth("the \(endpoint.words) redirects, and credentials are not sent to another address")
  }

  /// The answer lacks a member.
  static func missing(_ name: String, from endpoint: EndpointName) -> Failure {
    .notOAuth("the \(endpoint.words) answered without \(name)")
  }

  /// The answer has a member of the wrong kind or with an impossible value.
  static func unusable(_ name: String, from endpoint: EndpointName) -> Failure {
    .notOAuth("the \(endpoint.words) answered with a \(name) that cannot be used")
  }

  /// The answer has a member that must be text and is not.
  static func notText(_ name: String, from endpoint: EndpointName) -> Failure {
    .notOAuth("the \(endpoint.words) answered with a \(name.forDisplay(limit: 60)) that is not text")
  }
}

/// Refusals in the words of the provider (RFC 6749 sections 4.1.2.1, 4.2.2.1 and 5.2).
extension Failure {
  /// A refusal with the provider's own code.
  ///
  /// - Parameters:
  ///   - description: The provider's explanation, as it came.
  ///   - uri: The address of a page about the error, as it came.
  ///   - page: The page on which the provider shows the error instead of redirecting.
  ///   - isTemporary: True if the provider may answer the next time.
  ///   - remark: Our explanation, which replaces a missing `description`.
  package static func refusal(
    code: String, description: String? = nil, uri: String? = nil, page: String? = nil,
    isTemporary: Bool = false, remark: Message? = nil
  ) -> Failure {
    let refused: Message =
      code.isIdentical(to: "access_denied")
      ? "access was denied" : "the provider refused: \(code.forDisplay(limit: 100))"
    let remark = remark ?? (page == nil ? nil : "the provider showed an error page")
    let message: Message =
      if let shown = description?.forDisplay() {
        shown.isEmpty ? refused : "\(refused): \(shown.withoutFullStop)"
      } else if let remark {
        "\(refused): \(remark)"
      } else {
        refused
      }
    return Failure(
      .provider(code), message,
      hint: code.isIdentical(to: "unauthorized_client")
        ? "allow this grant where the client is registered, or choose another way to sign in" : nil,
      details: page.map { ["uri": .string($0)] } ?? [:],
      isRetryable: isTemporary ? true : nil, providerDescription: description ?? remark?.description,
      providerURI: uri)
  }

  /// The error that a provider shows on a page of its own. Pages without a JSON error count as `server_error`.
  static func refusal(page: String, body: [UInt8]?) -> Failure {
    let members = body.flatMap { try? JSONReader.read($0, maximumSize: 64 * 1_024) }?.object
    return .refusal(
      code: members?["error"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "server_error",
      description: members?["error_description"]?.string, uri: members?["error_uri"]?.string, page: page)
  }

  /// The error in an answer of an endpoint, if there is one (RFC 6749 section 5.2).
  static func refusal(_ members: JSONObject, status: Int) -> Failure? {
    guard let error = members["error"], let code = code(of: error) else { return nil }
    return .refusal(
      code: code, description: (members["error_description"] ?? error.object?["message"])?.string,
      uri: members["error_uri"]?.string,
      isTemporary: status.isPassingStatus && !decisions.contains(where: code.isIdentical))
  }

  /// Codes that are final even with a status such as 503 (RFC 6749 sections 4.1.2.1 and 5.2, RFC 8628 section 3.5).
  private static let decisions = [
    "access_denied", "expired_token", "invalid_client", "invalid_grant", "invalid_request", "invalid_scope",
    "unauthorized_client", "unsupported_grant_type",
  ]

  /// Some providers answer with the errors of their other APIs: an object (Facebook, Google), a number, or `true`.
  private static func code(of error: JSONValue) -> String? {
    switch error {
    case .string(let code): code.isEmpty ? nil : code
    case .number(let number): number.isZero ? nil : number.literal
    case .object(let members):
      ["type", "status", "code"].lazy.compactMap { members[$0].flatMap(code(of:)) }.first ?? "server_error"
    case .bool(true): "server_error"
    case .bool, .null, .array: nil
    }
  }
}

/// Refusals that we explain ourselves.
extension Failure {
  /// The user did not sign in on the other device in time.
  static let codeExpired = Failure(
    .expiredToken, "the code expired before anyone signed in",
    providerDescription: "the code expired before anyone signed in")

  private static func failedForNow(_ message: Message) -> Failure {
    Failure(.provider("temporarily_unavailable"), message, isRetryable: true)
  }

  /// The provider could not end the session now (status 503).
  package static let sessionNotEnded = failedForNow(
    "the provider could not end the session"
  ).with(hint: .forgetAccountAnyway)

  /// The provider could not revoke the token now (status 503).
  package static let tokenNotRevoked = failedForNow(
    "the provider could not revoke the token, which is still valid"
  ).with(hint: .forgetAccountAnyway)

  /// The provider could not delete the client now (status 503).
  package static let clientNotDeleted = failedForNow(
    "the provider could not delete the client"
  ).with(hint: .forgetClientAnyway)

  /// The failure of a request without a client secret, with a remark and a hint if that may be the reason. Some providers
  /// have a code of their own for this, or call the whole request invalid, so the description is searched as well.
  var remarkingMissingSecret: Failure {
    let code = code.description
    guard self.code.isProvidersOwn,
      code == "invalid_client" || code == "unauthorized_client"
        || providerDescription?.lowercased().holds("secret") == true
    else { return self }
    return Failure.refusal(
      code: code, description: providerDescription, uri: providerURI, isTemporary: isRetryable,
      remark: "no client secret was sent"
    ).with(hint: .giveSecretIfAny)
  }
}
