/// An endpoint of an authorization server: https, or plain http on this machine, without a fragment
/// (RFC 6749 sections 3.1 and 3.2).
public struct Endpoint: Sendable, Equatable, CustomStringConvertible {
  private let address: WebAddress

  /// Refuses whatever a web engine would rewrite.
  public init(_ text: String) throws(AddressFault) {
    address = try WebAddress(text)
  }

  /// The URL.
  public var description: String { address.description }

  /// Scheme, host and port.
  var origin: String { address.origin }
  /// The host that is asked.
  package var host: String { address.host }

  /// The parameters that the endpoint itself carries, which every request keeps (RFC 6749 section 3.1).
  var ownParameters: [Parameter] {
    let bytes = Array((address.query ?? "").utf8)
    var list = ParameterList()
    list.append(formEncoded: bytes.span)
    return list.parameters
  }

  /// The same endpoint with further parameters behind its own in the query; a credential never belongs there
  /// (RFC 6749 section 2.3.1).
  func adding(_ parameters: [Parameter]) -> Endpoint {
    if parameters.isEmpty { return self }
    let added = FormEncoding.encode(parameters)
    let own = address.query.flatMap { $0.isEmpty ? nil : $0 + "&" }
    return Endpoint(address.with(query: (own ?? "") + added))
  }

  /// Where a redirect from here leads, if that is an endpoint: an address, or a path of this server.
  func redirected(to location: String) -> Endpoint? {
    let isPath = location.hasPrefix("/") && !location.hasPrefix("//")
    return try? Endpoint(isPath ? origin + location : location)
  }

  private init(_ address: WebAddress) { self.address = address }
}
