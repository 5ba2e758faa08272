/// A request that Tokentry itself makes of a server. It may carry credentials, so it does not print them.
public struct HTTPRequest: Sendable {
  /// What is to be done (RFC 9110 section 9).
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
  }

  /// What is to be done.
  public let method: Method
  /// Where.
  public let endpoint: Endpoint
  /// The header fields.
  public let headers: [Parameter]
  /// What is sent along.
  public let body: [UInt8]

  /// A request without a body.
  public init(get endpoint: Endpoint, accepting type: String = "application/json", headers: [Parameter] = [])
  {
    method = .get
    self.endpoint = endpoint
    self.headers = [Parameter("Accept", type)] + headers
    body = []
  }

  /// A request that something be gone.
  public init(delete endpoint: Endpoint, headers: [Parameter] = []) {
    self.init(.delete, endpoint, headers: [Parameter("Accept", "application/json")] + headers, body: [])
  }

  private init(_ method: Method, _ endpoint: Endpoint, headers: [Parameter], body: [UInt8]) {
    self.method = method
    self.endpoint = endpoint
    self.headers = headers
    self.body = body
  }

  /// The same request with one more header field.
  func adding(_ field: Parameter) -> HTTPRequest {
    HTTPRequest(method, endpoint, headers: headers + [field], body: body)
  }

  /// A JSON object, such as a registration (RFC 7591 section 3.1).
  public init(postJSON object: JSONObject, to endpoint: Endpoint, headers: [Parameter] = []) {
    method = .post
    self.endpoint = endpoint
    self.headers =
      [Parameter("Accept", "application/json"), Parameter("Content-Type", "application/json")] + headers
    body = Array(object.text.utf8)
  }

  /// A form (RFC 6749 appendix B).
  public init(
    post form: [Parameter], to endpoint: Endpoint, accepting type: String = "application/json",
    headers: [Parameter] = []
  ) {
    method = .post
    self.endpoint = endpoint
    self.headers =
      [
        Parameter("Accept", type),
        Parameter("Content-Type", "application/x-www-form-urlencoded"),
      ]
      + headers
    body = Array(FormEncoding.encode(form).utf8)
  }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
  /// Method and address; header fields and body may hold credentials.
  public var description: String { "\(method.rawValue) \(endpoint)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
