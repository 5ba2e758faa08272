/// An application's own request to an API, for which it uses the token of an account: to any server that may have the
/// token, with any method. The body is not part of it, because it may be larger than memory.
package struct ResourceRequest: Sendable {
  /// The request method (RFC 9110 section 9).
  package private(set) var method: String
  /// The address of the API.
  package let endpoint: Endpoint
  /// The header fields.
  package private(set) var headers: ParameterList
  /// True for a request of another program, whose answer it gets as it comes: with the content coding that it has.
  package private(set) var isPassedOn = false

  /// Passes on a request of another program, of whose fields only those are left that are for the server.
  package init(passingOn method: String, _ endpoint: Endpoint, headers: ParameterList) {
    (self.method, self.endpoint, self.headers, isPassedOn) = (method, endpoint, headers, true)
  }

  /// Refuses CONNECT and TRACE, which are not requests to a resource, and header fields that the request sets itself.
  package init(_ method: String, _ endpoint: Endpoint, headers: ParameterList = []) throws(Failure) {
    let isToken =
      !method.isEmpty && method.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    guard isToken, !["CONNECT", "TRACE"].contains(method.uppercased()) else {
      throw Failure(.invalidOption, "\"\(method, upTo: 60)\" is not a request method")
    }
    for header in headers {
      // The caller may set the type of the body, but no other reserved field.
      let isType = header.name.lowercased() == "content-type"
      if let reason = ReservedNames.fault(ofHeader: isType ? Parameter("Accept", header.value) : header) {
        throw .header(header.name, reason)
      }
    }
    self.method = method
    self.endpoint = endpoint
    self.headers = headers
  }

  /// True if the request has a field of this name, in upper or lower case.
  package func has(header name: String) -> Bool {
    headers.contains { $0.name.lowercased() == name.lowercased() }
  }

  /// Returns the request with one more header field.
  package func adding(_ field: Parameter) -> ResourceRequest {
    var request = self
    request.headers.append(field)
    return request
  }

  /// The request as HEAD, which has no body and changes nothing on the server (RFC 9110 section 9.3.2).
  package var withoutBody: ResourceRequest {
    var request = self
    request.method = "HEAD"
    request.headers.removeAll { $0.name.lowercased() == "content-type" }
    return request
  }
}

extension HTTPRequest {
  /// Creates the request as a transport of the application's own sends it.
  package init(_ request: ResourceRequest, body: [UInt8]) {
    self.init(
      Method(rawValue: request.method), request.endpoint, headers: request.headers, body: body)
    isForAPI = true
  }
}

extension ResourceRequest: Redacted {
  /// Method and address. Header fields may hold the token.
  package var description: String { "\(method) \(endpoint)" }
}

/// Signs an application's requests with a token in the `Authorization` field (RFC 6750 section 2.1). If the token is bound
/// to a key, it adds a proof of that key with the server's latest nonce (RFC 9449 section 7).
package struct ResourceSigner: Sendable {
  private let cryptography: any Cryptography
  private let clock: any WallClock
  private var nonces = DPoPNonces()

  /// Creates a signer that knows these nonces.
  package init(cryptography: any Cryptography, clock: any WallClock, nonces: DPoPNonces = DPoPNonces()) {
    self.cryptography = cryptography
    self.clock = clock
    self.nonces = nonces
  }

  /// Returns the request as it can be sent now, and only once: a proof is good for one request.
  package func signed(_ request: ResourceRequest, with token: Token) throws(Failure) -> ResourceRequest {
    guard let accessToken = token.accessToken else { throw .missingToken(["access_token"]) }
    let signed = request.adding(try AuthorizationHeader(token).field)
    guard let key = try token.boundKey(cryptography) else { return signed }
    let proof = try DPoPProof(
      for: request.method, at: request.endpoint, accessToken: accessToken, nonce: nonces[request.endpoint],
      key: key, cryptography: cryptography, at: clock.now())
    return signed.adding(proof.field)
  }

  /// The nonce that the request's server has sent for the next proof.
  package func nonce(for request: ResourceRequest) -> String? { nonces[request.endpoint] }

  /// Takes over nonces that other requests have brought.
  package mutating func learn(_ nonces: DPoPNonces) { self.nonces = nonces }

  /// Keeps the nonce of an answer for the next request.
  package mutating func note(_ head: HTTPResponse, to request: ResourceRequest) {
    nonces.note(head, from: request.endpoint)
  }
}

extension Failure {
  /// The failure of a request to an API: a refusal of the server for a 4xx status, or else an answer that is of no use.
  /// Returns nil for a success. `isUntried` says that a remedy was not tried because the body could not be sent again.
  package static func resource(_ head: HTTPResponse, isUntried: Bool = false) -> Failure? {
    let status = head.status
    if (200..<300).contains(status) { return nil }
    let refusal = refusal(head.challenges)
    let answer: Message =
      if isUntried, refusal?.code == .provider("use_dpop_nonce") {
        "the server answered with HTTP \(status), and a body from standard input cannot be sent twice"
      } else if isUntried {
        """
        the server answered with HTTP \(status), and a body from standard input cannot be sent twice; \
        the next request will use a new token
        """
      } else if (300..<400).contains(status), status != 304 {  // 304 is not a redirect
        "the server answered with HTTP \(status), and redirects are not followed with a token"
      } else {
        "the server answered with HTTP \(status)"
      }
    let word = refusal?.code.description.forDisplay(limit: 100).withoutFullStop
    let description = refusal?.providerDescription?.forDisplay(limit: 300).withoutFullStop ?? ""
    let message: Message =
      if let word {
        description.isEmpty ? "\(answer): \(word)" : "\(answer): \(word): \(description)"
      } else {
        answer
      }
    return Failure(
      (400..<500).contains(status) ? refusal?.code ?? code(for: status) : .badResponse, message,
      isRetryable: status.isPassingStatus || isUntried)
  }

  /// The code of RFC 6750 section 3.1 for a refusal without one.
  private static func code(for status: Int) -> Code {
    switch status {
    case 401: .provider("invalid_token")
    case 403: .provider("insufficient_scope")
    default: .provider("invalid_request")
    }
  }
}
