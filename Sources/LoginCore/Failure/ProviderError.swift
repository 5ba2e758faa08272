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
  /// Whether the provider is at fault itself, or has too much to do, and may answer the next time.
  public let isTemporary: Bool
  /// What is known here, where the provider itself does not say it.
  public let remark: Remark?

  /// What an answer means that comes without an explanation.
  public enum Remark: Sendable, Equatable {
    /// The user did not sign in while the code was good.
    case codeExpired
    /// It stays as it is for now, and can be ended another time.
    case sessionNotEnded, tokenNotRevoked, clientNotDeleted
    /// The client has sent no secret, and the provider may want one.
    case noSecret
  }

  /// An error as it was received.
  package init(
    code: String, description: String? = nil, uri: String? = nil, page: String? = nil, remark: Remark? = nil,
    isTemporary: Bool = false
  ) {
    self.code = code
    self.description = description
    self.uri = uri
    self.page = page
    self.remark = remark
    self.isTemporary = isTemporary || ["server_error", "temporarily_unavailable"].contains(code)
  }

  /// The error that a provider shows on a page of its own: the page's JSON where it could be read and is
  /// such an error, else what can be said without it.
  init(page: String, body: [UInt8]?) {
    let members = body.flatMap { try? JSONReader.read($0, maximumSize: 64 * 1_024) }?.object
    self.init(
      code: members?["error"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "server_error",
      description: members?["error_description"]?.string,
      uri: members?["error_uri"]?.string,
      page: page)
  }
}
