/// A request that an application makes of an API with the token of an account: to any server that may have the
/// token, with any method, and with a body that is not part of it, since that may be longer than memory.
package struct ResourceRequest: Sendable {
  /// What is to be done (RFC 9110 section 9).
  package private(set) var method: String
  /// Where.
  package let endpoint: Endpoint
  /// The header fields.
  package private(set) var headers: [Parameter]

  /// Refuses methods that are no request of a resource, and header fields that a request sets itself.
  package init(_ method: String, _ endpoint: Endpoint, headers: [Parameter] = []) throws(Failure) {
    let isToken =
      !method.isEmpty && method.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    guard isToken, !["CONNECT", "TRACE"].contains(method.uppercased()) else { throw .caller(.method(method)) }
    for header in headers {
      // The type of the body is the caller's to say here, and nothing else that is reserved.
      let isType = header.name.lowercased() == "content-type"
      if let reason = ReservedNames.fault(ofHeader: isType ? Parameter("Accept", header.value) : header) {
        throw .caller(.header(header.name, reason))
      }
    }
    self.method = method
    self.endpoint = endpoint
    self.headers = headers
  }

  /// Whether a field is there already. Names are compared without regard to case.
  package func has(header name: String) -> Bool {
    headers.contains { $0.name.lowercased() == name.lowercased() }
  }

  /// The same request with one more header field.
  package func adding(_ field: Parameter) -> ResourceRequest {
    var request = self
    request.headers.append(field)
    return request
  }

  /// The same request without its body: one that changes nothing, whatever comes of it (RFC 9110 section 9.3.2).
  package var withoutBody: ResourceRequest {
    var request = self
    request.method = "HEAD"
    request.headers.removeAll { $0.name.lowercased() == "content-type" }
    return request
  }
}

extension ResourceRequest: Redacted {
  /// Method and address; header fields may hold the token.
  package var description: String { "\(method) \(endpoint)" }
}
