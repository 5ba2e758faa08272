/// The URL of an endpoint of an authorization server: https, or plain http on this machine, without a fragment (RFC 6749
/// sections 3.1 and 3.2).
public struct Endpoint: Sendable, Equatable, CustomStringConvertible {
  private var address: WebAddress
  /// The server on another host that named this endpoint, if one did.
  package var namer: WebAddress?

  /// Throws if the text is not such a URL, or if web engines would rewrite it. The message continues "VALUE is …".
  package init(parsing text: String) throws(Message) { address = try WebAddress(text) }

  /// Reads an endpoint that a server names. Throws as well if it is nearer to this machine than the server itself, since
  /// it could then lead a request to a local program unknown to the server, or if the server has https and
  /// the endpoint has not.
  package init(_ text: String, namedBy server: String) throws(Message) {
    try self.init(parsing: text)
    let server = try WebAddress(server)
    if address.zone > server.zone { throw .nearer }
    if address.scheme == "http", server.scheme == "https" {
      throw "plain http, which a server with https must not name"
    }
    if !address.host.isIdentical(to: server.host) { namer = server }
  }

  /// The URL.
  public var description: String { address.description }

  /// Scheme, host and port.
  package var origin: String { address.origin }
  package var host: String { address.host }

  /// The parameters in the endpoint's own query, which every request keeps (RFC 6749 section 3.1).
  var ownParameters: [Parameter] {
    let bytes = Array((address.query ?? "").utf8)
    var list = ParameterList()
    list.append(formEncoded: bytes.span)
    return list.parameters
  }

  /// Returns the endpoint with more parameters after its own query. Never pass a credential (RFC 6749 section 2.3.1).
  func adding(_ parameters: [Parameter]) -> Endpoint {
    if parameters.isEmpty { return self }
    let added = FormEncoding.encode(parameters)
    let own = address.query.flatMap { $0.isEmpty ? nil : $0 + "&" }
    return with(address.with(query: (own ?? "") + added))
  }

  /// Returns the target of a redirect, which may be a URL or a path on this server. Returns nil if it is not an endpoint.
  package func redirected(to location: String) -> Endpoint? {
    let isPath = location.hasPrefix("/") && !location.hasPrefix("//")
    return (try? WebAddress(isPath ? origin + location : location)).map(with)
  }

  /// Returns another resource of the same server. Path and query go to the server as they are, so they must be well-formed.
  package func resource(at path: String, query: String?) -> Endpoint {
    with(address.with(path: path, query: query))
  }

  package var path: String { address.path }
  package var hasQuery: Bool { address.query != nil }

  private func with(_ address: WebAddress) -> Endpoint {
    var endpoint = self
    endpoint.address = address
    return endpoint
  }

  /// Endpoints are equal if their addresses are.
  public static func == (left: Endpoint, right: Endpoint) -> Bool { left.address == right.address }
}

extension Message {
  /// The clause about an endpoint that is nearer to this machine than the server that names it.
  package static let nearer: Message =
    "an address on this machine or in a private network, which a remote server must not name"
}

/// The endpoints of an authorization server, by their metadata names (RFC 8414 section 2, OpenID Connect Discovery and
/// the documents that extend them).
@nonexhaustive
public enum EndpointName: String, Sendable, CaseIterable {
  /// The user signs in here.
  case authorization = "authorization_endpoint"
  /// Codes and refresh tokens are exchanged for tokens here.
  case token = "token_endpoint"
  /// The provider describes the user here.
  case userinfo = "userinfo_endpoint"
  /// Tokens are revoked here.
  case revocation = "revocation_endpoint"
  /// Tokens are looked up here.
  case introspection = "introspection_endpoint"
  /// Clients are registered here.
  case registration = "registration_endpoint"
  /// Sessions are ended here.
  case endSession = "end_session_endpoint"
  /// Codes for another device are issued here.
  case deviceAuthorization = "device_authorization_endpoint"
  /// Authorization requests are pushed here.
  case pushedAuthorizationRequest = "pushed_authorization_request_endpoint"
  /// The provider publishes its keys here.
  case keySet = "jwks_uri"

  /// The name that people use, to be read after "the".
  var words: Message {
    switch self {
    case .authorization: "authorization endpoint"
    case .token: "token endpoint"
    case .userinfo: "userinfo endpoint"
    case .revocation: "revocation endpoint"
    case .introspection: "introspection endpoint"
    case .registration: "registration endpoint"
    case .endSession: "end-session endpoint"
    case .deviceAuthorization: "device authorization endpoint"
    case .pushedAuthorizationRequest: "pushed authorization request endpoint"
    case .keySet: "key set"
    }
  }
}

/// The identifier of an authorization server: an https URL without query and fragment (RFC 8414 section 2), compared byte
/// by byte (RFC 9207 section 2.4).
public struct Issuer: Sendable, CustomStringConvertible {
  /// The identifier as the server writes it.
  public let description: String

  /// Throws if RFC 8414 does not allow the text as an issuer. The message continues "VALUE is …".
  package init(parsing text: String) throws(Message) {
    let address = try WebAddress(text)
    if address.query != nil { throw "a URL with a query" }
    description = text
  }

  /// Scheme, host and port.
  var origin: String { (try? WebAddress(description))?.origin ?? description }

  /// True if a received identifier is this issuer. The texts are not normalised, so there is only one spelling.
  func isIdentical(to received: String) -> Bool { description.isIdentical(to: received) }
}

extension Issuer: Equatable {
  public static func == (left: Issuer, right: Issuer) -> Bool { left.isIdentical(to: right.description) }
}

/// Scheme, host and port of a web server (RFC 6454): https, or plain http on this machine.
package struct Origin: Sendable, Equatable, CustomStringConvertible {
  /// The origin in the form of RFC 6454 section 6.2.
  package let description: String

  /// Throws if the text is not an address, or has a path or a query. The message continues "VALUE is …".
  package init(_ text: String) throws(Message) {
    let address = try WebAddress(text)
    guard address.path == "/", address.query == nil else { throw "more than a scheme, a host and a port" }
    description = address.origin
  }
}

/// A page on which a provider shows its errors instead of redirecting.
package struct ErrorPage: Sendable, Equatable, CustomStringConvertible {
  /// The address as the preset names it.
  package let description: String
  let landing: RedirectMatcher

  /// Throws if a web engine would report the address in other bytes. The message continues "VALUE is …".
  package init(_ text: String) throws(Message) {
    landing = try RedirectMatcher(text)
    description = text
  }
}
