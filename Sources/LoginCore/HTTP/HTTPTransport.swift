/// Sends the requests of a login to the servers of a provider.
///
/// Throw the network failures below for an exchange that does not end with an answer.
public protocol HTTPTransport: Sendable {
  /// Sends a request and returns the whole answer. Redirects are not followed but returned like any other answer.
  func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse
}

/// An answer of a server, complete and within the limits of its transport.
public struct HTTPResponse: Sendable {
  /// The status code (RFC 9110 section 15).
  public let status: Int
  /// The header fields.
  public let headers: ParameterList
  /// The decoded body.
  public let body: [UInt8]
  /// The certificate of the server in DER, if the connection was encrypted.
  package var certificate: [UInt8]?
  /// True if the answer is an earlier one, which the server might answer otherwise by now.
  package var isRemembered = false

  /// Creates an answer as it was received.
  public init(status: Int, headers: ParameterList = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first header field with this name, in upper or lower case.
  public subscript(header name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The media type in lower case, without its parameters (RFC 9110 section 8.3.1).
  var mediaType: String? {
    self[header: "Content-Type"].map { field in
      field.splitOnce(at: ";").0.lowercased().filter { $0 != " " && $0 != "\t" }
    }
  }
}

extension HTTPResponse {
  /// Returns the seconds before which the server wants no further request (RFC 9110 section 10.2.3), or nil if it does not say.
  func delay(at now: UTCDate) -> Int64? {
    guard let text = self[header: "Retry-After"] else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) { return Int64(text) ?? .max }
    return UTCDate(http: text)?.seconds(since: now)
  }
}

extension HTTPResponse: Redacted {
  /// The status alone, because everything else may hold a token.
  public var description: String { "HTTP \(status)" }
}

extension Int {
  /// True if a server that answers with this status has a problem of its own, or too much to do, and may answer later.
  package var isPassingStatus: Bool { self >= 500 || self == 408 || self == 429 }
}

extension Failure.Kind {
  /// ``Failure/refusedWithoutReason(status:)``
  static let refusedWithoutReason = Self(rawValue: "refused_without_reason")
  /// ``Failure/noAnswer(_:seconds:)``
  package static let noAnswer = Self(rawValue: "no_answer")
}

/// The provider could not be reached, or its answer is not OAuth.
extension Failure {
  /// The computer has no network.
  package static let offline = Failure(.network, "there is no network connection")

  /// The name of the host does not exist.
  package static func unknownHost(_ host: String) -> Failure {
    Failure(.network, "can't find the server \(host)", hint: "check the name, and the network")
  }

  /// There is no connection to the host, or it broke.
  package static func unreachable(_ host: String, _ reason: Message) -> Failure {
    Failure(.network, "\(host) cannot be reached: \(reason)")
  }

  /// The exchange took longer than its deadline allows.
  package static func noAnswer(_ host: String, seconds: Int) -> Failure {
    Failure(.network, "\(host) did not answer within \(seconds) s", kind: .noAnswer)
  }

  /// The certificate of the host is not valid. Pass its SHA-256 fingerprint if there is one.
  package static func untrustedCertificate(
    _ host: String, _ flaws: [CertificateFlaw], fingerprint: String?
  ) -> Failure {
    untrustedCertificate(
      host, flaws.message, fingerprint: fingerprint,
      isOfWrongDate: flaws == [.expired] || flaws == [.notYetValid])
  }

  /// The certificate of the host is not to be trusted for another `reason`, which continues "it is …".
  package static func untrustedCertificate(
    _ host: String, _ reason: Message, fingerprint: String?, isOfWrongDate: Bool = false
  ) -> Failure {
    Failure(
      .tls, "the certificate of \(host) cannot be trusted: \(reason)",
      hint: fingerprint.map { _ in .trustCertificate(host: host, isOfWrongDate: isOfWrongDate) },
      details: fingerprint.map { ["host": .string(host), "fingerprint": .string($0)] } ?? [:])
  }

  /// The connection has a problem with TLS other than the certificate.
  package static func insecureConnection(_ host: String, _ reason: Message) -> Failure {
    Failure(.tls, "the connection to \(host) is not safe: \(reason)")
  }

  /// The server wants to know who the client is, and does not talk to one without a certificate.
  package static func lacksClientCertificate(_ host: String) -> Failure {
    insecureConnection(host, "the server asks for a client certificate")
      .with(hint: .offerCertificate(host: host))
  }

  /// The answer is larger than any answer of OAuth.
  package static func tooLarge(_ host: String, limit: Int) -> Failure {
    Failure(.badResponse, "\(host) answered with more than \(limit) bytes")
  }

  /// The answer is not an answer of OAuth.
  package static func notOAuth(_ reason: Message, isRetryable: Bool = false) -> Failure {
    Failure(.badResponse, reason, isRetryable: isRetryable)
  }

  /// The token endpoint refuses with status 400 or 401 and does not say why.
  static func refusedWithoutReason(status: Int) -> Failure {
    Failure(
      .badResponse, "the token endpoint returned HTTP \(status) without an OAuth error",
      kind: .refusedWithoutReason)
  }
}

/// A problem of a certificate.
package enum CertificateFlaw: String, Sendable, CaseIterable {
  /// The issuer has revoked it.
  case revoked
  /// It belongs to another host.
  case otherHost = "other_host"
  /// Its validity is over.
  case expired
  /// Its validity has not begun.
  case notYetValid = "not_yet_valid"
  /// Its signature algorithm is too weak.
  case insecure
  /// Its issuer is not trusted.
  case unknownIssuer = "unknown_issuer"
  /// Any other problem.
  case damaged

  /// The flaw in words, to be read after the name of the certificate.
  package var message: Message {
    switch self {
    case .revoked: "it has been revoked"
    case .otherHost: "it belongs to another host"
    case .expired: "it has expired"
    case .notYetValid: "it is not valid yet"
    case .insecure: "it is signed with an insecure algorithm"
    case .unknownIssuer: "its issuer is unknown"
    case .damaged: "it is not valid"
    }
  }
}

extension [CertificateFlaw] {
  /// All flaws in words, to be read after the name of the certificate.
  package var message: Message { isEmpty ? CertificateFlaw.damaged.message : map(\.message).list }
}
