/// The answer of a server: whole, and within the limits of its transport.
public struct HTTPResponse: Sendable {
  /// The status code (RFC 9110 section 15).
  public let status: Int
  /// The header fields.
  public let headers: [Parameter]
  /// What was sent along, decoded.
  public let body: [UInt8]

  /// An answer as it came.
  public init(status: Int, headers: [Parameter] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of a header field; of several the first. Names are compared without regard to case.
  public subscript(header name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The media type without its parameters, in lower case (RFC 9110 section 8.3.1).
  public var mediaType: String? {
    self[header: "Content-Type"].map { field in
      field.splitOnce(at: ";").0.lowercased().filter { $0 != " " && $0 != "\t" }
    }
  }
}

extension HTTPResponse: Redacted {
  /// The status; the rest may hold a token.
  public var description: String { "HTTP \(status)" }
}
