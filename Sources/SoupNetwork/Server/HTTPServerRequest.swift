import LoginCore

/// A request as a client of ours on this machine has sent it. It may carry a code or a password, so it does
/// not print them.
public struct HTTPServerRequest: Sendable {
  /// What is to be done (RFC 9110 section 9).
  public let method: String
  /// The path, decoded and without dot segments. It is a name and never part of a file's.
  public let path: String
  /// What was sent between `?` and `#`, in which libsoup decodes nothing but what need not have been encoded.
  public let query: String?
  /// The header fields.
  public let headers: [Parameter]
  /// What was sent along.
  public let body: [UInt8]
  /// The ports of the connection, the client's first.
  var ports: (client: UInt16, server: UInt16)?

  /// More than any request of OAuth has.
  private static let mostParameters = 256

  /// A request of these parts.
  public init(
    method: String = "GET", path: String, query: String? = nil, headers: [Parameter] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The path and the query.
  public var target: String { path + (query.map { "?\($0)" } ?? "") }

  /// The parameters of the query; nothing if there are too many.
  package var queryParameters: ParameterList? {
    ParameterList(form: Array((query ?? "").utf8), upTo: Self.mostParameters)
  }

  /// The parameters of the body; nothing if it is no form, or if there are too many.
  package var formParameters: ParameterList? {
    guard mediaType == "application/x-www-form-urlencoded" else { return nil }
    return ParameterList(form: body, upTo: Self.mostParameters)
  }

  private var mediaType: String? {
    self[header: "Content-Type"].map { field in
      field.splitOnce(at: ";").0.lowercased().filter { $0 != " " && $0 != "\t" }
    }
  }

  /// The value of a header field that is there once. Names are compared without regard to case.
  public subscript(header name: String) -> String? {
    let values = headers.filter { $0.name.lowercased() == name.lowercased() }
    return values.count == 1 ? values.first?.value : nil
  }

  /// The value of a cookie (RFC 6265 section 4.2); of several the first.
  public func cookie(_ name: String) -> String? {
    for pair in (self[header: "Cookie"] ?? "").parts(at: ";") {
      let (left, value) = pair.splitOnce(at: "=")
      if String(left.drop { $0 == " " }).isIdentical(to: name) { return value }
    }
    return nil
  }
}

extension HTTPServerRequest: CustomStringConvertible, CustomReflectable {
  /// Method and path; the rest may hold a secret.
  public var description: String { "\(method) \(path)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
