/// The address of an API, which is what its tokens are good for (RFC 8707 section 2, RFC 9728 section 1.2): https, or
/// http on this machine.
public struct ProtectedResource: Sendable, Equatable, CustomStringConvertible {
  private let address: WebAddress

  /// Refuses whatever a web engine would rewrite.
  public init(_ text: String) throws(AddressFault) { address = try WebAddress(text) }

  /// The address, without the slash that some write at its end.
  public var description: String {
    let path = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
    return address.origin + path + (address.query.map { "?\($0)" } ?? "")
  }

  /// Where the API itself is asked: its address as it was written.
  var endpoint: Endpoint { get throws(AddressFault) { try Endpoint(address.description) } }

  /// Where the API describes itself if it does not say so: at its path, then for the whole server (RFC 9728
  /// section 3.1).
  var metadataAddresses: [String] {
    let document = address.origin + "/.well-known/oauth-protected-resource"
    let own = document + description.dropFirst(address.origin.count)
    return own == document ? [document] : [own, document]
  }

  /// Whether it is a part of this API: at its path or below it, in whole segments.
  func contains(_ other: ProtectedResource) -> Bool {
    guard let own = try? Destination(description), let others = try? Destination(other.description) else {
      return false
    }
    return own.includes(others)
  }
}
