/// A request that Tokentry itself makes of a server. It may carry credentials, so it does not print them.
public struct HTTPRequest: Sendable {
  /// What is to be done (RFC 9110 section 9).
  public enum Method: String, Sendable {
    /// Tell.
    case get = "GET"
    /// Take what is sent along.
    case post = "POST"
    /// Be gone.
    case delete = "DELETE"
  }

  /// What is to be done.
  public let method: Method
  /// Where.
  public let endpoint: Endpoint
  /// The header fields.
  public private(set) var headers: [Parameter]
  /// What is sent along.
  public let body: [UInt8]

  private init(
    _ method: Method, _ endpoint: Endpoint, accepting type: String = "application/json",
    sending body: [UInt8] = [], as bodyType: String? = nil, headers: [Parameter]
  ) {
    self.method = method
    self.endpoint = endpoint
    // Whoever says what they accept says all of it.
    let accepted = headers.contains { $0.name.lowercased() == "accept" } ? [] : [Parameter("Accept", type)]
    self.headers = accepted + (bodyType.map { [Parameter("Content-Type", $0)] } ?? []) + headers
    self.body = body
  }

  /// A request without a body.
  public init(get endpoint: Endpoint, accepting type: String = "application/json", headers: [Parameter] = [])
  {
    self.init(.get, endpoint, accepting: type, headers: headers)
  }

  /// A request that something be gone.
  public init(delete endpoint: Endpoint, headers: [Parameter] = []) {
    self.init(.delete, endpoint, headers: headers)
  }

  /// A JSON object, such as a registration (RFC 7591 section 3.1).
  public init(postJSON object: JSONObject, to endpoint: Endpoint, headers: [Parameter] = []) {
    self.init(.post, endpoint, sending: Array(object.text.utf8), as: "application/json", headers: headers)
  }

  /// A form (RFC 6749 appendix B).
  public init(
    post form: [Parameter], to endpoint: Endpoint, accepting type: String = "application/json",
    headers: [Parameter] = []
  ) {
    self.init(
      .post, endpoint, accepting: type, sending: Array(FormEncoding.encode(form).utf8),
      as: "application/x-www-form-urlencoded", headers: headers)
  }

  /// The same request with one more header field.
  func adding(_ field: Parameter) -> HTTPRequest {
    var request = self
    request.headers.append(field)
    return request
  }
}

extension HTTPRequest: Redacted {
  /// Method and address; header fields and body may hold credentials.
  public var description: String { "\(method.rawValue) \(endpoint)" }
}
