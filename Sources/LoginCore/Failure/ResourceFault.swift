/// An answer of an API that is no success: the request was refused, or nobody carried it out.
public struct ResourceFault: Sendable, Equatable {
  /// The status code (RFC 9110 section 15).
  public let status: Int
  /// What the server says in its challenge (RFC 6750 section 3).
  public let challenge: ProviderError?
  /// Whether nothing was tried that might have helped, because the body of the request could not be sent again.
  public let isUntried: Bool

  /// Nothing for a success.
  init?(status: Int, challenge: ProviderError?, isUntried: Bool) {
    if (200..<300).contains(status) { return nil }
    (self.status, self.challenge, self.isUntried) = (status, challenge, isUntried)
  }

  /// Whether the server understood the request and did not want it. A redirect is none, and no answer either.
  package var isRefusal: Bool { (400..<500).contains(status) }

  /// Whether it may be better the next time.
  package var isPassing: Bool { status.isPassingStatus || isUntried }
}

extension Int {
  /// Whether a server that answers with this status is at fault itself, or has too much to do, and may answer the next
  /// time.
  var isPassingStatus: Bool { self >= 500 || self == 408 || self == 429 }
}
