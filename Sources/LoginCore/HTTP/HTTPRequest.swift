/// A request that Tokentry sends itself. It may carry credentials, so it does not print them.
///
/// An ``HTTPTransport`` that passes requests on to another one may change them. A proof of possession (RFC 9449) is good only
/// for the method and the address that the request had.
public struct HTTPRequest: Sendable {
  /// A request method (RFC 9110 section 9).
  public struct Method: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name as it is sent.
    public let rawValue: String
    /// The method of that name.
    public static let get = Self(rawValue: "GET"), head = Self(rawValue: "HEAD"),
      post = Self(rawValue: "POST")
    /// The method of that name.
    public static let put = Self(rawValue: "PUT"), patch = Self(rawValue: "PATCH")
    /// The method of that name.
    public static let delete = Self(rawValue: "DELETE")

    /// Creates a method from its name, in which the case of letters matters.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
  }

  /// The use of a remembered answer in place of a new one.
  package enum Recall: Sendable {
    case never, allowed
    /// The remembered answer did not do, so the server is asked.
    case renewed
  }

  /// The request method.
  public var method: Method
  /// The address to send the request to.
  public var endpoint: Endpoint
  /// The header fields.
  public var headers: ParameterList
  /// The encoded body.
  public var body: [UInt8]
  /// True for an application's request to an API, whose answer may be large and take long.
  package var isForAPI = false
  package var recall = Recall.never

  /// Creates a request.
  public init(_ method: Method, _ endpoint: Endpoint, headers: ParameterList = [], body: [UInt8] = []) {
    (self.method, self.endpoint, self.headers, self.body) = (method, endpoint, headers, body)
  }

  private init(
    _ method: Method, _ endpoint: Endpoint, accepting type: String = "application/json",
    sending body: [UInt8] = [], as bodyType: String? = nil, headers: ParameterList
  ) {
    self.method = method
    self.endpoint = endpoint
    // An Accept field of the caller replaces ours.
    let accepted = headers.contains { $0.name.lowercased() == "accept" } ? [] : [Parameter("Accept", type)]
    self.headers = ParameterList(
      accepted + (bodyType.map { [Parameter("Content-Type", $0)] } ?? []) + headers)
    self.body = body
  }

  /// Creates a request that reads an address.
  package init(
    get endpoint: Endpoint, accepting type: String = "application/json", headers: ParameterList = []
  ) {
    self.init(.get, endpoint, accepting: type, headers: headers)
  }

  /// Creates a request that deletes the resource at an address.
  init(delete endpoint: Endpoint, headers: ParameterList = []) {
    self.init(.delete, endpoint, headers: headers)
  }

  /// Creates a request with a JSON object as its body, such as a registration (RFC 7591 section 3.1).
  init(postJSON object: JSONObject, to endpoint: Endpoint, headers: ParameterList = []) {
    self.init(.post, endpoint, sending: Array(object.text.utf8), as: "application/json", headers: headers)
  }

  /// Creates a request with a form as its body (RFC 6749 appendix B).
  package init(
    post form: [Parameter], to endpoint: Endpoint, accepting type: String = "application/json",
    headers: ParameterList = []
  ) {
    self.init(
      .post, endpoint, accepting: type, sending: Array(FormEncoding.encode(form).utf8),
      as: "application/x-www-form-urlencoded", headers: headers)
  }

  /// Creates a request with any body.
  package init(post body: [UInt8], as type: String, to endpoint: Endpoint, headers: ParameterList = []) {
    self.init(.post, endpoint, sending: body, as: type, headers: headers)
  }

  /// Returns the request with one more header field.
  func adding(_ field: Parameter) -> HTTPRequest {
    var request = self
    request.headers.append(field)
    return request
  }

  /// Returns the request with more parameters in its body, which is a form or an object.
  func adding(toForm parameters: [Parameter]) -> HTTPRequest {
    var request = self
    if var object = (try? JSONReader.read(body))?.object {
      for parameter in parameters { object[parameter.name] = .string(parameter.value) }
      request.body = Array(object.text.utf8)
    } else {
      request.body += Array(((body.isEmpty ? "" : "&") + FormEncoding.encode(parameters)).utf8)
    }
    return request
  }
}

extension HTTPRequest {
  /// The value of the first header field with this name, in upper or lower case. Setting it replaces all of them.
  public subscript(header name: String) -> String? {
    get { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    set {
      headers.removeAll { $0.name.lowercased() == name.lowercased() }
      if let newValue { headers.append(Parameter(name, newValue)) }
    }
  }
}

extension HTTPRequest: Redacted {
  /// Method and address. Header fields and body may hold credentials.
  public var description: String { "\(method.rawValue) \(endpoint)" }
}

/// Names that a request sets itself and that neither a preset nor a caller may set. Arrays, because searching them once is
/// faster than building a set.
package enum ReservedNames {
  /// Parameters of requests to an authorization server.
  package static let parameters = [
    "assertion", "client_assertion", "client_assertion_type", "client_id", "client_secret", "code",
    "code_challenge", "code_challenge_method", "code_verifier", "device_code", "dpop_jkt", "grant_type",
    "nonce", "password", "redirect_uri", "refresh_token", "request", "request_uri", "response_mode",
    "response_type", "scope", "state", "subject_token", "username",
  ]

  private static let headers = [
    "accept-encoding", "authorization", "connection", "content-encoding", "content-length", "content-type",
    "cookie", "dpop", "expect", "host", "keep-alive", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  /// Returns the reason why a header field cannot be added to a request.
  package static func fault(ofHeader header: Parameter) -> Message? {
    if headers.contains(header.name.lowercased()) { return "the request sets this field itself" }
    let isToken =
      !header.name.isEmpty
      && header.name.utf8.allSatisfy { $0.isVisible && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    if !isToken { return "this is not a header name" }
    if header.value.unicodeScalars.contains(where: \.isControl) { return "its value has control characters" }
    return nil
  }
}

extension Failure {
  /// A header field that cannot be added to a request. `reason` comes from ``ReservedNames/fault(ofHeader:)``.
  package static func header(_ name: String, _ reason: Message) -> Failure {
    Failure(.invalidOption, "the header field \(name.forDisplay(limit: 60)): \(reason)")
  }
}
