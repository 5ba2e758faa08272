/// An error in the words of the provider (RFC 6749 sections 4.1.2.1, 4.2.2.1 and 5.2).
public struct ProviderError: Sendable, Equatable {
  /// The code, as it came.
  public let code: String
  /// The explanation, as it came: it may contain anything.
  public let description: String?
  /// A page about the error, as it came.
  public let uri: String?
  /// The page on which the provider showed the error, if it did not redirect.
  public let page: String?

  /// An error as it was received.
  public init(code: String, description: String? = nil, uri: String? = nil, page: String? = nil) {
    self.code = code
    self.description = description
    self.uri = uri
    self.page = page
  }

  /// The error that a provider shows on a page of its own: the page's JSON where it could be read and is
  /// such an error, else what can be said without it.
  init(page: String, body: [UInt8]?) {
    let members = body.flatMap { try? JSONReader.read($0, maximumSize: 64 * 1_024) }?.object
    self.init(
      code: members?["error"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "server_error",
      description: members?["error_description"]?.string ?? "the provider showed an error page",
      uri: members?["error_uri"]?.string,
      page: page)
  }
}
